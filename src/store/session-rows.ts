import type { Session } from '../core/event.ts';
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
  readonly subscription_usd: number;
  /** That of `at`, in UTC. */
  readonly day: string;
  readonly model: string | null;
  /** Of a reviewer: whether its answer counted; null where nobody waited for it any more, and for other roles. */
  readonly outcome: 'verdict' | 'no-verdict' | null;
  readonly duration_ms: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
};

/** What the sessions of a loop at work may still spend, as a row of the table `reservations`; a loop without any has none. */
export type ReservationRecord = { readonly loop_id: string; readonly usd: number };

/** The rows of the sessions that a step of the loop books. */
export function bookedSessions(before: Loop, { entry, loop }: Step): readonly SessionRecord[] {
  const { event } = entry;
  const session = 'session' in event ? event.session : null;
  return bookingsOf(before, event).map(({ agent, role, usd, subscriptionUsd, estimated }, seat) => ({
    loop_id: before.uid,
    seq: entry.seq,
    seat,
    at: entry.at,
    agent,
    role,
    usd,
    estimated: estimated ? 1 : 0,
    subscription_usd: subscriptionUsd,
    day: entry.at.slice(0, 10),
    model: session?.model ?? before.settings.agents[agent]?.model ?? null,
    outcome: event.type === 'reviewed' ? outcomeOf(event.member, before, loop) : null,
    duration_ms: session === null ? null : lengthOf(session),
    input_tokens: session?.usage?.inputTokens ?? null,
    output_tokens: session?.usage?.outputTokens ?? null,
  }));
}

/** An answer that counts holds its seat, or is part of the round that it closed. */
function outcomeOf(member: string, before: Loop, after: Loop): 'verdict' | 'no-verdict' {
  const isSeated = after.seats.some((seat) => seat.member === member && seat.answer !== null);
  const closed = after.rounds.length > before.rounds.length ? after.rounds.at(-1) : undefined;
  return isSeated || closed?.reviews.some((review) => review.member === member) === true ? 'verdict' : 'no-verdict';
}

function lengthOf({ startedAt, endedAt }: Session): number | null {
  const ms = Date.parse(endedAt) - Date.parse(startedAt);
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** Sums as the core reads them: sums of what is huge are not numbers that a journal can hold. */
export function sumsOf(spentUsd: number, reservedUsd: number, estimated: boolean): SpentAndReserved {
  return { spentUsd: Math.min(spentUsd, Number.MAX_VALUE), reservedUsd: Math.min(reservedUsd, Number.MAX_VALUE), estimated };
}
