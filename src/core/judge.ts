import { blockingIn, convergenceNotes } from './convergence.ts';
import type { Head, NoVerdict, ReviewOutcome } from './event.ts';
import { isClosed } from './finding.ts';
import type { Finding, RaisedFinding } from './finding.ts';
import type { Answer, Loop, MemberReview, Round, Seat } from './loop.ts';
import { mergeFindings } from './merge-findings.ts';
import type { Merged } from './merge-findings.ts';
import { countedMembers, lostSeats, seatsOf } from './panel.ts';
import { proofProblem } from './proof.ts';
import type { Proof } from './proof.ts';
import type { ReviewReading, Verdict } from './review.ts';
import { heldOf } from './round.ts';
import { counted } from './words.ts';

type ReviewTaken = Extract<ReviewOutcome, { kind: 'review' }>;

/** Nothing that counts, and why. */
export type Void = { readonly kind: 'no-verdict'; readonly reason: NoVerdict; readonly detail: string };

type Computed = { readonly kind: 'verdict'; readonly verdict: Verdict; readonly why: string } | Void;

/** Whether the answer of one member counts at all; null if it does. Its place in the round is settled with those of the others. */
export function answerProblem(loop: Loop, head: Head, taken: ReviewTaken): Void | null {
  const problem = proofProblem(taken.proof, head);
  if (problem !== null) return { kind: 'no-verdict', ...problem };
  const answer: Answer = { agent: taken.proof.agent, outcome: taken, session: null };
  const { merged, own } = merge(loop, head, [answer]);
  const computed = computeVerdict(taken.reading, { raised: own[0] ?? [], blocking: blockingIn({ ...loop, findings: merged.findings }) });
  return computed.kind === 'no-verdict' ? computed : null;
}

/** A round with its findings; or, where too few answers count, the seats as they are then. */
export type RoundJudgement =
  | { readonly kind: 'round'; readonly round: Round; readonly findings: readonly Finding[] }
  | { readonly kind: 'open'; readonly seats: readonly Seat[] };

/** What a round comes to once every seat is settled. */
export function judgeRound(loop: Loop, head: Head, at: string): RoundJudgement {
  const answered = seatsOf(loop).flatMap((seat) => (seat.answer === null ? [] : [{ ...seat, answer: seat.answer }]));
  const { merged, own } = merge(
    loop,
    head,
    answered.map(({ answer }) => answer),
  );
  const reviews = answered.map(({ member, answer }, index) => memberReview(member, answer, own[index] ?? []));
  const blocking = blockingIn({ ...loop, findings: merged.findings });
  const judged = judgePanel(loop, reviews, blocking);
  const [first, ...others] = judged.reviews;
  if (first === undefined || judged.verdict === null) {
    return { kind: 'open', seats: seatsOf(loop).map((seat) => withoutVoid(seat, reviews, blocking)) };
  }
  const number = loop.rounds.length + 1;
  const findingIds = [...new Set(merged.idOf.values())];
  const blockingIds = blocking.map((one) => one.id);
  const lost = lostSeats(loop).map(({ member, attempts }) => ({ member, attempts }));
  return {
    kind: 'round',
    findings: merged.findings,
    round: {
      round: number,
      at,
      head,
      verdict: judged.verdict,
      why: judged.why,
      notes: [
        ...convergenceNotes({ round: number, findings: merged.findings, raisedIds: findingIds, policy: loop.settings.policy }),
        ...lost.map((seat) => lostNote(number, seat)),
        ...fixedNotes(number, loop.findings, merged.findings),
      ],
      reviews: [first, ...others],
      lost,
      without: loop.without,
      seats: seatsOf(loop),
      findingIds,
      blockingIds,
      held: heldOf({ findingIds, blockingIds }, merged.findings),
      fix: null,
    },
  };
}

/** Whoever asked for a change hears that it counts as made, and may say that it is not. */
function fixedNotes(round: number, before: readonly Finding[], after: readonly Finding[]): readonly string[] {
  const open = new Set(before.filter((one) => one.source === 'person' && !isClosed(one)).map(({ id }) => id));
  return after
    .filter(({ id, status }) => status === 'fixed' && open.has(id))
    .map(
      ({ id, raisedBy }) => `Round ${round}: ${id} of ${raisedBy.join(', ')} counts as fixed; volley finding ${id} reopen brings it back.`,
    );
}

