import type { Kysely } from 'kysely';
import type { Loop } from '../core/loop.ts';
import { reservedUsd } from '../core/money.ts';
import type { Step } from './journal.ts';
import { bookedSessions, sumsOf } from './session-rows.ts';
import type { SpentAndReserved } from './store.ts';
import type { Tables } from './tables.ts';

/** Writes what a step of the loop booked, and what its sessions at work may still spend. */
export async function writeSpend(db: Kysely<Tables>, before: Loop, step: Step): Promise<void> {
  for (const record of bookedSessions(before, step)) await db.insertInto('sessions').values(record).execute();
  const usd = reservedUsd(step.loop);
  if (usd === reservedUsd(before)) return;
  await db.deleteFrom('reservations').where('loop_id', '=', before.uid).execute();
  if (usd > 0) await db.insertInto('reservations').values({ loop_id: before.uid, usd }).execute();
}

/** What was booked since a moment, and what other loops than this have reserved. */
export async function readTally(db: Kysely<Tables>, since: string, id: number): Promise<SpentAndReserved> {
  const spent = await db
    .selectFrom('sessions')
    .select(({ fn }) => [fn.sum<number | null>('usd').as('usd'), fn.max<number | null>('estimated').as('estimated')])
    .where('at', '>=', since)
    .executeTakeFirst();
  const reserved = await db
    .selectFrom('reservations')
    .innerJoin('loops', 'loops.id', 'reservations.loop_id')
    .select(({ fn }) => fn.sum<number | null>('reservations.usd').as('usd'))
    .where('loops.number', '!=', id)
    .executeTakeFirst();
  return sumsOf(spent?.usd ?? 0, reserved?.usd ?? 0, spent?.estimated === 1);
}
