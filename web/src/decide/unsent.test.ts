import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgetUnsent, keepUnsent, unsentOf } from './unsent.ts';

const accept = { kind: 'choice', choice: 'accept', needs: null } as const;
const answer = { kind: 'choice', choice: 'answer', needs: 'reason' } as const;

test('what was written is kept by loop and deed until it is sent', () => {
  keepUnsent({ loop: 7, deed: answer }, { reason: 'Because of the tax' });
  assert.deepEqual(unsentOf({ loop: 7, deed: answer }), { reason: 'Because of the tax' });
  assert.deepEqual([unsentOf({ loop: 7, deed: accept }), unsentOf({ loop: 8, deed: answer })], [{}, {}]);
  forgetUnsent({ loop: 7, deed: answer });
  assert.deepEqual(unsentOf({ loop: 7, deed: answer }), {});
});
