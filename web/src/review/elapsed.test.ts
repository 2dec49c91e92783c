import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elapsed } from './elapsed.ts';

test('a time is told in its two largest parts', () => {
  assert.equal(elapsed(48_000), '48 s');
  assert.equal(elapsed(1_300_000), '21 m 40 s');
  assert.equal(elapsed(545_000), '9 m 05 s');
  assert.equal(elapsed(3 * 3_600_000 + 300_000), '3 h 05 m');
  assert.equal(elapsed(50 * 3_600_000), '2 d 2 h');
  assert.equal(elapsed(-5), '0 s');
});
