import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resetTime } from './reset-time.ts';

const NOW = Date.parse('2026-11-15T12:00:00.000Z');

test('a limit’s end is told as a date', () => {
  assert.equal(resetTime(NOW + 3_600_000, NOW), '2026-11-15T13:00:00.000Z');
  assert.equal(resetTime(null, NOW), null);
});

test('what is no date, or cannot be meant, is no end', () => {
  for (const odd of [Number.NaN, Infinity, -Infinity, -1, 8.64e15 + 1, NOW + 32 * 24 * 3_600_000]) assert.equal(resetTime(odd, NOW), null);
});
