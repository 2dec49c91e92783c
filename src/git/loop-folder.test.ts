import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopFolder } from './loop-folder.ts';

test('the folder of a loop lies below its parent, whatever the loop is called', () => {
  assert.equal(loopFolder('/state/reviews', '01JD0000000000000000000001'), '/state/reviews/01JD0000000000000000000001');
  assert.equal(loopFolder('/state/checkouts', 'doctor-01JD', '-base'), '/state/checkouts/doctor-01JD-base');
  for (const uid of ['', '.', '..', '../../victim', '/etc', 'a/b', 'a\\b', 'a\0', 'a\n'])
    assert.throws(() => loopFolder('/state/reviews', uid), /does not name the folder of a loop/, JSON.stringify(uid));
});
