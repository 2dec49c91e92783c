import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, author, committed, dispute, fix, loseReview, makeLoop, makeRaised, review, step } from '../../test/support/loops.ts';
import type { Loop } from './loop.ts';
import { agentReview } from './seed-000.ts';
import { refinementResult, reviewLoopSession, reviewResult } from './seed-002.ts';
import type { RefinementResult, ReviewResult } from './seed-002.ts';

const AT = '2026-01-29T10:00:00.000Z';

function built(): Loop {
  return author(makeLoop(), committed('1'));
}

function resultOf(loop: Loop, round = 1): ReviewResult {
  const found = loop.rounds.find((one) => one.round === round);
  if (found === undefined) throw new Error(`no round ${round}`);
  return reviewResult(found);
}

function refinementOf(loop: Loop, round = 1): RefinementResult | null {
  const found = loop.rounds.find((one) => one.round === round);
  return found === undefined ? null : refinementResult(loop, found);
}

test('an approved round is a pass, also beside findings that do not block', () => {
  const loop = review(built(), { raised: [makeRaised({ severity: 'low' })], reading: { summary: 'Fine.' } });
  assert.deepEqual(resultOf(loop), {
    verdict: 'pass',
    issues: [
      { id: '29.1', severity: 'low', category: 'logic', file: 'a.ts', lineStart: 3, lineEnd: 3, description: 'The greeting is empty.' },
    ],
    summary: 'The reviewer claimed a rejection, but nothing it named blocks. Fine.',
    iteration: 1,
    timestamp: AT,
  });
});

test('changes requested are work, and critical issues where one that blocks is critical', () => {
  assert.equal(resultOf(review(built(), { raised: [makeRaised()] })).verdict, 'needs_work');
  assert.equal(
    resultOf(review(built(), { raised: [makeRaised(), makeRaised({ severity: 'critical', line: 9 })] })).verdict,
    'critical_issues',
  );
});

test('a need for a discussion never passes', () => {
  const loop = review(built(), { reading: { claim: 'needs_discussion', summary: 'Which of the two?' } });
  const { verdict, summary } = resultOf(loop);
  assert.equal(verdict, 'needs_work');
  assert.equal(summary, 'The reviewer asks for a discussion. Which of the two?');
});

test('an issue without a place or a suggestion leaves those fields out', () => {
  const loop = review(built(), { raised: [makeRaised({ file: null, line: null, place: 'unplaced' })] });
  assert.deepEqual(Object.keys(resultOf(loop).issues[0] ?? {}), ['id', 'severity', 'category', 'description']);
});

test('a round holds what it did not raise again but found still open', () => {
  const once = fix(review(built(), { raised: [makeRaised()] }), committed('2'));
  const twice = review(once, { raised: [makeRaised({ file: 'b.ts', description: 'Another thing entirely.' })], changed: { 'b.ts': [3] } });
  assert.deepEqual(
    resultOf(twice, 2).issues.map(({ id }) => id),
    ['29.1', '29.2'],
  );
});

/** Three rounds that raise one thing, each in its own words and as grave as it thinks. */
function raisedThreeTimes(): Loop {
  const words = ['The greeting is empty.', 'The greeting is still empty.', 'The greeting is always empty.'];
  const severities = ['medium', 'critical', 'high'] as const;
  return words.reduce((loop, description, index) => {
    const raised = [makeRaised({ description, severity: severities[index] ?? 'high', line: 3 + index })];
    const next = review(loop, { raised, changed: { 'a.ts': [3] } });
    return index === words.length - 1 ? next : fix(next, committed(String(index + 2)));
  }, built());
}

