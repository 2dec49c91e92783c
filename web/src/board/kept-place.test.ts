import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offsetWithin } from './kept-place.ts';

const TEN = { heights: Array.from({ length: 10 }, () => 100), gap: 8, visible: 500 };

test('a list goes back to where it was', () => {
  assert.equal(offsetWithin(300, TEN), 300);
});

test('a list that became shorter ends where it ends', () => {
  assert.equal(offsetWithin(240_379, TEN), 10 * 108 - 8 - 500);
});

test('a list that can be seen whole, or has nothing, stands at its top', () => {
  assert.equal(offsetWithin(300, { ...TEN, visible: 2000 }), 0);
  assert.equal(offsetWithin(300, { ...TEN, heights: [] }), 0);
});
