import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockTime, elapsedWords } from './time-words.ts';

test('a length of time has two units at the most', () => {
  assert.deepEqual([0, 9_999, 60_000, 250_000, 3_599_000, 7_500_000, -5].map(elapsedWords), [
    '0 s',
    '9 s',
    '1 m 00 s',
    '4 m 10 s',
    '59 m 59 s',
    '2 h 05 m',
    '0 s',
  ]);
});

test('a moment names its day where the clock alone would mislead', () => {
  const now = new Date('2026-01-29T23:00:00');
  assert.equal(clockTime(new Date('2026-01-29T07:30:00'), now), '07:30');
  assert.equal(clockTime(new Date('2026-01-30T07:30:00'), now), '07:30');
  assert.equal(clockTime(new Date('2026-01-31T07:30:00'), now), 'Jan 31 07:30');
});
