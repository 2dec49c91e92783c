import { approvedBy } from './disputes.ts';
import type { Event } from './event.ts';
import { answerProblem, judgeRound } from './judge.ts';
import type { Void } from './judge.ts';
import type { FinalVerdict, Loop, Seat } from './loop.ts';
import { lostSeats, nextSessions, withSeat } from './panel.ts';
import type { Verdict } from './review.ts';
import { isHindered, waitFor } from './waiting.ts';

type Reviewed = Extract<Event, { type: 'reviewed' }>;

/** What the answer of one member changes; with the last one the round is judged. */
export function applyReview(before: Loop, event: Reviewed, at: string): Loop {
  const loop = answered(before, event);
  const { current } = loop;
  if (current === null || current.action.do !== 'review') return loop;
  const reported = [...current.reported, event.member];
  if (current.action.sessions.some(({ member }) => !reported.includes(member))) return { ...loop, current: { ...current, reported } };
  return concludeRound({ ...loop, current: null }, at);
}

/** Closes the round under way if every seat is settled and enough answers count; otherwise the loop goes on as it is. */
export function concludeRound(loop: Loop, at: string): Loop {
  if (loop.head === null || loop.overBudget !== null || nextSessions(loop).length > 0) return loop;
  const judged = judgeRound(loop, loop.head, at);
  if (judged.kind === 'open') return waitingForSeats({ ...loop, seats: judged.seats });
  const { round, findings } = judged;
  const closed: Loop = {
    ...loop,
    seats: [],
    without: [],
    findings,
    rounds: [...loop.rounds.map((one) => (one.seats.length === 0 ? one : { ...one, seats: [] })), round],
    order: restsAfter(loop.order) && round.verdict !== 'approved' ? 'review-once' : null,
    approval: null,
    vetoed: false,
    finalVerdict: FINAL[round.verdict],
  };
  return round.verdict === 'approved' ? approvedBy(closed, round) : closed;
}

/** Whether a person asked for this review alone. */
function restsAfter(order: Loop['order']): boolean {
  return order === 'review-once' || order === 'review-and-rest';
}

const FINAL: Record<Verdict, FinalVerdict> = {
  approved: 'APPROVED',
  changes_requested: 'CHANGES_REQUESTED',
  needs_discussion: 'NEEDS_DISCUSSION',
};

/** A seat that nobody can take now, but that its member can take later, is waited for; what was tried in vain does not count. */
function waitingForSeats(loop: Loop): Loop {
  const [first] = lostSeats(loop)
    .flatMap(({ attempts }) => attempts.slice(-1))
    .filter(({ reason }) => isHindered(reason))
    .toSorted((a, b) => (a.until ?? '').localeCompare(b.until ?? ''));
  if (first === undefined || !isHindered(first.reason)) return loop;
  const waiting = waitFor(first.reason, { agent: first.agent, until: first.until ?? null, message: first.detail });
  const seats = loop.seats.map((seat) => ({ ...seat, attempts: seat.attempts.filter(({ reason }) => !isHindered(reason)) }));
  return { ...loop, seats, waiting };
}

function answered(loop: Loop, { member, agent, outcome, session }: Reviewed): Loop {
  if (loop.head === null) throw new Error('a review without a head');
  const seat = loop.seats.find((one) => one.member === member) ?? { member, attempts: [], answer: null };
  if (outcome.kind === 'no-verdict') return lostAttempt(loop, seat, { ...outcome, agent });
  const problem = answerProblem(loop, loop.head, outcome);
  if (problem !== null) return lostAttempt(loop, seat, { ...problem, agent, answer: outcome.answer });
  return withSeat(loop, { ...seat, answer: { agent, outcome, session } });
}

function lostAttempt(
  loop: Loop,
  seat: Seat,
  lost: Void & { readonly agent: string; readonly answer: string | null; readonly until?: string | null | undefined },
): Loop {
  const { agent, reason, detail, answer, until = null } = lost;
  if (reason === 'over-budget') return { ...loop, overBudget: detail };
  const tampered = reason === 'tampered' ? [...new Set([...loop.tampered, agent])] : loop.tampered;
  return withSeat({ ...loop, tampered }, { ...seat, attempts: [...seat.attempts, { agent, reason, detail, answer, until }] });
}
