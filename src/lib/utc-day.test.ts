import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utcDay } from './utc-day.ts';

test('a day ends at midnight of UTC, and days before it pass over months and leap days', () => {
  assert.equal(utcDay('2026-01-29T23:59:59.999Z'), '2026-01-29');
  assert.equal(utcDay('2026-01-30T00:00:00.000+02:00'), '2026-01-29');
  assert.equal(utcDay('2028-03-01T12:00:00.000Z', 1), '2028-02-29');
  assert.equal(utcDay('2026-01-01T12:00:00.000Z', 365), '2025-01-01');
});
