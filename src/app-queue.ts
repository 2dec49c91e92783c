import type { App } from './app.ts';
import type { Loop } from './core/loop.ts';
import { isAlive } from './dispatch/owner.ts';
import { releaseLoops } from './engine/release.ts';
import { wakeLoops } from './engine/wake.ts';
import type { Owner } from './store/store.ts';

/** Which tasks somebody works on: those that are named, those of a group, or all. */
export type Selection = { readonly ids: readonly number[] | null; readonly group: string | null };

/** A task that wants to be driven, and the living process that does. */
export type Pending = { readonly id: number; readonly driver: Owner | null };

/** A task that waits for a time, or until then for money that others have reserved. */
export type Wait = { readonly id: number; readonly untilMs: number; readonly isForMoney: boolean };

/** What is pending in a project, as it is each time that it is asked. */
export type Queue = {
  /** Lets tasks go on whose wait may be over: these, or all that are selected. */
  wake(ids?: readonly number[]): Promise<void>;
  /** Lets tasks start that waited for others, and gives those that cannot and ask a person. */
  release(): Promise<readonly Loop[]>;
  /** In the order in which they are to be driven. */
  pending(): Promise<readonly Pending[]>;
  /** What waits for a time that is known, soonest first. */
  waits(): Promise<readonly Wait[]>;
};

/** Looks at what is pending among the tasks that are selected. */
export function openQueue({ engine, timedWaits }: Pick<App, 'engine' | 'timedWaits'>, { ids, group }: Selection): Queue {
  const isSelected = async (): Promise<(id: number) => boolean> => {
    if (group === null) return (id) => ids === null || ids.includes(id);
    const members = new Set((await engine.store.rows()).filter((row) => row.group === group).map(({ id }) => id));
    return (id) => members.has(id) && (ids === null || ids.includes(id));
  };
  return {
    wake: async (these) => await wakeLoops(engine, these ?? (group === null ? ids : await dueIn(engine, await isSelected()))),
    release: async () => {
      const selected = await isSelected();
      return (await releaseLoops(engine, null)).filter(({ id }) => selected(id));
    },
    pending: async () => {
      const selected = await isSelected();
      const jobs = (await engine.store.transaction(async (tx) => await tx.jobs())).filter(({ loopId }) => selected(loopId));
      return await Promise.all(
        jobs.map(async ({ loopId, owner }) => ({ id: loopId, driver: owner !== null && (await isAlive(owner)) ? owner : null })),
      );
    },
    waits: async () => {
      const selected = await isSelected();
      const waits = (await timedWaits()).filter(({ id }) => selected(id));
      return waits.map(({ id, until, isForMoney }) => ({ id, untilMs: Date.parse(until), isForMoney }));
    },
  };
}

/** The selected tasks whose wait may be over, as `wakeLoops` sees it for all. */
async function dueIn(engine: App['engine'], isSelected: (id: number) => boolean): Promise<readonly number[]> {
  const rows = (await engine.store.rows({ waiting: true })).filter(({ id }) => isSelected(id));
  return rows
    .filter(({ waitingUntil }) => waitingUntil === null || Date.parse(waitingUntil) <= Date.parse(engine.now()))
    .map(({ id }) => id);
}
