import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stillAsked } from './still-asked.ts';

test('a decision that comes back late closes its own question, and no other', () => {
  const [done, other] = [{ loop: 7 }, { loop: 8 }];
  assert.equal(stillAsked({ proposals: [done] }, done), null);
  const asked = { proposals: [other] };
  assert.equal(stillAsked(asked, done), asked);
  assert.equal(stillAsked(null, done), null);
});
