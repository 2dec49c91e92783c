import type { Effect } from '../core/action.ts';
import { isNews } from '../core/ceilings.ts';
import { decide } from '../core/decide.ts';
import type { Event } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { drawsOnDay } from '../core/money.ts';
import { failpoint } from '../lib/failpoint.ts';
import { appendEvent, appendTogether } from './append.ts';
import type { Engine } from './engine.ts';
import { lookAtDay, postponed } from './postpone.ts';
import { endAbandoned } from './supersede.ts';

/**
 * Writes that an action starts, with what its sessions may spend. Where the day has a ceiling, what all loops spent is looked up
 * in the same transaction, so that no two processes take the same money; where all of it is spent, a person is asked instead, and
 * where others have only reserved it, the loop waits.
 */
export async function startAction(engine: Engine, loop: Loop, action: Effect): Promise<Loop> {
  const started: Event = { type: 'started', action };
  if (!drawsOnDay(loop, action)) return await appendEvent(engine, loop.id, started);
  await endAbandoned(engine);
  await failpoint('before started');
  return await appendTogether(engine, async (tx, append) => {
    const tally = await lookAtDay(engine, tx, loop.id);
    const known = (await tx.load(loop.id)) ?? loop;
    const now = isNews(known.tally, tally) ? (await append(loop.id, { type: 'tallied', ...tally })).loop : known;
    return (await append(loop.id, insteadOf(engine, now) ?? started)).loop;
  });
}

/** What is written where there is no money for the action. */
function insteadOf(engine: Engine, loop: Loop): Event | null {
  const next = decide(loop);
  if (next.do === 'wait') return postponed(engine, loop, next.why);
  const asks = next.do === 'escalate' && next.reason === 'ceiling';
  return asks ? { type: 'escalated', reason: next.reason, why: next.why, versions: null } : null;
}
