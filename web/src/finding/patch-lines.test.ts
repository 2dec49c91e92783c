import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patchRows, wordsOf } from './patch-lines.ts';

const HEAD = 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n';

test('a patch is rows with their numbers, and what changed in a line is marked', () => {
  const rows = patchRows(`${HEAD}@@ -8,2 +8,2 @@\n-test.only('a', run);\n+test('a', run);\n end\n`, 'src/a.ts');
  assert.deepEqual(rows, [
    {
      kind: 'removed',
      number: 8,
      words: [
        { text: 'test', changed: false },
        { text: '.only', changed: true },
        { text: "('a', run);", changed: false },
      ],
    },
    {
      kind: 'added',
      number: 8,
      words: [
        { text: 'test', changed: false },
        { text: "('a', run);", changed: false },
      ],
    },
    { kind: 'context', number: 9, words: [{ text: 'end', changed: false }] },
  ]);
});

test('stretches are divided, and a file is named that is not the one of the finding', () => {
  const rows = patchRows(`${HEAD}@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n`, 'src/other.ts');
  assert.deepEqual(
    rows?.map((row) => (row.kind === 'gap' ? `gap ${row.text}` : row.kind)),
    ['gap src/a.ts', 'removed', 'added', 'gap ', 'removed', 'added'],
  );
});

test('a patch is read as agents write it, with two names or with none', () => {
  const hunk = '@@ -1,2 +1,2 @@\n-a\n+b\n c\n';
  for (const head of ['--- a/src/a.ts\n+++ b/src/a.ts\n', '--- src/a.ts\n+++ src/a.ts\n', ''])
    assert.deepEqual(
      patchRows(head + hunk, 'src/a.ts')?.map(({ kind }) => kind),
      ['removed', 'added', 'context'],
    );
});

test('what is no patch is not made into one', () => {
  assert.equal(patchRows('just use safe_load', 'a.py'), null);
  assert.equal(patchRows(`${HEAD}@@ -1,9 +1,9 @@\n-a\n`, 'src/a.ts'), null);
});

test('whole words are marked, and lines that share little are not', () => {
  assert.deepEqual(
    wordsOf('db.get(UPSERT_CLAIM, account, key)', 'db.get(SELECT_CLAIM, account, key)').filter(({ changed }) => changed),
    [{ text: 'UPSERT_CLAIM', changed: true }],
  );
  assert.deepEqual(wordsOf('return a;', 'throw new Error(b);'), [{ text: 'return a;', changed: false }]);
});
