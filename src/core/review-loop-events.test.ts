import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  append,
  author,
  committed,
  fix,
  loseReview,
  makeLoop,
  makeRaised,
  makeSettings,
  review,
  rule,
  step,
  tokenOf,
} from '../../test/support/loops.ts';
import type { Event } from './event.ts';
import type { Loop } from './loop.ts';
import { reviewLoopEvents } from './review-loop-events.ts';
import type { ReviewLoopEvent } from './review-loop-events.ts';

const ALONE = makeSettings({ policy: { maxRounds: 1 } });

function built(settings = makeSettings()): Loop {
  return author(makeLoop({ settings }), committed('1'));
}

/** What the step from one loop to the next means. */
function between(before: Loop, event: Event): readonly ReviewLoopEvent[] {
  return reviewLoopEvents(before, { seq: before.seq + 1, at: before.updatedAt, event }, append(before, event));
}

function namesOf(events: readonly ReviewLoopEvent[]): readonly string[] {
  return events.map(({ name }) => name.replace('review-loop:', ''));
}

type Payloads = { readonly [E in ReviewLoopEvent as E['name']]: E['payload'] };

function payloadOf<N extends keyof Payloads>(events: readonly ReviewLoopEvent[], name: N): Payloads[N] {
  const found = events.find((event) => event.name === name);
  if (found === undefined) throw new Error(`no ${name} among ${namesOf(events).join(', ')}`);
  return found.payload as Payloads[N];
}

/** The entry by which the last loop came about, told by who wrote it. */
function told(before: Loop, after: Loop, event: Event): readonly ReviewLoopEvent[] {
  return reviewLoopEvents(before, { seq: after.seq, at: after.updatedAt, event }, after);
}

function reviewedEvent(before: Loop): Event {
  return {
    type: 'reviewed',
    token: tokenOf(before),
    member: 'beta',
    agent: 'beta',
    outcome: { kind: 'no-verdict', reason: 'empty', detail: '', answer: null },
    session: null,
  };
}

test('a loop that begins changes from nothing', () => {
  const loop = makeLoop();
  const { task, settings, base, start, branch, id, uid } = loop;
  const event: Event = { type: 'created', id, uid, task, settings, base, start, branch, by: 'P', notes: [] };
  assert.deepEqual(reviewLoopEvents(null, { seq: 1, at: loop.createdAt, event }, loop), []);
});

test('a state that changes is told with where the loop stands now', () => {
  const queued = makeLoop();
  const started = step(queued);
  const action = started.current?.action;
  assert.ok(action);
  const { previousState, newState, session } = payloadOf(between(queued, { type: 'started', action }), 'review-loop:state-changed');
  assert.deepEqual([previousState, newState, session.state], ['queued', 'implementing', 'implementing']);
});

test('the last answer of a round completes its review', () => {
  const reviewing = step(built());
  const after = review(reviewing, { raised: [makeRaised({ severity: 'critical' })] });
  const events = told(reviewing, after, { ...reviewedEvent(reviewing), outcome: { kind: 'review' } } as Event);
  assert.deepEqual(namesOf(events), ['review-completed', 'state-changed']);
  assert.partialDeepStrictEqual(payloadOf(events, 'review-loop:review-completed'), {
    featureId: '29',
    result: { verdict: 'critical_issues', iteration: 1 },
  });
});

test('a ruling that changes the verdict completes the review anew', () => {
  const rejected = step(review(built(makeSettings({ autoIterate: false })), { raised: [makeRaised()] }));
  assert.equal(rejected.state, 'self_review_failed');
  const events = told(rejected, rule(rejected, '29.1', 'refute'), {
    type: 'ruled',
    findingId: '29.1',
    ruling: 'refute',
    by: 'P',
    reason: null,
  });
  assert.equal(payloadOf(events, 'review-loop:review-completed').result.verdict, 'pass');
});

test('a ruling after which less blocks completes the review anew', () => {
  const raised = [makeRaised({ severity: 'critical' }), makeRaised({ line: 30, description: 'The name is never checked.' })];
  const rejected = step(review(built(makeSettings({ autoIterate: false })), { raised }));
  const event: Event = { type: 'ruled', findingId: '29.1', ruling: 'refute', by: 'P', reason: null };
  assert.partialDeepStrictEqual(payloadOf(between(rejected, event), 'review-loop:review-completed').result, {
    verdict: 'needs_work',
    summary: '1 blocking finding.',
  });
});

test('a fix that is in completes the refinement; one that failed is an error of its stage', () => {
  const fixing = step(review(built(), { raised: [makeRaised()] }));
  const resolutions = [{ findingId: '29.1', status: 'fixed' as const, note: '', places: [] }];
  const common = { type: 'fixed' as const, token: tokenOf(fixing), summary: 'mended', resolutions, strayed: [], session: null };
  const done = between(fixing, { ...common, outcome: committed('2') });
  assert.deepEqual(payloadOf(done, 'review-loop:refinement-completed').result, {
    addressedIssueIds: ['29.1'],
    unaddressedIssueIds: [],
    newIssuesIntroduced: [],
    notes: 'mended',
  });
  const failed = between(fixing, {
    ...common,
    outcome: { kind: 'failed', reason: 'agent-failed', message: 'it exited with code 1', partial: null },
  });
  assert.ok(!namesOf(failed).includes('refinement-completed'));
  assert.deepEqual(payloadOf(failed, 'review-loop:error'), {
    featureId: '29',
    error: 'Fixer alpha failed: it exited with code 1.',
    stage: 'refining',
  });
});

