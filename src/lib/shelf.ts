/** Things of different size that never change; the ones that were used last stay. */
export type Shelf<T> = {
  get(name: string): T | undefined;
  put(name: string, thing: T): void;
};

/** An empty one with so much room; what takes more room than that is not kept at all. */
export function shelf<T>(room: number, sizeOf: (thing: T) => number): Shelf<T> {
  const things = new Map<string, T>();
  let taken = 0;
  const remove = (name: string): void => {
    const thing = things.get(name);
    if (thing === undefined) return;
    taken -= sizeOf(thing);
    things.delete(name);
  };
  return {
    get: (name) => {
      const thing = things.get(name);
      if (thing === undefined) return undefined;
      things.delete(name);
      things.set(name, thing);
      return thing;
    },
    put: (name, thing) => {
      remove(name);
      things.set(name, thing);
      taken += sizeOf(thing);
      for (const oldest of things.keys()) {
        if (taken <= room) return;
        remove(oldest);
      }
    },
  };
}
