import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ableDraws, disturb, disturbances, loops } from '../../test/support/random-loops.ts';
import type * as Seed000 from '../../test/support/seed-000-types.ts';
import type * as Seed002 from '../../test/support/seed-002-types.ts';
import { applyEvent } from './apply.ts';
import type { Loop } from './loop.ts';
import { MOST_EVENTS, ReviewLoopEvent, reviewLoopEvents } from './review-loop-events.ts';
import { AgentReview, agentReview } from './seed-000.ts';
import type { AgentReviewRound } from './seed-000.ts';
import type * as Feedback from './seed-002-feedback.ts';
import { RefinementResult, refinementResult, ReviewLoopSession, reviewLoopSession, ReviewLoopState } from './seed-002.ts';
import type * as Ours from './seed-002.ts';

/** True where each of two types can stand for the other, so that neither has a field or a word more. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Part<A, B> = [A] extends [B] ? true : false;
type Payload<N extends keyof Seed002.ReviewLoopEvents> = Extract<ReviewLoopEvent, { name: N }>['payload'];
/** With our states in the place of seed 002's, of which they are more. */
type OurState<T> = { [K in keyof T]: T[K] extends Seed002.ReviewLoopState ? ReviewLoopState : T[K] };
type OurSession = OurState<Seed002.ReviewLoopSession>;
type OurChange = OurState<Omit<Seed002.ReviewLoopEvents['review-loop:state-changed'], 'session'>> & { session: OurSession };

/** The compiler refuses this file where one of them is false. */
const CONFORMING = {
  ReviewVerdict: true satisfies Same<Ours.ReviewVerdict, Seed002.ReviewVerdict>,
  ReviewIssue: true satisfies Same<Ours.ReviewIssue, Seed002.ReviewIssue>,
  ReviewResult: true satisfies Same<Ours.ReviewResult, Seed002.ReviewResult>,
  ReviewLoopConfig: true satisfies Same<Ours.ReviewLoopConfig, Seed002.ReviewLoopConfig>,
  RefinementResult: true satisfies Same<Ours.RefinementResult, Seed002.RefinementResult>,
  ReviewLoopState: true satisfies Part<Seed002.ReviewLoopState, Ours.ReviewLoopState>,
  ReviewLoopSession: true satisfies Same<Ours.ReviewLoopSession, OurSession>,
  PRFeedback: true satisfies Same<Feedback.PRFeedback, Seed002.PRFeedback>,
  PRComment: true satisfies Same<Feedback.PRComment, Seed002.PRComment>,
  PRReview: true satisfies Same<Feedback.PRReview, Seed002.PRReview>,
  AnalyzedFeedback: true satisfies Same<Feedback.AnalyzedFeedback, Seed002.AnalyzedFeedback>,
  names: true satisfies Same<ReviewLoopEvent['name'], keyof Seed002.ReviewLoopEvents>,
  'state-changed': true satisfies Same<Payload<'review-loop:state-changed'>, OurChange>,
  'review-completed': true satisfies Same<
    Payload<'review-loop:review-completed'>,
    Seed002.ReviewLoopEvents['review-loop:review-completed']
  >,
  'refinement-completed': true satisfies Same<
    Payload<'review-loop:refinement-completed'>,
    Seed002.ReviewLoopEvents['review-loop:refinement-completed']
  >,
  'pr-feedback-received': true satisfies Same<
    Payload<'review-loop:pr-feedback-received'>,
    Seed002.ReviewLoopEvents['review-loop:pr-feedback-received']
  >,
  'ready-for-human': true satisfies Same<Payload<'review-loop:ready-for-human'>, Seed002.ReviewLoopEvents['review-loop:ready-for-human']>,
  error: true satisfies Same<Payload<'review-loop:error'>, OurState<Seed002.ReviewLoopEvents['review-loop:error']>>,
  AgentReview: true satisfies Same<AgentReview, Seed000.AgentReview>,
  AgentReviewRound: true satisfies Same<AgentReviewRound, Seed000.AgentReviewRound>,
};

test('our schemas are the types of the seeds, with no field more or less', () => {
  assert.ok(Object.values(CONFORMING).every(Boolean));
});

test('seed 002 knows eleven states, and all of them are ours', () => {
  const seed: readonly Seed002.ReviewLoopState[] = [
    'pending_self_review',
    'self_reviewing',
    'self_review_passed',
    'self_review_failed',
    'refining',
    'pr_created',
    'awaiting_pr_feedback',
    'addressing_feedback',
    'ready_for_human_review',
    'approved',
    'merged',
  ];
  for (const state of seed) assert.equal(ReviewLoopState.parse(state), state);
});

