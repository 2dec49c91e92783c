import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDrawer } from './drawer-name.ts';

test('an address says what lies open', () => {
  assert.deepEqual(readDrawer('proof'), { what: 'proof', round: null });
  assert.deepEqual(readDrawer('proof:2'), { what: 'proof', round: 2 });
  assert.deepEqual(readDrawer('gates:9'), { what: 'gates', run: 9 });
  assert.deepEqual(readDrawer('session:task-1-2-author.log'), { what: 'session', session: 'task-1-2-author.log' });
  assert.deepEqual(readDrawer('artefacts:review-1.md'), { what: 'artefacts', name: 'review-1.md' });
});

test('what is no drawer opens none', () => {
  for (const text of [undefined, '', 'session', 'session:', 'attic']) assert.equal(readDrawer(text), null);
});
