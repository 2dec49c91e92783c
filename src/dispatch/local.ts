import type { Owner, Store } from '../store/store.ts';
import type { Dispatcher } from './dispatcher.ts';
import { isAlive } from './owner.ts';
import { Shift } from './shift.ts';

/** Drives loops in this process, each under a lock in the store that a dead process loses at once. */
export function localDispatcher(store: Store): Dispatcher {
  const shifts = new Set<Shift>();
  return {
    enqueue: (tx, job) => tx.putJob(job.loopId),
    work: async (options, handler) => {
      const shift = new Shift(store, options, handler);
      shifts.add(shift);
      return await shift.run().finally(() => shifts.delete(shift));
    },
    isHeld,
    stir: () => shifts.forEach((shift) => shift.stir()),
    isDriven: async (tx, loopId) => await isHeld(await tx.owner(loopId)),
    abandoned: async (tx) => {
      const owned = (await tx.jobs()).filter(({ owner }) => owner !== null);
      const held = await Promise.all(owned.map(async ({ owner }) => await isHeld(owner)));
      return owned.filter((_, index) => held[index] === false).map(({ loopId }) => loopId);
    },
    close: async () => {},
  };
}

async function isHeld(owner: Owner | null): Promise<boolean> {
  return owner !== null && (await isAlive(owner));
}
