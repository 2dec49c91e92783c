import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ceilingMistake } from './ceiling.ts';

test('a ceiling is raised above what is spent, and not to what is a slip of the finger', () => {
  assert.deepEqual([ceilingMistake(undefined, 2), ceilingMistake(2.5, 2), ceilingMistake(1_000_000, 2)], [null, null, null]);
  for (const usd of [-3, 0.5, 2, Number.NaN]) assert.equal(ceilingMistake(usd, 2), 'More than $2.00, which is spent.', String(usd));
  assert.equal(ceilingMistake(99_999_999_999, 2), 'At most 1,000,000 dollars.');
  assert.equal(ceilingMistake(0, null), 'More than nothing.');
});
