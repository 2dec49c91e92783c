import { setTimeout as sleep } from 'node:timers/promises';
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
  /** Nothing can be done before the task may go on. */
  waiting(wait: Wait): void;
};

/** Who drove what: `busy` holds the tasks that another process has, with its number. */
export type Worked = { readonly driven: ReadonlySet<number>; readonly busy: ReadonlyMap<number, number> };

/** New work and waits that are over are looked for this often. */
const LOOK_MS = 1000;

/**
 * Drives what is pending until nothing is left, what is added meanwhile included, and sleeps while all that is left waits
 * for a known time. A task that cannot be driven does not stop the others and is not tried again.
 */
export async function workThrough(app: Pick<App, 'drive' | 'load'>, queue: Queue, working: Working): Promise<Worked> {
  const { slots, watch, signal } = working;
  const running = new Map<number, Promise<void>>();
  const driven = new Set<number>();
  const busy = new Map<number, number>();
  const broken = new Set<number>();

  const drive = async (id: number): Promise<void> => {
    try {
      const report = await app.drive([id], signal);
      for (const { owner } of report.busy) busy.set(id, owner.pid);
      if (report.driven.length === 0) return;
      driven.add(id);
      working.ended(await app.load(id));
    } catch (error) {
      broken.add(id);
      working.broke(id, error);
    }
  };
  const fill = async (): Promise<void> => {
    for (const { id, driver } of await queue.pending()) {
      if (running.has(id) || broken.has(id)) continue;
      if (driver !== null) busy.set(id, driver.pid);
      else if (running.size < slots && !signal.aborted)
        running.set(
          id,
          drive(id).finally(() => running.delete(id)),
        );
    }
  };

  const release = async (): Promise<void> => {
    for (const loop of await queue.release()) {
      driven.add(loop.id);
      working.ended(loop);
    }
  };

  await queue.wake();
  await release();
  const waits = waitTeller(queue, working);
  for (;;) {
    if (!signal.aborted) await fill();
    if (running.size === 0 && (signal.aborted || !((await waits.isAny()) || watch))) return { driven, busy };
    const looks = signal.aborted || running.size >= slots ? [] : [nap(signal)];
    await Promise.race([...running.values(), ...looks]);
    if (signal.aborted) continue;
    await waits.wakeDue();
    await release();
  }
}

async function nap(signal: AbortSignal): Promise<void> {
  await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
}

/** How long somebody waits for money is not said: when it is there is only looked up. */
const ANY_TIME = 0;

/** The tasks that wait for a time: each time is told once, a wait for money once until it is over, and a task is woken when its time has come. */
function waitTeller(queue: Queue, working: Working): { isAny(): Promise<boolean>; wakeDue(): Promise<void> } {
  const told = new Map<number, number>();
  return {
    isAny: async () => {
      const waits = await queue.waits();
      for (const id of told.keys()) if (!waits.some((wait) => wait.id === id)) told.delete(id);
      const [first] = waits;
      if (first === undefined) return false;
      const time = first.isForMoney ? ANY_TIME : first.untilMs;
      if (told.get(first.id) !== time) working.waiting(first);
      told.set(first.id, time);
      return true;
    },
    wakeDue: async () => {
      const due = (await queue.waits()).filter(({ untilMs }) => untilMs <= Date.now()).map(({ id }) => id);
      if (due.length > 0) await queue.wake(due);
    },
  };
}
