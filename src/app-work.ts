import type { App } from './app.ts';
import type { Queue, Wait } from './app-queue.ts';
import type { Loop } from './core/loop.ts';

/** How a queue is worked through, and who hears of it. */
export type Working = {
  readonly slots: number;
  /** Goes on looking for work until it is stopped. */
  readonly watch: boolean;
  readonly signal: AbortSignal;
  /** A task came to rest. */
  ended(loop: Loop): void;
  /** A task could not be driven. */
  broke(id: number, error: unknown): void;
  /** Whoever watches could not look for work, and looks again after a pause. */
  faltered(error: unknown): void;
  /** Nothing can be done before the task may go on. */
  waiting(wait: Wait): void;
};

/** Who drove what: `busy` holds the tasks that another process has, with its number. */
export type Worked = { readonly driven: ReadonlySet<number>; readonly busy: ReadonlyMap<number, number> };

/**
 * Drives what is pending until nothing is left, what is added meanwhile included, and sleeps while all that is left waits
 * for a known time. A task that cannot be driven does not stop the others and is not tried again before something happens to it.
 * Only whoever watches waits for room on a full disk: everybody else is told of it.
 */
export async function workThrough(app: Pick<App, 'work' | 'load'>, queue: Queue, working: Working): Promise<Worked> {
  const driven = new Set<number>();
  const tell = (loop: Loop): void => {
    driven.add(loop.id);
    working.ended(loop);
  };
  const waits = waitTeller(queue, working);
  let isBegun = false;
  const report = await app.work(working, {
    prepare: async () => {
      if (!isBegun) await queue.wake({ isPatient: working.watch });
      isBegun = true;
      await waits.wakeDue();
      const { asking, broken, isMore } = await queue.release();
      for (const loop of asking) tell(loop);
      for (const { id, error } of broken) working.broke(id, error);
      return { only: await queue.selected(), isMore };
    },
    stays: async () => (await waits.isAny()) || working.watch,
    ended: async (id) => tell(await app.load(id)),
    broke: (id, error) => working.broke(id, error),
    ...(working.watch ? { faltered: (error: unknown) => working.faltered(error) } : {}),
  });
  return { driven, busy: new Map(report.busy.map(({ loopId, owner }) => [loopId, owner.pid])) };
}

/** How long somebody waits for money is not said: when it is there is only looked up. */
const ANY_TIME = 0;

/** The tasks that wait for a time: each time is told once, a wait for money once until it is over, and a task is woken when its time has come. */
function waitTeller(queue: Queue, working: Working): { isAny(): Promise<boolean>; wakeDue(): Promise<void> } {
  const told = new Map<number, number>();
  const waitsOf = async (): Promise<readonly Wait[]> => (await queue.waits()).filter((wait) => working.watch || wait.for !== 'disk');
  return {
    isAny: async () => {
      const waits = await waitsOf();
      for (const id of told.keys()) if (!waits.some((wait) => wait.id === id)) told.delete(id);
      const [first] = waits;
      if (first === undefined) return false;
      const time = first.for === 'slot' ? ANY_TIME : first.untilMs;
      if (told.get(first.id) !== time) working.waiting(first);
      told.set(first.id, time);
      return true;
    },
    wakeDue: async () => {
      const due = (await waitsOf()).filter(({ untilMs }) => untilMs <= Date.now()).map(({ id }) => id);
      if (due.length > 0) await queue.wakeDue(due);
    },
  };
}
