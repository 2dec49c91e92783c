import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oldSide } from './old-side.ts';
import { readPatch } from './read-patch.ts';

function before(after: string, hunks: string): string {
  const diff = readPatch({ text: `diff --git a/a b/a\n--- a/a\n+++ b/a\n${hunks}`, path: 'a', oldPath: null, key: 'k' });
  return diff === null ? '' : oldSide(after, diff);
}

test('what a file was follows from what it is and from its patch', () => {
  assert.equal(before('1\ntwo\n3\n4\n5\n', '@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n'), '1\n2\n3\n4\n5\n');
});

test('lines that are gone come back at their place, also those behind which nothing is left', () => {
  assert.equal(before('1\n4\n', '@@ -2,2 +1,0 @@\n-2\n-3\n'), '1\n2\n3\n4\n');
});

test('line ends of both kinds and a missing last one are kept', () => {
  assert.equal(before('1\r\nb', '@@ -1,2 +1,2 @@\n 1\r\n-a\r\n+b\n\\ No newline at end of file\n'), '1\r\na\r\n');
});