/** A seat without an answer that comes to nothing beside those of the others; it is tried again like any other. */
export function withoutVoid(seat: Seat, reviews: readonly MemberReview[], blocking: readonly Finding[]): Seat {
  const review = reviews.find(({ member }) => member === seat.member);
  if (seat.answer === null || review === undefined) return seat;
  const computed = computeVerdict(review.reading, { raised: review.findingIds, blocking });
  if (computed.kind === 'verdict') return seat;
  const { agent, outcome } = seat.answer;
  const attempt = { agent, reason: computed.reason, detail: computed.detail, answer: outcome.answer };
  return { ...seat, attempts: [...seat.attempts, attempt], answer: null };
}

/** The verdict of a panel; null where its quorum is not reached. It never outvotes a finding. */
export function judgePanel(
  loop: Loop,
  given: readonly MemberReview[],
  blocking: readonly Finding[],
): { readonly verdict: Verdict | null; readonly why: string; readonly reviews: readonly MemberReview[] } {
  const judged = given.map((review) => ({ review, computed: computeVerdict(review.reading, { raised: review.findingIds, blocking }) }));
  const reviews = judged.map(({ review, computed }) => ({ ...review, stance: stanceOf(review, computed, blocking) }));
  const asking = judged.find(({ computed }) => computed.kind === 'verdict' && computed.verdict === 'needs_discussion');
  if (asking !== undefined) {
    return { verdict: 'needs_discussion', why: `${nameIn(reviews, asking.review)} asks for a discussion`, reviews };
  }
  if (blocking.length > 0) return { verdict: 'changes_requested', why: blockingWhy(reviews, blocking), reviews };
  const members = countedMembers(loop);
  const approving = judged.filter(({ review, computed }) => members.includes(review.member) && isApproval(computed));
  const needed = { all: members.length, majority: Math.floor(members.length / 2) + 1, any: 1 }[loop.settings.policy.quorum];
  if (approving.length === 0 || approving.length < needed) return { verdict: null, why: 'too few reviewers gave a valid answer', reviews };
  return {
    verdict: 'approved',
    why: approvalWhy(
      approving.map(({ computed }) => computed),
      { members: members.length },
    ),
    reviews,
  };
}

function merge(
  loop: Loop,
  head: Head,
  answers: readonly Answer[],
): { readonly merged: Merged; readonly own: readonly (readonly string[])[] } {
  const raised = answers.map(({ outcome }) => [...outcome.raised, ...intentFinding(outcome.reading, outcome.proof)]);
  const proof = answers[0]?.outcome.proof;
  const merged = mergeFindings(loop, {
    head: head.commit,
    raised: raised.flat(),
    deltas: answers[0]?.outcome.deltas ?? [],
    memories: answers.flatMap(({ outcome }) => outcome.memories),
    files: proof === undefined ? [] : [...proof.filesDelivered, ...proof.filesNamed, ...proof.filesMissing],
  });
  // What the engine found beside them is nobody's word.
  const idsOf = (some: readonly RaisedFinding[]): readonly string[] => [
    ...new Set(some.flatMap((one) => (one.source === 'engine' ? [] : (merged.idOf.get(one) ?? [])))),
  ];
  return { merged, own: raised.map(idsOf) };
}

function memberReview(member: string, { agent, outcome, session }: Answer, findingIds: readonly string[]): MemberReview {
  return { member, agent, stance: 'changes_requested', reading: outcome.reading, proof: outcome.proof, findingIds, session };
}

function stanceOf(review: MemberReview, computed: Computed, blocking: readonly Finding[]): Verdict {
  if (computed.kind === 'no-verdict') return 'changes_requested';
  const blocks = blocking.some(({ id }) => review.findingIds.includes(id));
  // What others raised, or what is still open from before, is not this member's word.
  return computed.verdict === 'changes_requested' && !blocks && review.reading.claim === 'approved' ? 'approved' : computed.verdict;
}

