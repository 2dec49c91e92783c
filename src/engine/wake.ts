import { decide } from '../core/decide.ts';
import type { Loop } from '../core/loop.ts';
import { appendEvent, appendTogether } from './append.ts';
import type { Engine } from './engine.ts';
import { lookAtDay, postponed } from './postpone.ts';
import { endAbandoned } from './supersede.ts';

/** Lets loops go on whose wait may be over: those that are named, else all whose time has come. */
export async function wakeLoops(engine: Engine, ids: readonly number[] | null): Promise<void> {
  const rows = ids === null ? (await engine.store.rows({ waiting: true })).map(({ id }) => id) : ids;
  let isSwept = false;
  for (const id of rows) {
    const loop = await engine.store.load(id);
    if (loop === null || !isWaiting(loop) || (ids === null && !isDue(loop, engine.now()))) continue;
    if (loop.waiting?.for !== 'slot') {
      await appendEvent(engine, id, { type: 'woken' });
      continue;
    }
    if (!isSwept) await endAbandoned(engine);
    isSwept = true;
    await wakeForMoney(engine, id);
  }
}

/** While others still hold the money, nobody needs to drive the loop to find that out. */
async function wakeForMoney(engine: Engine, id: number): Promise<void> {
  await appendTogether(engine, async (tx, append) => {
    const loop = await tx.load(id);
    if (loop === null || loop.waiting?.for !== 'slot' || !isWaiting(loop)) return;
    const next = decide({ ...loop, waiting: null, tally: await lookAtDay(engine, tx, id) });
    if (next.do !== 'wait') await append(id, { type: 'woken' });
    else if (isDue(loop, engine.now())) await append(id, postponed(engine, loop, next.why));
  });
}

function isWaiting({ waiting, escalation, takenOver, ending }: Loop): boolean {
  return waiting !== null && waiting.for !== 'dependency' && escalation === null && takenOver === null && ending === null;
}

/** A login that somebody made in the meantime cannot be seen from here, so it is tried. */
function isDue({ waiting }: Loop, now: string): boolean {
  return waiting !== null && (waiting.for === 'login' || waiting.until === null || Date.parse(waiting.until) <= Date.parse(now));
}
