import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPatch, readWhole } from './read-patch.ts';

const read = (text: string) => readPatch({ text, path: 'a.ts', oldPath: null, key: 'k' });

test('a patch is read with the names of the list, and with what hides in it written out', () => {
  const diff = read('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+a\u202eb\r\n');
  assert.equal(diff?.name, 'a.ts');
  assert.deepEqual(diff?.additionLines, ['a⟦U+202E⟧b\r\n']);
  assert.deepEqual(diff?.deletionLines, ['a\r\n']);
});

test('a file that became a link shows both what it was and where it leads', () => {
  const diff = read(
    'diff --git a/a b/a\ndeleted file mode 100644\nindex 1..0\n--- a/a\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n' +
      'diff --git a/a b/a\nnew file mode 120000\nindex 0..2\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n',
  );
  assert.equal(diff?.type, 'change');
  assert.deepEqual(diff?.deletionLines, ['one\n', 'two\n']);
  assert.deepEqual(diff?.additionLines, ['target']);
});

test('a patch without lines has no hunks', () => {
  assert.deepEqual(read('diff --git a/a b/a\nold mode 100644\nnew mode 100755\n')?.hunks, []);
});

test('a patch that shows a file from its first line to its last has nothing left to show', () => {
  assert.equal(read('diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n')?.isPartial, false);
  assert.equal(read('diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -5,2 +5,2 @@\n a\n-b\n+c\n')?.isPartial, true);
  assert.equal(read('diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,4 +1,4 @@\n-b\n+c\n d\n e\n f\n')?.isPartial, true);
});

test('bytes that are no UTF-8 are told, because all of them look the same', () => {
  const whole = (removed: string, added: string) =>
    readWhole({ text: `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-${removed}\n+${added}\n`, path: 'a', oldPath: null, key: 'k' });
  assert.equal(whole('caf\uFFFD', 'caf\uFFFD')?.isUtf8, false);
  assert.equal(whole('cafe', 'café')?.isUtf8, true);
});
