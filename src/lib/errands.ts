/** Work that is done for others, and has to come to an end before whatever it uses is closed. */
export type Errands = {
  /** Aborted when all of it has to end. */
  readonly signal: AbortSignal;
  /** Does work that is waited for at the end. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Says to all work that it has to end, and why. */
  stop(why: Error): void;
  /** Waits until none is left, but no longer than this. */
  settle(patienceMs: number): Promise<void>;
};

/** Counts the errands of somebody who may have to stop. */
export function openErrands(): Errands {
  const controller = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    signal: controller.signal,
    run: async (work) => {
      const done = work();
      running.add(done);
      try {
        return await done;
      } finally {
        running.delete(done);
      }
    },
    stop: (why) => controller.abort(why),
    settle: async (patienceMs) => {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise((resolve) => (timer = setTimeout(resolve, patienceMs)));
      await Promise.race([Promise.allSettled(running), patience]);
      clearTimeout(timer);
    },
  };
}
