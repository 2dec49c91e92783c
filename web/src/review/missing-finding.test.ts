import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aFinding } from './example.ts';
import { whyMissing } from './missing-finding.ts';

const [one, two, three, four] = ['1.1', '1.2', '1.3', '1.4'].map((id) => aFinding({ id })) as [F, F, F, F];
type F = ReturnType<typeof aFinding>;
const sieve = { all: [one, two, three, four], past: [one, two, three], known: [one, two], drawn: [one] };

test('a finding that is not drawn says why', () => {
  assert.deepEqual(
    ['1.1', '1.2', '1.3', '1.4', '1.99'].map((id) => whyMissing(id, sieve)),
    [null, 'filtered', 'new', 'later', 'no-such'],
  );
});

test('until the findings have come nobody says that one is missing', () => {
  assert.equal(whyMissing('1.99', { ...sieve, all: undefined }), null);
});