test('what later rounds said changes nothing of what a round said', () => {
  const loop = raisedThreeTimes();
  assert.equal(loop.findings.length, 1);
  const { iterations } = reviewLoopSession(loop);
  assert.deepEqual(
    iterations.map(({ verdict, issues }) => [
      verdict,
      ...issues.map(({ description, severity, lineStart }) => [description, severity, lineStart]),
    ]),
    [
      ['needs_work', ['The greeting is empty.', 'medium', 3]],
      ['critical_issues', ['The greeting is still empty.', 'critical', 4]],
      ['needs_work', ['The greeting is always empty.', 'high', 5]],
    ],
  );
  assert.deepEqual(
    agentReview(loop).rounds.map(({ reviewComments }) => reviewComments.map(({ comment, severity, line }) => [comment, severity, line])),
    [
      [['The greeting is empty.', 'warning', 3]],
      [['The greeting is still empty.', 'error', 4]],
      [['The greeting is always empty.', 'error', 5]],
    ],
  );
});

test('a session tells the round that is under way, and the end only of what is over', () => {
  const begun = makeLoop();
  assert.deepEqual(reviewLoopSession(begun), {
    featureId: '29',
    state: 'queued',
    iterations: [],
    currentIteration: 0,
    startedAt: AT,
    lastUpdatedAt: AT,
  });
  const reviewing = step(built());
  assert.partialDeepStrictEqual(reviewLoopSession(reviewing), { state: 'self_reviewing', currentIteration: 1 });
  const fixing = step(review(reviewing, { raised: [makeRaised()] }));
  assert.partialDeepStrictEqual(reviewLoopSession(fixing), { state: 'refining', currentIteration: 1 });
  assert.equal(reviewLoopSession(step(fix(fixing, committed('2')))).currentIteration, 2);
  const asking = step(loseReview(loseReview(built(), 'empty'), 'empty'));
  assert.equal(asking.state, 'needs_human');
  assert.equal(reviewLoopSession(asking).completedAt, undefined);
  assert.equal(reviewLoopSession(step(review(built()))).completedAt, AT);
});

test('what happens after the end does not move it', () => {
  const approved = step(review(built()));
  const later = {
    ...append(approved, { type: 'landed', onto: 'main', commit: 'commit-1', by: 'P' }),
    updatedAt: '2027-01-01T00:00:00.000Z',
  };
  assert.partialDeepStrictEqual(reviewLoopSession(later), { completedAt: AT, lastUpdatedAt: '2027-01-01T00:00:00.000Z' });
});

test('a fix addresses what its fixer says is fixed, until the next review knows better', () => {
  const blocked = review(built(), { raised: [makeRaised(), makeRaised({ line: 30, description: 'The name is never checked.' })] });
  assert.equal(refinementOf(blocked), null);
  const said = (['29.1', '29.2'] as const).map((findingId) => ({ findingId, status: 'fixed' as const, note: '', places: [] }));
  const mended = fix(blocked, committed('2'), said);
  assert.deepEqual(refinementOf(mended), {
    addressedIssueIds: ['29.1', '29.2'],
    unaddressedIssueIds: [],
    newIssuesIntroduced: [],
    notes: 'mended',
  });
  const again = review(mended, { raised: [makeRaised()], changed: { 'a.ts': [3, 30] } });
  assert.partialDeepStrictEqual(refinementOf(again), { addressedIssueIds: ['29.2'], unaddressedIssueIds: ['29.1'] });
});

test('what a fix brought in belongs to it once the next review has raised it', () => {
  const mended = fix(review(built(), { raised: [makeRaised()] }), committed('2'));
  const raised = [makeRaised({ file: 'a.ts', line: 50, category: 'testing', description: 'The new branch is not tested.' })];
  const next = review(mended, { raised, changed: { 'a.ts': [3, 50] } });
  assert.deepEqual(
    refinementOf(next)?.newIssuesIntroduced.map(({ id }) => id),
    ['29.2'],
  );
});

test('a dispute addresses nothing, and the notes say why', () => {
  const disputed = dispute(review(built(), { raised: [makeRaised()] }), ['29.1'], '2');
  assert.deepEqual(refinementOf(disputed), {
    addressedIssueIds: [],
    unaddressedIssueIds: ['29.1'],
    newIssuesIntroduced: [],
    notes: 'mended\n29.1 is disputed: line 3 is never empty',
  });
});
