import type { Loop } from '../core/loop.ts';
import { appendEvent } from './append.ts';
import type { Engine } from './engine.ts';

/** Lets loops go on whose wait may be over: those that are named, else all whose time has come. */
export async function wakeLoops(engine: Engine, ids: readonly number[] | null): Promise<void> {
  const rows = ids === null ? (await engine.store.rows()).filter(({ waiting }) => waiting !== null).map(({ id }) => id) : ids;
  for (const id of rows) {
    const loop = await engine.store.load(id);
    if (loop !== null && isWaiting(loop) && (ids !== null || isDue(loop, engine.now()))) await appendEvent(engine, id, { type: 'woken' });
  }
}

function isWaiting({ waiting, escalation, takenOver, ending }: Loop): boolean {
  return waiting !== null && escalation === null && takenOver === null && ending === null;
}

/** A login that somebody made in the meantime cannot be seen from here, so it is tried. */
function isDue({ waiting }: Loop, now: string): boolean {
  return waiting !== null && (waiting.for === 'login' || waiting.until === null || Date.parse(waiting.until) <= Date.parse(now));
}