type Weighed = { readonly raised: readonly string[]; readonly blocking: readonly Finding[] };

/** The verdict of a reading once its findings are weighed; nothing else in the core decides what an answer comes to. */
export function computeVerdict(reading: ReviewReading, weighed: Weighed): Computed {
  if (reading.claim === 'needs_discussion') {
    return { kind: 'verdict', verdict: 'needs_discussion', why: 'the reviewer asks for a discussion' };
  }
  if (weighed.blocking.length > 0) return { kind: 'verdict', verdict: 'changes_requested', why: 'something blocks' };
  if (reading.claim === 'changes_requested') return clearedRejection(reading, weighed.raised.length);
  if (reading.claim === null) return { kind: 'no-verdict', reason: 'unreadable', detail: 'the answer has no verdict' };
  if (!reading.mayApprove) return { kind: 'no-verdict', reason: 'text-approval', detail: 'an approval in plain text counts for nothing' };
  return { kind: 'verdict', verdict: 'approved', why: NOTHING_BLOCKS };
}

/** The reason of an approval that needs no other. */
export const NOTHING_BLOCKS = 'nothing blocks';

/** A rejection whose findings do not block is an approval, but only where the channel may carry one. */
function clearedRejection(reading: ReviewReading, raisedCount: number): Computed {
  if (raisedCount === 0) return { kind: 'no-verdict', reason: 'no-finding', detail: 'the reviewer rejected the change and named nothing' };
  if (!reading.mayApprove)
    return { kind: 'no-verdict', reason: 'text-approval', detail: 'nothing it named blocks, and plain text cannot approve' };
  return { kind: 'verdict', verdict: 'approved', why: 'the reviewer claimed a rejection, but nothing it named blocks' };
}

function isApproval(computed: Computed): boolean {
  return computed.kind === 'verdict' && computed.verdict === 'approved';
}

function approvalWhy(approving: readonly Computed[], { members }: { readonly members: number }): string {
  const cleared = approving.find((one) => one.kind === 'verdict' && one.why !== NOTHING_BLOCKS);
  const why = cleared?.kind === 'verdict' ? cleared.why : NOTHING_BLOCKS;
  return members === 1 ? why : `${why}; ${approving.length} of ${members} reviewers approved`;
}

function blockingWhy(reviews: readonly MemberReview[], blocking: readonly Finding[]): string {
  const count = counted(blocking.length, 'blocking finding');
  const raised = new Set(reviews.flatMap(({ findingIds }) => findingIds));
  const silent = blocking.filter(({ id, source }) => source !== 'engine' && !raised.has(id)).length;
  const kept = silent > 0 ? ` (${silent} not raised again, but no change can have fixed it)` : '';
  const claimed = reviews.every(({ reading }) => reading.claim === 'approved');
  if (!claimed) return `${count}${kept}`;
  return `${count} although ${reviews.length === 1 ? 'the reviewer' : 'every reviewer'} claimed an approval${kept}`;
}

function nameIn(reviews: readonly MemberReview[], { agent }: MemberReview): string {
  return reviews.length === 1 ? 'the reviewer' : agent;
}

function lostNote(round: number, { member, attempts }: Pick<Seat, 'member' | 'attempts'>): string {
  return `Round ${round}: ${member} gave no answer that counts (${attempts.at(-1)?.detail ?? 'nobody took its seat'}).`;
}

function intentFinding(reading: ReviewReading, { agent, diffSha256 }: Proof): RaisedFinding[] {
  if (reading.intentSatisfied !== false) return [];
  return [
    {
      source: 'reviewer',
      severity: 'high',
      category: 'logic',
      tag: 'spec-intent-mismatch',
      file: null,
      line: null,
      lineEnd: null,
      place: 'unplaced',
      description: 'The change does not serve the intent of the task.',
      impact: reading.interpretedIntent === null ? null : `The intent as the reviewer reads it: ${reading.interpretedIntent}`,
      suggestion: null,
      patch: null,
      snippet: null,
      flags: [],
      raisedBy: [agent],
      codeHash: `change ${diffSha256}`,
    },
  ];
}