test('whatever happened to a loop, it fits the types of the seeds to the letter', () => {
  const states = new Set<string>();
  const statuses = new Set<string>();
  fc.assert(
    fc.property(loops, ableDraws, disturbances, (start, draws, acted) => {
      for (const loop of disturb(start, draws, acted).loops) {
        const session = reviewLoopSession(loop);
        const review = agentReview(loop);
        states.add(session.state);
        statuses.add(review.status);
        assert.deepEqual(ReviewLoopSession.parse(session), session);
        assert.deepEqual(AgentReview.parse(review), review);
        assert.equal(session.state, loop.state);
        assert.equal(session.iterations.length, loop.rounds.length);
        if (review.status === 'approved') assert.notEqual(loop.approval, null);
        if (loop.state === 'approved') assert.equal(review.status, 'approved');
        if (loop.approval?.by === 'review') assert.equal(session.iterations.at(-1)?.verdict, 'pass');
        for (const round of loop.rounds) {
          const refinement = refinementResult(loop, round);
          if (refinement === null) continue;
          assert.deepEqual(RefinementResult.parse(refinement), refinement);
          const both = refinement.addressedIssueIds.filter((id) => refinement.unaddressedIssueIds.includes(id));
          assert.deepEqual(both, []);
        }
      }
    }),
    { numRuns: 600 },
  );
  for (const state of ['queued', 'self_reviewing', 'refining', 'approved', 'needs_human', 'blocked', 'cancelled', 'self_review_failed'])
    assert.ok(states.has(state), `no loop was ever ${state}`);
  assert.deepEqual([...statuses].toSorted(), ['approved', 'changes-requested', 'error', 'in-progress', 'pending']);
});

test('whatever happened to a loop, its events are few, fit seed 002, tell of every change, and are the same when it is read again', () => {
  const names = new Set<string>();
  fc.assert(
    fc.property(loops, ableDraws, disturbances, (start, draws, acted) => {
      const { loops: seen, journal } = disturb(start, draws, acted);
      const told = journal.map((entry, index) => reviewLoopEvents(at(seen, index), entry, at(seen, index + 1)));
      for (const [index, events] of told.entries()) {
        const [before, after] = [at(seen, index), at(seen, index + 1)];
        assert.ok(events.length <= MOST_EVENTS);
        for (const event of events) {
          names.add(event.name);
          assert.deepEqual(ReviewLoopEvent.parse(event), event);
          assert.equal(event.payload.featureId, '29');
        }
        const changed = events.filter(({ name }) => name === 'review-loop:state-changed');
        assert.equal(changed.length, before.state === after.state ? 0 : 1);
        const reviewed = events.filter(({ name }) => name === 'review-loop:review-completed');
        if (after.rounds.length > before.rounds.length) assert.equal(reviewed.length, 1);
      }
      let again = start;
      const replayed = journal.map((entry) => {
        const before = again;
        again = applyEvent(before, structuredClone(entry));
        return reviewLoopEvents(before, entry, again);
      });
      assert.deepEqual(replayed, told);
    }),
    { numRuns: 300 },
  );
  assert.deepEqual([...names].toSorted(), [
    'review-loop:error',
    'review-loop:ready-for-human',
    'review-loop:refinement-completed',
    'review-loop:review-completed',
    'review-loop:state-changed',
  ]);
});

test('whatever happened to a loop since, its history says of a round what was told of it last', () => {
  let rounds = 0;
  fc.assert(
    fc.property(loops, ableDraws, disturbances, (start, draws, acted) => {
      const { loops: seen, journal } = disturb(start, draws, acted);
      const told = new Map<number, Ours.ReviewResult>();
      for (const [index, entry] of journal.entries()) {
        const after = at(seen, index + 1);
        for (const { name, payload } of reviewLoopEvents(at(seen, index), entry, after))
          if (name === 'review-loop:review-completed') told.set(payload.result.iteration, payload.result);
        const { iterations } = reviewLoopSession(after);
        assert.deepEqual(
          iterations,
          iterations.map(({ iteration }) => told.get(iteration)),
        );
        rounds = Math.max(rounds, iterations.length);
      }
    }),
    { numRuns: 600 },
  );
  assert.ok(rounds > 2, 'no loop was reviewed so often that its past could change');
});

function at(seen: readonly Loop[], index: number): Loop {
  const loop = seen[index];
  if (loop === undefined) throw new Error(`no loop ${index}`);
  return loop;
}
