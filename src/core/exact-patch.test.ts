import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPatches } from './exact-patch.ts';
import { linePatch } from './line-patch.ts';

const TEXT = 'one\ntwo\nthree\nfour\nfive\n';

function finding(id: string, line: number, added: readonly string[]) {
  return { id, file: 'a.txt', line, lineEnd: null, patch: linePatch('a.txt', TEXT, { line, removed: 1, added }) };
}

test('patches of several findings are applied together, also on neighbouring lines', () => {
  const { text, answers } = applyPatches('a.txt', TEXT, [
    finding('1.1', 2, ['TWO', 'more']),
    finding('1.2', 3, ['THREE']),
    finding('1.3', 5, []),
  ]);
  assert.equal(text, 'one\nTWO\nmore\nTHREE\nfour\n');
  assert.deepEqual(
    [...answers.values()].map(({ kind }) => kind),
    ['applied', 'applied', 'applied'],
  );
});

test('of two patches for the same line the second one waits', () => {
  const { text, answers } = applyPatches('a.txt', TEXT, [finding('1.1', 2, ['TWO']), finding('1.2', 2, ['2'])]);
  assert.equal(text, 'one\nTWO\nthree\nfour\nfive\n');
  assert.deepEqual(answers.get('1.2'), { kind: 'overlaps', with: '1.1' });
});

test('a patch that touches a line outside of its finding is refused', () => {
  const patch = linePatch('a.txt', TEXT, { line: 2, removed: 2, added: ['x'] });
  const { text, answers } = applyPatches('a.txt', TEXT, [{ ...finding('1.1', 2, ['x']), patch }]);
  assert.equal(text, TEXT);
  assert.deepEqual(answers.get('1.1'), { kind: 'refused', why: 'its patch touches lines outside of the finding' });
});

test('a patch whose lines are not there to the letter is refused', () => {
  for (const now of ['one\ntwo \nthree\nfour\nfive\n', 'zero\none\ntwo\nthree\nfour\nfive\n', '']) {
    const { text, answers } = applyPatches('a.txt', now, [finding('1.1', 2, ['TWO'])]);
    assert.equal(text, now);
    assert.deepEqual(answers.get('1.1'), { kind: 'outdated', why: 'its lines are not what its patch expects' });
  }
});

test('a patch for another file, for two files, or one that is no patch is refused', () => {
  const other = linePatch('b.txt', TEXT, { line: 2, removed: 1, added: ['TWO'] }) ?? '';
  const own = finding('1.1', 2, ['TWO']).patch ?? '';
  for (const patch of [other, `${own}${other}`, 'not a patch', '', `${own.slice(0, -12)}`]) {
    const { text, answers } = applyPatches('a.txt', TEXT, [{ ...finding('1.1', 2, []), patch }]);
    assert.equal(text, TEXT);
    assert.equal(answers.get('1.1')?.kind, 'refused');
  }
});

test('a patch with the two names alone is for its file, whatever that is called', () => {
  for (const [file, written] of [
    ['my file.txt', 'a/my file.txt'],
    ['my file.txt', 'my file.txt\t2026-01-29 10:00:00'],
    ['größe.txt', 'a/größe.txt'],
    ['größe.txt', String.raw`"a/gr\303\266\303\237e.txt"`],
    ['a "b".txt', String.raw`"a/a \"b\".txt"`],
    ['a/b.txt', 'a/b.txt'],
    ['a/b.txt', 'a/a/b.txt'],
  ] as const) {
    const patch = `--- ${written}\n+++ ${written}\n@@ -2 +2 @@\n-two\n+TWO\n`;
    const { text, answers } = applyPatches(file, TEXT, [{ ...finding('1.1', 2, []), file, patch }]);
    assert.deepEqual([answers.get('1.1')?.kind, text], ['applied', 'one\nTWO\nthree\nfour\nfive\n'], written);
  }
  const other = '--- a/my file.txt\n+++ a/my file.txt\n@@ -2 +2 @@\n-two\n+TWO\n';
  assert.equal(applyPatches('your file.txt', TEXT, [{ ...finding('1.1', 2, []), patch: other }]).answers.get('1.1')?.kind, 'refused');
});

test('without a patch there is no exact fix', () => {
  const { answers } = applyPatches('a.txt', TEXT, [{ ...finding('1.1', 2, []), patch: null }]);
  assert.deepEqual(answers.get('1.1'), { kind: 'refused', why: 'it has no exact fix' });
});

test('a file of one line gets no other ending than it had', () => {
  for (const end of ['\n', '\r\n', '']) {
    const patch = linePatch('a.txt', end === '' ? 'left' : 'left\n', { line: 1, removed: 1, added: ['right'] });
    const { text } = applyPatches('a.txt', `left${end}`, [{ id: '1.1', file: 'a.txt', line: 1, lineEnd: null, patch }]);
    assert.equal(text, `right${end}`);
  }
});

test('a checkout that ends its lines with CRLF takes the patch of a commit that does not, and keeps its endings', () => {
  const { text, answers } = applyPatches('a.txt', TEXT.replaceAll('\n', '\r\n'), [finding('1.1', 2, ['TWO', 'more'])]);
  assert.equal(answers.get('1.1')?.kind, 'applied');
  assert.equal(text, 'one\r\nTWO\r\nmore\r\nthree\r\nfour\r\nfive\r\n');
});

test('a patch that counts its lines wrong, or takes the same line twice, is refused', () => {
  const head = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n';
  for (const hunks of ['@@ -2,1 +2,1 @@\n-two\n+if (x) {\n+  y();\n+}\n', '@@ -2 +1,0 @@\n-two\n@@ -2 +1,0 @@\n-two\n']) {
    const { text, answers } = applyPatches('a.txt', TEXT, [{ ...finding('1.1', 2, []), patch: head + hunks }]);
    assert.equal(text, TEXT);
    assert.equal(answers.get('1.1')?.kind, 'refused');
  }
});

test('a patch is read also as plain diff writes it, with the two names alone or none, if they name its file', () => {
  const hunk = '@@ -2,1 +2,1 @@\n-two\n+TWO\n';
  for (const head of ['--- a/a.txt\n+++ b/a.txt\n', '--- a.txt\n+++ a.txt\n', '--- a/a.txt\t2026-01-29\n+++ b/a.txt\t2026-01-30\n', '']) {
    assert.equal(applyPatches('a.txt', TEXT, [{ ...finding('1.1', 2, []), patch: head + hunk }]).text, 'one\nTWO\nthree\nfour\nfive\n');
  }
  for (const head of ['--- a/b.txt\n+++ b/b.txt\n', '--- a/a.txt\n+++ /dev/null\n']) {
    assert.equal(applyPatches('a.txt', TEXT, [{ ...finding('1.1', 2, []), patch: head + hunk }]).text, TEXT);
  }
});
