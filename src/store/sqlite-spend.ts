import type { Kysely } from 'kysely';
import type { Loop } from '../core/loop.ts';
import { reservedUsd } from '../core/money.ts';
import type { Step } from './journal.ts';
import { bookedSessions, sumsOf } from './session-rows.ts';
import type { AgentSpend, SpentAndReserved } from './store.ts';
import type { Tables } from './tables.ts';

/** Writes what a step of the loop booked, and what its sessions at work may still spend. */
export async function writeSpend(db: Kysely<Tables>, before: Loop, step: Step): Promise<void> {
  for (const record of bookedSessions(before, step)) await db.insertInto('sessions').values(record).execute();
  const usd = reservedUsd(step.loop);
  if (usd === reservedUsd(before)) return;
  await db.deleteFrom('reservations').where('loop_id', '=', before.uid).execute();
  if (usd > 0) await db.insertInto('reservations').values({ loop_id: before.uid, usd }).execute();
}

/** What was booked since a moment, and what other loops than this, or all of them, have reserved. */
export async function readTally(db: Kysely<Tables>, since: string, id: number | null): Promise<SpentAndReserved> {
  const spent = await db
    .selectFrom('sessions')
    .select(({ fn }) => [fn.sum<number | null>('usd').as('usd'), fn.max<number | null>('estimated').as('estimated')])
    .where('at', '>=', since)
    .executeTakeFirst();
  const reserved = await db
    .selectFrom('reservations')
    .innerJoin('loops', 'loops.id', 'reservations.loop_id')
    .select(({ fn }) => fn.sum<number | null>('reservations.usd').as('usd'))
    .where('loops.number', '!=', id ?? 0)
    .executeTakeFirst();
  return sumsOf(spent?.usd ?? 0, reserved?.usd ?? 0, spent?.estimated === 1);
}

/** What was booked for each agent. */
export async function readSpendByAgent(db: Kysely<Tables>): Promise<readonly AgentSpend[]> {
  const sums = await db
    .selectFrom('sessions')
    .select(({ fn }) => [
      'agent',
      fn.countAll<number>().as('sessions'),
      fn.sum<number>('usd').as('usd'),
      fn.max<number>('estimated').as('estimated'),
      fn.max<string>('at').as('lastAt'),
    ])
    .groupBy('agent')
    .orderBy('agent')
    .execute();
  return sums.map((sum) => ({ ...sum, usd: Math.min(sum.usd, Number.MAX_VALUE), estimated: sum.estimated === 1 }));
}
