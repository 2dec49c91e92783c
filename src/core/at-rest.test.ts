import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, author, committed, makeLoop, makeTask, review, step } from '../../test/support/loops.ts';
import { isAtRest } from './at-rest.ts';

test('a loop that goes on by itself is not at rest: pending, at work, or behind other tasks', () => {
  const loop = makeLoop();
  assert.equal(isAtRest(loop), false);
  assert.equal(isAtRest(step(loop)), false);
  assert.equal(isAtRest(makeLoop({ task: makeTask({ dependsOn: [3] }) })), false);
});

test('a loop that is over is at rest', () => {
  assert.equal(isAtRest(step(review(author(makeLoop(), committed('1'))))), true);
  const cancelled = append(makeLoop(), { type: 'overridden', override: 'cancel', by: 'Ada', reason: null, verdict: null, review: false });
  assert.equal(isAtRest(cancelled), true);
});
