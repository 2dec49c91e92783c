import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasJustMoved, movedBetween, noteMoved } from './still.ts';

test('what slid up after another one left is not at rest yet, and a moment later it is', () => {
  const moved = movedBetween([1, 2, 3, 4], [1, 3, 4]);
  assert.deepEqual(moved, [3, 4]);
  noteMoved(moved, 1000);
  assert.deepEqual(
    [1, 3, 4].map((id) => hasJustMoved(id, 1200)),
    [false, true, true],
  );
  assert.equal(hasJustMoved(3, 1700), false);
});

test('x', () => {
  assert.deepEqual(movedBetween([1, 2], [1, 2, 9]), [9]);
});

test('everything moves at once where the whole board does', () => {
  noteMoved(null, 5000);
  assert.equal(hasJustMoved(77, 5100), true);
  assert.equal(hasJustMoved(77, 5700), false);
});
