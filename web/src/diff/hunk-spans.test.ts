import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePatch } from '../../../src/core/parse-patch.ts';
import { hunkSpans, uncovered, withContext } from './hunk-spans.ts';
import type { HunkSpan } from './hunk-spans.ts';

const HEAD = 'diff --git a/a.ts b/a.ts\nindex 1..2 100644\n--- a/a.ts\n+++ b/a.ts\n';
const PATCH = `${HEAD}@@ -10,3 +10,4 @@ f\n a\n+@@ -1 +1 @@\n b\n c\n@@ -40,2 +41,1 @@\n d\n-e\n`;

function covered({ oldFrom, oldEnd, newFrom, newEnd }: HunkSpan): Omit<HunkSpan, 'at'> {
  return { oldFrom, oldEnd, newFrom, newEnd };
}

test('the hunks of a patch are found, and not in its content', () => {
  assert.deepEqual(hunkSpans(PATCH).map(covered), [
    { oldFrom: 10, oldEnd: 13, newFrom: 10, newEnd: 14 },
    { oldFrom: 40, oldEnd: 42, newFrom: 41, newEnd: 42 },
  ]);
});

test('a side without lines begins behind the line that it is named by', () => {
  assert.deepEqual(hunkSpans('@@ -5,2 +4,0 @@\n-a\n-b\n').map(covered), [{ oldFrom: 5, oldEnd: 7, newFrom: 5, newEnd: 5 }]);
});

test('lines that are shown already need nothing, others come with what is around them', () => {
  const spans = hunkSpans(PATCH);
  assert.deepEqual(uncovered(spans, [10, 13, 41]), []);
  assert.deepEqual(uncovered(spans, [2, 20, 24, 100]), [
    { from: 1, end: 6 },
    { from: 17, end: 28 },
    { from: 97, end: 104 },
  ]);
});

test('what is around a line stops at the hunks beside it', () => {
  assert.deepEqual(uncovered(hunkSpans(PATCH), [14, 40]), [
    { from: 14, end: 18 },
    { from: 37, end: 41 },
  ]);
});

test('unchanged lines become hunks in their order, with their numbers on both sides', () => {
  const text = withContext(PATCH, [
    { from: 1, lines: ['x'], open: false },
    { from: 20, lines: ['y', 'z'], open: false },
    { from: 60, lines: ['w'], open: true },
  ]);
  const [file] = parsePatch(text);
  assert.deepEqual(
    file?.hunks.map(({ oldStart, newStart, newCount }) => [oldStart, newStart, newCount]),
    [
      [1, 1, 1],
      [10, 10, 4],
      [19, 20, 2],
      [40, 41, 1],
      [60, 60, 1],
    ],
  );
  assert.equal(file?.hunks.at(-1)?.lines[0]?.noNewline, true);
});

test('a patch without hunks takes unchanged lines too', () => {
  const renamed = 'diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b';
  assert.equal(parsePatch(withContext(renamed, [{ from: 3, lines: ['x'], open: false }]))[0]?.hunks[0]?.newStart, 3);
});
