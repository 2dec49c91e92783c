import type { App } from './app.ts';
import { openQueue } from './app-queue.ts';
import { workThrough } from './app-work.ts';

/** Somebody who drives what is pending beside what else this process does. */
export type Worker = {
  /** Looks at once instead of at the next second. */
  stir(): void;
  /** Ends the sessions under way; their loops go on when somebody works again. */
  stop(): Promise<void>;
};

/** How a worker works, and who hears of what it cannot do: a loop that broke, or, without one, the work as a whole. */
export type WorkerOptions = {
  readonly slots: number;
  /** Drives only these loops, also those that join them later; left out, all. */
  readonly only?: readonly number[];
  readonly broke: (error: unknown, loopId: number | null) => void;
};

/** Drives what is pending until it is stopped. */
export function startWorker(app: App, { slots, only, broke }: WorkerOptions): Worker {
  const stop = new AbortController();
  const nothing = (): void => undefined;
  const working = workThrough(app, openQueue(app, { ids: only ?? null, group: null }), {
    slots,
    watch: true,
    signal: stop.signal,
    ended: nothing,
    waiting: nothing,
    broke: (id, error) => broke(error, id),
    faltered: (error) => broke(error, null),
  });
  // Only a bug ends the work before somebody does.
  const ended = working.then(nothing, (error: unknown) => broke(error, null));
  return {
    stir: () => app.engine.dispatcher.stir(),
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}
