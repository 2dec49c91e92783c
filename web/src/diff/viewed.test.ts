import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isViewed, viewedCount, viewedScope, withViewed } from './viewed.ts';

const A = { path: 'a.ts', newBlob: '1', oldBlob: '0', newMode: '100644' };
const B = { path: 'b.ts', newBlob: null, oldBlob: '0', newMode: '000000' };

test('a file that was ticked off is unseen again as soon as it changes', () => {
  const viewed = withViewed({}, 's', { file: A, on: true });
  assert.ok(isViewed(viewed, 's', A));
  assert.ok(!isViewed(viewed, 's', { ...A, newBlob: '2' }));
  assert.ok(!isViewed(viewed, 's', { ...A, newMode: '100755' }));
  assert.ok(!isViewed(viewed, 'other', A));
});

test('a deleted file can be ticked off, and the tick can be taken back', () => {
  const viewed = withViewed(withViewed({}, 's', { file: A, on: true }), 's', { file: B, on: true });
  assert.equal(viewedCount(viewed, 's', [A, B]), 2);
  assert.equal(viewedCount(withViewed(viewed, 's', { file: B, on: false }), 's', [A, B]), 1);
});

test('what was ticked longest ago is forgotten first', () => {
  let viewed = {};
  for (let n = 0; n < 100; n++) viewed = withViewed(viewed, `s${n}`, { file: A, on: true });
  assert.equal(Object.keys(viewed).length, 60);
  assert.ok(isViewed(viewed, 's99', A));
  assert.ok(!isViewed(viewed, 's0', A));
});

test('a change without a loop is known by where it starts', () => {
  const [base, head] = ['a'.repeat(40), 'b'.repeat(40)];
  assert.equal(viewedScope(null, `${base}..${head}`), base);
  assert.equal(viewedScope({ uid: 'u' }, `${base}..${head}`), 'u');
});
