import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineText, sameLine } from './reading.ts';
import { readPatch } from './read-patch.ts';

function read(hunks: string) {
  const diff = readPatch({ text: `diff --git a/a b/a\n--- a/a\n+++ b/a\n${hunks}`, path: 'a', oldPath: null, key: 'k' });
  if (diff === null) throw new Error('not a patch');
  return diff;
}

const DIFF = read('@@ -10,3 +10,3 @@\n }\n-b\n+c\n }\n@@ -40,2 +40,3 @@\n d\n+e\n }\n');

test('a line is known by its number on its side', () => {
  assert.equal(lineText(DIFF, 'additions', 11), 'c\n');
  assert.equal(lineText(DIFF, 'deletions', 11), 'b\n');
  assert.equal(lineText(DIFF, 'additions', 20), null);
});

test('a line that moved is found again where it is nearest', () => {
  assert.equal(sameLine(DIFF, 'additions', { text: '}\n', near: 35 }), 42);
  assert.equal(sameLine(DIFF, 'additions', { text: '}\n', near: 13 }), 12);
  assert.equal(sameLine(DIFF, 'additions', { text: 'gone\n', near: 13 }), null);
});
