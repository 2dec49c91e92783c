import { unknownTask, VolleyError } from '../core/errors.ts';
import type { Loop } from '../core/loop.ts';
import { replayJournal } from '../core/replay.ts';
import type { Replay } from '../core/replay.ts';
import { requireLoop } from '../engine/commands.ts';
import type { Desk } from '../engine/desk.ts';
import type { LoopName } from './contract/route.ts';

/** The loop that a path names. */
export async function findLoop(desk: Desk, named: LoopName): Promise<Loop> {
  return await requireLoop(desk.engine, await loopNumber(desk, named));
}

/** The loop that a path names, with each of its entries. */
export async function replayLoop(desk: Desk, named: LoopName): Promise<Replay> {
  const id = await loopNumber(desk, named);
  await requireLoop(desk.engine, id);
  const replay = replayJournal(await desk.engine.store.journal(id));
  if (replay === null) throw unknownTask(id);
  return replay;
}

/** That something which a path names is not part of its loop. */
export function notThere(what: string, remedy: string): VolleyError {
  return new VolleyError('not-found', `There is no ${what}.`, remedy);
}

/** The number of the loop that a path names; whether there is one of this number is for whoever looks it up to say. */
export async function loopNumber({ engine: { store } }: Desk, named: LoopName): Promise<number> {
  if (typeof named === 'number') return named;
  const [row] = await store.rows({ uid: named, limit: 1 });
  if (row === undefined)
    throw new VolleyError('unknown-loop', 'There is no loop with this uid.', 'See GET /api/loops for those that there are.');
  return row.id;
}
