import type { Loop } from '../core/loop.ts';
import { failpoint } from '../lib/failpoint.ts';
import type { Engine } from './engine.ts';

/** Whether a loop that ended so needs its checkout no more; from every other rest it may go on. */
export function isOver(state: string): boolean {
  return state === 'approved' || state === 'ready_for_human_review' || state === 'merged' || state === 'cancelled';
}

/** Removes what sessions leave on disk when they are killed together with their driver; the loop's checkout stays. */
export async function clearLeftovers(engine: Pick<Engine, 'artefacts' | 'workspace'>, loop: Loop): Promise<void> {
  await Promise.all([engine.artefacts.removeSessionFolders(loop.uid), engine.workspace.removeThrowAways(loop.uid)]);
}

/** Removes all folders of a loop. Its commits, its documents and what lay uncommitted in its checkout stay. */
export async function putAway(engine: Pick<Engine, 'artefacts' | 'workspace' | 'report'>, loop: Loop): Promise<void> {
  try {
    await failpoint('put away');
    const { id: loopId, uid, settings } = loop;
    const checkout = { loopId, uid, commit: (loop.head ?? loop.start).commit, copy: settings.checkout.copy };
    await Promise.all([clearLeftovers(engine, loop), engine.workspace.removeCheckout(checkout)]);
  } catch (error) {
    // A folder that cannot be removed is no reason to withhold the end of a loop.
    engine.report({ type: 'activity', loopId: loop.id, text: `its folders could not be removed: ${String(error)}\n` });
  }
}

/** The same, unless a living process still drives the loop, which does so itself. */
export async function putAwayUndriven(engine: Engine, loop: Loop): Promise<void> {
  const isDriven = await engine.store.transaction(async (tx) => await engine.dispatcher.isDriven(tx, loop.id));
  if (!isDriven) await putAway(engine, loop);
}
