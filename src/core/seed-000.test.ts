import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  append,
  author,
  committed,
  loseReview,
  makeLoop,
  makeRaised,
  makeSession,
  makeSettings,
  makeTask,
  review,
  reviewOutcome,
  step,
  tokenOf,
} from '../../test/support/loops.ts';
import type { Event, Session } from './event.ts';
import type { Loop } from './loop.ts';
import { agentReview } from './seed-000.ts';

const usage = (costUsd: number): Session['usage'] => ({
  inputTokens: 1,
  outputTokens: 1,
  costUsd,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
});

function spent(agent: string, role: Session['role'], costUsd: number): Session {
  return makeSession(agent, {
    role,
    usage: usage(costUsd),
    costBasis: 'reported',
    transcript: `.volley/transcripts/task-29-${role}-${costUsd}.log`,
  });
}

function authored(settings = makeSettings()): Loop {
  const started = step(makeLoop({ settings }));
  const session = spent('alpha', 'author', 5);
  return append(started, {
    type: 'authored',
    token: tokenOf(started),
    outcome: committed('1'),
    summary: null,
    taskComplete: true,
    session,
  });
}

function reviewed(loop: Loop, costUsd: number, raised = [makeRaised()]): Loop {
  const started = step(loop);
  const outcome = reviewOutcome(started, 'beta', { raised });
  return append(started, {
    type: 'reviewed',
    token: tokenOf(started),
    member: 'beta',
    agent: 'beta',
    outcome,
    session: spent('beta', 'reviewer', costUsd),
  });
}

function lost(loop: Loop, costUsd: number): Loop {
  const started = step(loop);
  const outcome: Extract<Event, { type: 'reviewed' }>['outcome'] = { kind: 'no-verdict', reason: 'empty', detail: '', answer: null };
  return append(started, {
    type: 'reviewed',
    token: tokenOf(started),
    member: 'beta',
    agent: 'beta',
    outcome,
    session: spent('beta', 'reviewer', costUsd),
  });
}

function mended(loop: Loop, costUsd: number): Loop {
  const started = step(loop);
  const session = spent('alpha', 'fixer', costUsd);
  return append(started, {
    type: 'fixed',
    token: tokenOf(started),
    outcome: committed('2'),
    summary: 'checked the name',
    resolutions: [],
    strayed: [],
    session,
  });
}

test('a review has its rounds with what each of them cost, lost attempts included, and the total with the author', () => {
  const settings = makeSettings({ policy: { ceilingUsd: { loop: 10, run: null, day: null } } });
  const first = mended(reviewed(lost(authored(settings), 0.25), 0.5), 1);
  const loop = reviewed(first, 0.125, []);
  const { rounds, totalCost, costCeiling, status, authorSessionId, reviewerSessionId, maxRounds, autoIterate } = agentReview(loop);
  assert.deepEqual(
    rounds.map(({ roundNumber, cost, authorResponse }) => ({ roundNumber, cost, authorResponse })),
    [
      { roundNumber: 1, cost: 1.75, authorResponse: 'checked the name' },
      { roundNumber: 2, cost: 0.125, authorResponse: null },
    ],
  );
  assert.equal(totalCost, 6.875);
  assert.equal(costCeiling, 10);
  assert.equal(status, 'approved');
  assert.equal(authorSessionId, 'task-29-fixer-1');
  assert.equal(reviewerSessionId, 'task-29-reviewer-0.125');
  assert.equal(maxRounds, 3);
  assert.equal(autoIterate, true);
});

test("a comment has seed 000's severities", () => {
  const severities = ['critical', 'high', 'medium', 'low', 'suggestion'] as const;
  const raised = severities.map((severity, index) =>
    makeRaised({ severity, line: 10 * (index + 1), description: `Thing number ${severity}.` }),
  );
  const [round] = agentReview(reviewed(authored(), 1, raised)).rounds;
  assert.deepEqual(
    round?.reviewComments.map(({ severity }) => severity),
    ['error', 'error', 'warning', 'suggestion', 'suggestion'],
  );
});

test('nobody wrote what a person committed, and nobody reviewed what is queued', () => {
  const task = makeTask({ kind: 'review', source: { kind: 'working-tree' } });
  const { authorSessionId, reviewerSessionId, diffSource, autoIterate } = agentReview(makeLoop({ task }));
  assert.deepEqual([authorSessionId, reviewerSessionId, diffSource, autoIterate], ['', '', 'working-tree', false]);
});

test('where it stands is told in five words', () => {
  const built = author(makeLoop(), committed('1'));
  const rejected = review(built, { raised: [makeRaised()] });
  const broken = step(loseReview(loseReview(built, 'empty'), 'empty'));
  const stuck = step(
    review(author(makeLoop({ settings: makeSettings({ policy: { maxRounds: 1 } }) }), committed('1')), { raised: [makeRaised()] }),
  );
  const unreviewed = step(author(makeLoop({ settings: makeSettings({ autoReview: false }) }), committed('1')));
  const over = (override: 'cancel' | 'takeover' | 'skip'): Loop =>
    append(rejected, { type: 'overridden', override, by: 'P', reason: null, verdict: null, review: false });
  const words: [Loop, string, string][] = [
    [makeLoop(), 'queued', 'pending'],
    [step(makeLoop()), 'implementing', 'in-progress'],
    [unreviewed, 'pending_self_review', 'pending'],
    [step(built), 'self_reviewing', 'in-progress'],
    [rejected, 'self_review_failed', 'changes-requested'],
    [step(rejected), 'refining', 'in-progress'],
    [step(review(built)), 'approved', 'approved'],
    [broken, 'needs_human', 'error'],
    [stuck, 'needs_human', 'changes-requested'],
    [over('cancel'), 'cancelled', 'error'],
    [over('takeover'), 'blocked', 'in-progress'],
    [step(over('skip')), 'ready_for_human_review', 'changes-requested'],
    [append(step(built), { type: 'failed', message: 'gone', stack: null }), 'failed', 'error'],
  ];
  for (const [loop, state, status] of words) {
    assert.equal(loop.state, state);
    assert.equal(agentReview(loop).status, status, state);
  }
});
