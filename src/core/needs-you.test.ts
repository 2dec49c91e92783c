import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsYou } from './needs-you.ts';
import type { Standing } from './needs-you.ts';

const RESTING: Standing = { state: 'approved', kind: 'implement', waiting: null, wantsWork: false };

test('what asks, is blocked or failed needs somebody, also while it has work', () => {
  for (const state of ['needs_human', 'blocked', 'failed'])
    for (const wantsWork of [true, false]) assert.equal(needsYou({ ...RESTING, state, wantsWork }), true);
});

test('what goes on by itself needs nobody', () => {
  assert.equal(needsYou({ ...RESTING, state: 'queued', wantsWork: true }), false);
  assert.equal(needsYou({ ...RESTING, state: 'self_review_failed', wantsWork: true }), false);
  assert.equal(needsYou({ ...RESTING, state: 'self_reviewing', waiting: 'rate-limit' }), false);
  assert.equal(needsYou(RESTING), false);
});

test('a login needs somebody, but not for a task that is over', () => {
  assert.equal(needsYou({ ...RESTING, state: 'implementing', waiting: 'login' }), true);
  assert.equal(needsYou({ ...RESTING, state: 'cancelled', waiting: 'login' }), false);
});

test('a review that was asked for alone is answered when it is read', () => {
  assert.equal(needsYou({ ...RESTING, state: 'self_review_failed' }), true);
  assert.equal(needsYou({ ...RESTING, state: 'self_review_failed', kind: 'review' }), false);
});
