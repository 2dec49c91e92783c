/** Runs work as soon as one of its slots is free; whoever is aborted while it waits has no turn. */
export type Slots = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** So many pieces of work at once, the others in the order in which they came. */
export function slots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;
  const enter = async (signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted();
    if (free > 0) return void (free -= 1);
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      waiting.push(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  };
  return async (work, signal) => {
    await enter(signal);
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // A slot goes from hand to hand, so that nobody who comes later takes it.
      if (next === undefined) free += 1;
      else next();
    }
  };
}
