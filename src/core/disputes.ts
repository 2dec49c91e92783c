import { isBlocking } from './convergence.ts';
import type { Finding, FindingRuling } from './finding.ts';
import { computeVerdict, judgePanel } from './judge.ts';
import type { Loop, Round, Seat } from './loop.ts';
import type { Ruling } from './review.ts';
import { BUILTIN } from './settings.ts';

/** The disputes that wait for a ruling, and for whose; nobody is asked where none of them is about something that blocks. */
export function openDisputes(loop: Loop): { readonly forArbiter: readonly Finding[]; readonly forPerson: readonly Finding[] } {
  const disputed = loop.findings.filter((one) => one.status === 'disputed');
  const worth = (some: readonly Finding[]): readonly Finding[] => (some.some((one) => isBlocking(one, loop.settings.policy)) ? some : []);
  return { forArbiter: worth(disputed.filter((one) => !isForPerson(one))), forPerson: worth(disputed.filter(isForPerson)) };
}

/** Whether a dispute is for a person alone: security, a person's own finding, or one that was upheld before. */
function isForPerson(finding: Finding): boolean {
  return finding.category === 'security' || finding.source === 'person' || finding.ruling?.ruling === 'upheld';
}

/** Who rules on disputes: the configured arbiter, else an agent other than the fixer's, else the reviewer's in a fresh session. */
export function arbiterOf(loop: Loop): string | null {
  if (loop.roles.arbiter !== null) return loop.roles.arbiter;
  const able = Object.values(loop.settings.agents)
    .filter(({ driver }) => driver !== BUILTIN)
    .map(({ name }) => name);
  const { fixer, reviewer, author, fallback } = loop.roles;
  const known = [...fallback, ...reviewer, ...(author === null ? [] : [author])].filter((name) => able.includes(name) && name !== fixer);
  const neither = known.find((name) => !reviewer.includes(name));
  return neither ?? known[0] ?? reviewer.find((name) => able.includes(name)) ?? null;
}

/** The loop after an arbiter ruled; what it did not clearly refute stands. */
export function withRulings(loop: Loop, rulings: readonly Ruling[], by: string): Loop {
  const findings = loop.findings.map((one): Finding => {
    if (one.status !== 'disputed' || isForPerson(one)) return one;
    const said = rulings.find(({ findingId }) => findingId === one.id);
    const refuted = said?.ruling === 'refuted';
    return ruledOn(one, {
      ruling: refuted ? 'refuted' : 'upheld',
      by,
      person: false,
      note: said?.note ?? 'the arbiter said nothing about it',
      from: null,
      remembered: refuted,
    });
  });
  return settleAgain({ ...loop, findings, arbiter: { failures: 0 } });
}

/** A finding after a ruling. */
export function ruledOn(finding: Finding, ruling: FindingRuling): Finding {
  switch (ruling.ruling) {
    case 'refuted':
      return { ...finding, status: 'refuted', ruling };
    case 'accepted':
      return { ...finding, status: 'accepted', ruling };
    case 'upheld':
      return { ...finding, status: 'persisting', ruling, resolution: null };
    case 'reopened':
      return { ...finding, status: 'reopened', ruling, resolution: null };
  }
}

/** Computes the verdict of the last round again, after rulings, where the code is still what was reviewed; otherwise the next review does. */
export function settleAgain(loop: Loop): Loop {
  const last = loop.rounds.at(-1);
  if (last === undefined || last.head.tree !== loop.head?.tree) return loop;
  const blocking = loop.findings.filter((one) => isBlocking(one, loop.settings.policy));
  const blockingIds = blocking.map(({ id }) => id);
  if (blocking.length > 0) {
    const verdict = last.verdict === 'approved' ? 'changes_requested' : last.verdict;
    return withLastRound(
      { ...loop, approval: loop.approval?.by === 'review' ? null : loop.approval },
      { ...last, verdict, fix: null, blockingIds },
    );
  }
  const judged = judgePanel({ ...loop, without: last.without }, last.reviews, blocking);
  if (judged.verdict === null || last.head.commit !== loop.head.commit) return takenAgain(loop, last);
  const round: Round = { ...last, verdict: judged.verdict, why: 'what blocked was refuted or accepted', blockingIds };
  const settled = withLastRound(loop, round);
  return judged.verdict === 'approved' && loop.approval?.by !== 'person' ? approvedBy(settled, round) : settled;
}

/**
 * A channel that may not approve does not do so because of a ruling, nor does a proof of another commit: the round is open again.
 * Answers that count are kept, and what was tried stays tried, so that this comes to an end.
 */
function takenAgain(loop: Loop, last: Round): Loop {
  const open: Loop = { ...loop, rounds: loop.rounds.slice(0, -1), seats: [], without: [] };
  if (last.head.commit !== loop.head?.commit) return open;
  return { ...open, seats: last.seats.map((seat) => withoutText(seat, last)), without: last.without };
}

function withoutText(seat: Seat, { reviews }: Round): Seat {
  const review = reviews.find(({ member }) => member === seat.member);
  if (seat.answer === null || review === undefined) return seat;
  const computed = computeVerdict(review.reading, { raised: review.findingIds, blocking: [] });
  if (computed.kind === 'verdict') return seat;
  const { agent, outcome } = seat.answer;
  const attempt = { agent, reason: computed.reason, detail: computed.detail, answer: outcome.answer };
  return { ...seat, attempts: [...seat.attempts, attempt], answer: null };
}

/** The loop with the approval that a round's reviews carry. */
export function approvedBy(loop: Loop, round: Round): Loop {
  const proofs = round.reviews.map(({ proof }) => proof);
  const approving = round.reviews.find(({ stance }) => stance === 'approved') ?? round.reviews[0];
  return { ...loop, approval: { by: 'review', round: round.round, proof: approving.proof, proofs }, finalVerdict: 'APPROVED' };
}

/** The loop with its last round replaced. */
export function withLastRound(loop: Loop, round: Round): Loop {
  return { ...loop, rounds: [...loop.rounds.slice(0, -1), round] };
}
