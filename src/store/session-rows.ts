import type { Loop } from '../core/loop.ts';
import { bookingsOf } from '../core/money.ts';
import type { Step } from './journal.ts';
import type { SpentAndReserved } from './store.ts';

/** What a session counted for, as a row of the table `sessions`; `seat` tells those apart that one entry books. */
export type SessionRecord = {
  readonly loop_id: string;
  readonly seq: number;
  readonly seat: number;
  /** When it was booked, which is what its day goes by. */
  readonly at: string;
  readonly agent: string;
  readonly role: string;
  readonly usd: number;
  readonly estimated: number;
};

/** What the sessions of a loop at work may still spend, as a row of the table `reservations`; a loop without any has none. */
export type ReservationRecord = { readonly loop_id: string; readonly usd: number };

/** The rows of the sessions that a step of the loop books. */
export function bookedSessions(before: Loop, { entry }: Step): readonly SessionRecord[] {
  return bookingsOf(before, entry.event).map(({ agent, role, usd, estimated }, seat) => ({
    loop_id: before.uid,
    seq: entry.seq,
    seat,
    at: entry.at,
    agent,
    role,
    usd,
    estimated: estimated ? 1 : 0,
  }));
}

/** Sums as the core reads them: sums of what is huge are not numbers that a journal can hold. */
export function sumsOf(spentUsd: number, reservedUsd: number, estimated: boolean): SpentAndReserved {
  return { spentUsd: Math.min(spentUsd, Number.MAX_VALUE), reservedUsd: Math.min(reservedUsd, Number.MAX_VALUE), estimated };
}
