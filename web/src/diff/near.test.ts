import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexAt, near } from './near.ts';

const TEN = { count: 10, topOf: (index: number) => index * 100 };

test('what is at a height is the last thing that began', () => {
  assert.deepEqual(
    [-5, 0, 99, 100, 5000].map((height) => indexAt(TEN, height)),
    [0, 0, 0, 1, 9],
  );
});

test('what is seen is needed first, then what is below, then what is above', () => {
  assert.deepEqual(near(TEN, { top: 320, height: 150 }, 150), [3, 4, 5, 6, 2, 1]);
});

test('of nothing nothing is near', () => {
  assert.deepEqual(near({ count: 0, topOf: () => 0 }, { top: 0, height: 100 }, 100), []);
});
