import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aFinding } from './example.ts';
import { heldBack } from './held-back.ts';

const comment = { at: '', by: 'me', text: 'hm', file: 'a.ts', line: 4, lineEnd: null, findingId: null };
const known = { head: 'c1', findings: [aFinding({ id: '1.1', line: 3 })], comments: [comment] };

test('while a newer commit is held back findings keep their lines, and their status goes on', () => {
  const moved = aFinding({ id: '1.1', file: 'b.ts', line: 30, lineEnd: 31, anchor: 'moved', status: 'disputed' });
  const { head, findings, news } = heldBack(known, { ...known, head: 'c2', findings: [moved] });
  assert.equal(head, 'c1');
  assert.deepEqual(findings, [{ ...moved, file: 'a.ts', line: 3, lineEnd: null, anchor: 'exact' }]);
  assert.deepEqual(news, { findings: 0, comments: 0, head: 'c2' });
});

test('new findings and comments wait, but answers stand with their finding at once', () => {
  const answer = { ...comment, findingId: '1.1' };
  const newest = { head: 'c1', findings: [...known.findings, aFinding({ id: '1.2' })], comments: [comment, answer, comment] };
  const { findings, comments, news } = heldBack(known, newest);
  assert.equal(findings.length, 1);
  assert.deepEqual(comments, [comment, answer]);
  assert.deepEqual(news, { findings: 1, comments: 1, head: null });
});

test('where nothing came that moves anything the newest is shown', () => {
  const ruled = { ...known, findings: [aFinding({ id: '1.1', line: 3, status: 'accepted' })] };
  assert.deepEqual(heldBack(known, ruled), { ...ruled, news: null });
});
