/** Turns callbacks into something that one reader iterates over. */
export type Channel<T> = {
  readonly push: (value: T) => void;
  /** No more values come; those that were pushed are still read. */
  readonly close: () => void;
  readonly values: () => AsyncGenerator<T, void, undefined>;
};

/** Makes a channel; what limits its producer limits its memory. */
export function openChannel<T>(): Channel<T> {
  let waiting: T[] = [];
  let closed = false;
  let wake: (() => void) | null = null;
  async function* values(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const batch = waiting;
      waiting = [];
      yield* batch;
      if (waiting.length > 0) continue;
      if (closed) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    push: (value) => {
      waiting.push(value);
      wake?.();
    },
    close: () => {
      closed = true;
      wake?.();
    },
    values,
  };
}