test('what a fixer did beside its work is introduced by it at once', () => {
  const fixing = step(review(built(), { raised: [makeRaised()] }));
  const strayed = [makeRaised({ source: 'engine', tag: 'stray-edit', file: 'c.ts', description: 'It edited c.ts.' })];
  const event: Event = {
    type: 'fixed',
    token: tokenOf(fixing),
    outcome: committed('2'),
    summary: null,
    resolutions: [],
    strayed,
    session: null,
  };
  const { result } = payloadOf(between(fixing, event), 'review-loop:refinement-completed');
  assert.deepEqual(
    result.newIssuesIntroduced.map(({ description }) => description),
    ['It edited c.ts.'],
  );
});

test('an agent that has to wait is told of with what it waits for', () => {
  const reviewing = step(built());
  const outcome = { kind: 'no-verdict' as const, reason: 'logged-out' as const, detail: 'It is not logged in', answer: null };
  const { error, stage } = payloadOf(between(reviewing, { ...reviewedEvent(reviewing), outcome } as Event), 'review-loop:error');
  assert.equal(error, 'Reviewer beta gave no verdict: It is not logged in. Next: volley login command && volley work 29');
  assert.equal(stage, 'self_reviewing');
});

test('an agent that is limited is told of with when it goes on', () => {
  const reviewing = step(built());
  const until = '2026-01-29T12:00:00.000Z';
  const outcome = {
    kind: 'no-verdict' as const,
    reason: 'limited' as const,
    detail: 'the limit of the hour is reached',
    answer: null,
    until,
  };
  assert.equal(
    payloadOf(between(reviewing, { ...reviewedEvent(reviewing), outcome } as Event), 'review-loop:error').error,
    `Reviewer beta gave no verdict: the limit of the hour is reached. It goes on after ${until}.`,
  );
});

test('a session that somebody stopped did nothing wrong', () => {
  const reviewing = step(built());
  const outcome = { kind: 'no-verdict' as const, reason: 'cancelled' as const, detail: 'stopped', answer: null };
  assert.deepEqual(namesOf(between(reviewing, { ...reviewedEvent(reviewing), outcome } as Event)), ['state-changed']);
});

test('a loop that asks somebody to judge is ready for a person, with the command that answers', () => {
  const rejected = review(built(ALONE), { raised: [makeRaised()] });
  const asked = step(rejected);
  const why = asked.escalation?.why ?? '';
  const events = told(rejected, asked, { type: 'escalated', reason: 'max-rounds', why, versions: null });
  assert.deepEqual(namesOf(events), ['state-changed', 'ready-for-human']);
  assert.deepEqual(payloadOf(events, 'review-loop:ready-for-human'), {
    featureId: '29',
    prUrl: '',
    summary: 'After 1 review round 1 blocking finding remains, 29.1: The greeting is empty. Next: volley decide 29 one-more-round',
  });
});

test('a loop that asks because a stage broke is an error, and is not ready', () => {
  const lost = loseReview(loseReview(built(), 'empty'), 'empty');
  const asked = step(lost);
  const events = told(lost, asked, { type: 'escalated', reason: 'no-verdict', why: asked.escalation?.why ?? '', versions: null });
  assert.deepEqual(namesOf(events), ['state-changed', 'error']);
  assert.match(payloadOf(events, 'review-loop:error').error, /^No reviewer gave a verdict .*\. Next: volley decide 29 retry$/);
});

test('a loop that broke is an error of the stage that it was in', () => {
  const reviewing = step(built());
  const events = between(reviewing, { type: 'failed', message: 'the repository is gone', stack: null });
  assert.deepEqual(namesOf(events), ['state-changed', 'error']);
  assert.deepEqual(payloadOf(events, 'review-loop:error'), {
    featureId: '29',
    error: 'The repository is gone. Next: volley retry 29',
    stage: 'self_reviewing',
  });
});

test('marked ready, a loop is ready for a person once', () => {
  const rejected = step(review(built(makeSettings({ autoIterate: false })), { raised: [makeRaised()] }));
  const event: Event = { type: 'overridden', override: 'ready', by: 'P', reason: 'it will do', verdict: null, review: false };
  const events = between(rejected, event);
  assert.equal(payloadOf(events, 'review-loop:ready-for-human').summary, 'Marked ready by P: it will do. Next: volley diff 29');
  const again = between(append(rejected, event), { type: 'commented', by: 'P', text: 'look', file: null, line: null, raised: null });
  assert.deepEqual(again, []);
});

test('what changes nothing means nothing', () => {
  const fixed = fix(review(built(), { raised: [makeRaised()] }), committed('2'));
  assert.deepEqual(between(fixed, { type: 'warned', about: 'branch', text: 'held' }), []);
});
