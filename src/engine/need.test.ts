import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopState } from '../core/loop-state.ts';
import { needOf } from './need.ts';

const LIMIT = '2026-02-01T00:00:00.000Z';
const OLD = '2026-01-31T23:59:59.999Z';

const OVER: readonly LoopState[] = ['approved', 'ready_for_human_review', 'merged', 'cancelled'];
const GOING_ON: readonly LoopState[] = LoopState.options.filter((state) => !OVER.includes(state));

test('a loop that can go on needs everything, however old it is', () => {
  for (const state of GOING_ON)
    assert.equal(needOf({ state, wantsWork: false, driven: false, updatedAt: OLD }, LIMIT), 'everything', state);
});

test('a loop that is over needs its history until the limit, and nothing after it', () => {
  for (const state of OVER) {
    assert.equal(needOf({ state, wantsWork: false, driven: false, updatedAt: LIMIT }, LIMIT), 'history', state);
    assert.equal(needOf({ state, wantsWork: false, driven: false, updatedAt: OLD }, LIMIT), 'nothing', state);
  }
});

test('a loop that is over needs everything while somebody drives it or it wants to be driven', () => {
  assert.equal(needOf({ state: 'approved', wantsWork: false, driven: true, updatedAt: OLD }, LIMIT), 'everything');
  assert.equal(needOf({ state: 'approved', wantsWork: true, driven: false, updatedAt: OLD }, LIMIT), 'everything');
});
