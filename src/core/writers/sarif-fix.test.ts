import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { replacementsOf } from './sarif-fix.ts';
import type { WrittenReplacement } from './sarif-fix.ts';

let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'volley-sarif-fix-'));
});

after(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The patch between two texts as git writes it, named as a file of a repository. */
function gitDiff(from: string, to: string, context = 3): string {
  writeFileSync(join(folder, 'a'), from);
  writeFileSync(join(folder, 'b'), to);
  const args = ['diff', '--no-index', `-U${context}`, '--no-color', '--no-ext-diff', 'a', 'b'];
  const { status, stdout } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
  });
  assert.equal(status, 1);
  return stdout
    .replace('diff --git a/a b/b', 'diff --git a/src/x.ts b/src/x.ts')
    .replace('--- a/a', '--- a/src/x.ts')
    .replace('+++ b/b', '+++ b/src/x.ts');
}

/** Makes the edits as a viewer does: by line and column of the text, from the last to the first. */
function applied(text: string, replacements: readonly WrittenReplacement[]): string {
  const starts = [0];
  for (const { index } of text.matchAll(/\n/g)) starts.push(index + 1);
  const offset = (line: number, column: number): number => {
    const start = starts[line - 1];
    assert.ok(start !== undefined, `there is no line ${line}`);
    const length = (starts[line] ?? text.length + 1) - 1 - start;
    assert.ok(column - 1 <= length, `line ${line} has no column ${column}`);
    return start + column - 1;
  };
  return replacements.toReversed().reduce((out, { deletedRegion, insertedContent }) => {
    const from = offset(deletedRegion.startLine, deletedRegion.startColumn);
    const to = offset(deletedRegion.endLine, deletedRegion.endColumn);
    return out.slice(0, from) + (insertedContent?.text ?? '') + out.slice(to);
  }, text);
}

const TEN = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';

for (const [name, from, to] of [
  ['a changed line', TEN, TEN.replace('five', 'FIVE')],
  ['the first and the last line', TEN, TEN.replace('one', 'ONE').replace('ten', 'TEN')],
  ['far lines', TEN, TEN.replace('two\n', '').replace('nine', 'nine\nmore')],
  ['lines put in', TEN, TEN.replace('five\n', 'five\nfive and a half\n\n')],
  ['lines put in before the first', TEN, `zero\n${TEN}`],
  ['lines put in behind the last', TEN, `${TEN}eleven\n`],
  ['lines taken away', TEN, TEN.replace('five\nsix\n', '')],
  ['the first line taken away', TEN, TEN.replace('one\n', '')],
  ['the last line taken away', TEN, TEN.replace('ten\n', '')],
  ['everything taken away', TEN, ''],
  ['everything put in', '', TEN],
  ['more lines in the place of fewer', TEN, TEN.replace('five\n', 'a\nb\nc\n')],
  ['fewer lines in the place of more', TEN, TEN.replace('five\nsix\nseven\n', 'a\n')],
  ['an empty line in the place of a word', TEN, TEN.replace('five', '')],
  ['the newline at the end taken away', TEN, TEN.slice(0, -1)],
  ['the newline at the end put in', TEN.slice(0, -1), TEN],
  ['the last line of an open file', TEN.slice(0, -1), TEN.slice(0, -3)],
  ['the last line of an open file taken away', TEN.slice(0, -1), TEN.replace('ten\n', '')],
  ['lines behind an open end', TEN.slice(0, -1), `${TEN}eleven`],
  ['Windows line endings', TEN.replaceAll('\n', '\r\n'), TEN.replace('five', 'FIVE').replaceAll('\n', '\r\n')],
  ['Windows line endings given up', TEN.replaceAll('\n', '\r\n'), TEN],
  ['Windows line endings taken up', TEN, TEN.replaceAll('\n', '\r\n')],
  ['characters beyond the first plane', 'a 😀 ü\nb\n', 'a 😀😀 ß\nb\n'],
  ['content that looks like a patch', '--- a\n+++ b\n@@ -1 +1 @@\n', '--- a\n-++ b\n@@ -1 +1 @@\n'],
] as const) {
  test(`${name}: the edits make what the patch makes`, () => {
    for (const context of [0, 3]) {
      const replacements = replacementsOf(gitDiff(from, to, context), 'src/x.ts', from);
      assert.ok(replacements.length > 0);
      assert.equal(applied(from, replacements), to);
    }
  });
}

test('each stretch of changed lines is an edit of its own, without the line ending that stays', () => {
  const to = TEN.replace('two', 'TWO').replace('four\nfive', 'FOUR');
  assert.deepEqual(replacementsOf(gitDiff(TEN, to), 'src/x.ts', TEN), [
    { deletedRegion: { startLine: 2, startColumn: 1, endLine: 2, endColumn: 4 }, insertedContent: { text: 'TWO' } },
    { deletedRegion: { startLine: 4, startColumn: 1, endLine: 5, endColumn: 5 }, insertedContent: { text: 'FOUR' } },
  ]);
});

test('a patch that does not fit exactly gives no edit', () => {
  const patch = gitDiff(TEN, TEN.replace('five', 'FIVE'));
  assert.deepEqual(replacementsOf(patch, 'src/other.ts', TEN), []);
  assert.deepEqual(replacementsOf(patch, 'src/x.ts', TEN.replace('four', 'FOUR')), []);
  assert.deepEqual(replacementsOf(patch, 'src/x.ts', `new\n${TEN}`), []);
  assert.deepEqual(replacementsOf(`${patch}${patch}`, 'src/x.ts', TEN), []);
  assert.deepEqual(replacementsOf(patch.slice(0, -10), 'src/x.ts', TEN), []);
  assert.deepEqual(replacementsOf(patch.replace('index ', 'new file mode 100644\nindex '), 'src/x.ts', TEN), []);
  assert.deepEqual(replacementsOf('change five to FIVE', 'src/x.ts', TEN), []);
  const open = gitDiff(TEN.slice(0, -1), TEN.replace('ten\n', 'TEN'));
  assert.deepEqual(replacementsOf(open, 'src/x.ts', TEN), []);
});

test('a patch that brings a secret gives no edit', () => {
  const secret = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xYz'}`;
  assert.deepEqual(replacementsOf(gitDiff(TEN, TEN.replace('five', `const token = '${secret}';`)), 'src/x.ts', TEN), []);
});

test('a patch of the first line behind a byte order mark gives no edit', () => {
  const marked = `\uFEFF${TEN}`;
  assert.deepEqual(replacementsOf(gitDiff(marked, marked.replace('one', 'ONE')), 'src/x.ts', marked), []);
  assert.equal(replacementsOf(gitDiff(marked, marked.replace('two', 'TWO')), 'src/x.ts', marked).length, 1);
});
