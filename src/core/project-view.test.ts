import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  append,
  author,
  committed,
  makeFinding,
  makeLoop,
  makePanel,
  makeSession,
  review,
  reviewOutcome,
  step,
  tokenOf,
} from '../../test/support/loops.ts';
import type { Loop } from './loop.ts';
import { loopView, MOST_SHOWN_FINDINGS, sessionViews } from './project-view.ts';

test('of very many findings those that block are shown, in the order of their numbers', () => {
  const loop = makeLoop();
  const minor = Array.from({ length: MOST_SHOWN_FINDINGS + 5 }, (_, index) => makeFinding(`1.${index + 1}`, { severity: 'suggestion' }));
  const grave = makeFinding(`1.${minor.length + 1}`, { severity: 'critical' });
  const view = loopView({ ...loop, findings: [...minor, grave] }, { driven: false, needsYou: false });
  assert.equal(view.findingCount, MOST_SHOWN_FINDINGS + 6);
  assert.equal(view.findings.length, MOST_SHOWN_FINDINGS);
  assert.equal(view.findings.at(-1)?.id, grave.id);
  assert.equal(view.findings[0]?.id, '1.1');
});

test('what to type is told of a loop that nobody drives, and of one at rest whose driver has not let go of it yet', () => {
  const next = (loop: Loop, driven: boolean): string | null => loopView(loop, { driven, needsYou: false }).next;
  const approved = step(review(author(makeLoop(), committed('1'))));
  assert.deepEqual([next(makeLoop(), false), next(makeLoop(), true)], ['volley work 29', null]);
  assert.deepEqual([next(approved, false), next(approved, true)], ['volley land 29', 'volley land 29']);
});

test('of a panel only those are at work who have not answered yet', () => {
  const reviewing = step(author(makeLoop({ settings: makePanel(['beta', 'gamma']) }), committed('1')));
  const session = makeSession('beta', {
    role: 'reviewer',
    transcript: '.volley/transcripts/task-1-4-reviewer-1.log',
    resumeId: 'to-resume',
  });
  const loop = append(reviewing, {
    type: 'reviewed',
    token: tokenOf(reviewing),
    member: 'beta',
    agent: 'beta',
    outcome: reviewOutcome(reviewing, 'beta'),
    session,
  });
  const views = sessionViews(loop).slice(-2);
  assert.deepEqual(
    views.map(({ agent, endedAt, transcript }) => [agent, endedAt, transcript]),
    [
      ['beta', session.endedAt, 'task-1-4-reviewer-1.log'],
      ['gamma', null, null],
    ],
  );
  assert.ok(!JSON.stringify(views).includes('to-resume'));
});
