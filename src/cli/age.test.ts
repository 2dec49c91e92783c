import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAge } from './age.ts';

test('an age is a whole number of minutes, hours, days or weeks', () => {
  assert.deepEqual(['0d', '90m', '12h', '14d', '2w'].map(parseAge), [0, 5_400_000, 43_200_000, 1_209_600_000, 1_209_600_000]);
});

for (const text of ['', '14', 'd', '-1d', '1.5d', '14 d', '14D', '14y', '999999d']) {
  test(`'${text}' is no age`, () => {
    assert.throws(() => parseAge(text), { code: 'bad-usage' });
  });
}
