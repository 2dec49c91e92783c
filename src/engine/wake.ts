import { decide } from '../core/decide.ts';
import type { Loop } from '../core/loop.ts';
import type { LoopFilter, Transaction } from '../store/store.ts';
import { appendTogether } from './append.ts';
import type { Append } from './append.ts';
import type { Engine } from './engine.ts';
import { lookAtDay, postponed } from './postpone.ts';
import { endAbandoned } from './supersede.ts';

/** Lets loops go on whose wait may be over: those that are named, else all that `wakeMaybeOver` finds. */
export async function wakeLoops(engine: Engine, ids: readonly number[] | null): Promise<void> {
  if (ids === null) await wakeMaybeOver(engine, {});
  else await wakeEach(engine, ids, isWaiting);
}

/** Which loops somebody wants to go on; who is patient stays and comes back to a full disk when its time has come. */
type Wanted = Pick<LoopFilter, 'among' | 'group'> & { readonly isPatient?: boolean };

/** For somebody who begins to work. A login or room on a disk cannot be seen from here, so it is tried. */
export async function wakeMaybeOver(engine: Engine, { isPatient = false, ...filter }: Wanted): Promise<void> {
  const now = engine.now();
  const isMaybeOver = (waiting: Wait): boolean =>
    waiting.for === 'login' || (waiting.for === 'disk' && !isPatient) || waiting.until === null || isDue(waiting, now);
  const rows = await engine.store.rows({ ...filter, waiting: true });
  const ids = rows.flatMap(({ id, waiting, waitingUntil: until }) =>
    waiting !== null && waiting !== 'dependency' && isMaybeOver({ for: waiting, until }) ? [id] : [],
  );
  await wakeEach(engine, ids, (loop) => isWaiting(loop) && loop.waiting !== null && isMaybeOver(loop.waiting));
}

/** Lets these go on as far as their time has come: somebody else may have woken them before, and driven them to the next wait. */
export async function wakeDue(engine: Engine, ids: readonly number[]): Promise<void> {
  await wakeEach(engine, ids, (loop) => isWaiting(loop) && isDue(loop.waiting, engine.now()));
}

async function wakeEach(engine: Engine, ids: readonly number[], mayWake: (loop: Loop) => boolean): Promise<void> {
  let isSwept = false;
  for (const id of ids) {
    const seen = await engine.store.load(id);
    if (seen === null || !mayWake(seen)) continue;
    if (seen.waiting?.for === 'slot' && !isSwept) {
      await endAbandoned(engine);
      isSwept = true;
    }
    await appendTogether(engine, async (tx, append) => {
      const loop = await tx.load(id);
      if (loop !== null && mayWake(loop)) await wake(engine, { tx, append, loop });
    });
  }
}

type Waking = { readonly tx: Transaction; readonly append: Append; readonly loop: Loop };

/** While others still hold the money, nobody needs to drive the loop to find that out. */
async function wake(engine: Engine, { tx, append, loop }: Waking): Promise<void> {
  const next = loop.waiting?.for === 'slot' ? decide({ ...loop, waiting: null, tally: await lookAtDay(engine, tx, loop.id) }) : null;
  if (next?.do !== 'wait') await append(loop.id, { type: 'woken' });
  else if (isDue(loop.waiting, engine.now())) await append(loop.id, postponed(engine, loop, next.why));
}

function isWaiting({ waiting, escalation, takenOver, ending }: Loop): boolean {
  return waiting !== null && waiting.for !== 'dependency' && escalation === null && takenOver === null && ending === null;
}

type Wait = { readonly for: string; readonly until: string | null };

function isDue(waiting: Wait | null, now: string): boolean {
  return waiting !== null && waiting.until !== null && Date.parse(waiting.until) <= Date.parse(now);
}
