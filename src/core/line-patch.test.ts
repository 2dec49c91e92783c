import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyPatches } from './exact-patch.ts';
import { linePatch, linesOf } from './line-patch.ts';
import type { LineEdit } from './line-patch.ts';

test('an edit becomes a patch with the lines around it', () => {
  const text = ['one', 'two', 'three', 'four', 'five', 'six', ''].join('\n');
  assert.equal(
    linePatch('a.txt', text, { line: 5, removed: 1, added: ['FIVE', 'and more'], context: 3 }),
    [
      'diff --git a/a.txt b/a.txt',
      '--- a/a.txt',
      '+++ b/a.txt',
      '@@ -2,5 +2,6 @@',
      ' two',
      ' three',
      ' four',
      '-five',
      '+FIVE',
      '+and more',
      ' six',
      '',
    ].join('\n'),
  );
});

test('an edit that changes nothing, or lines that do not exist, is no patch', () => {
  assert.equal(linePatch('a.txt', 'one\n', { line: 1, removed: 1, added: ['one'] }), null);
  assert.equal(linePatch('a.txt', 'one\n', { line: 2, removed: 1, added: ['two'] }), null);
});

test('git applies every patch to the same text as we do', () => {
  const dir = mkdtempSync(join(tmpdir(), 'volley-line-patch-'));
  try {
    for (const { path, text, edit } of fc.sample(edits, { numRuns: 60, seed: 7 })) {
      const patch = linePatch(path, text, { ...edit, context: edit.line % 4 });
      if (patch === null) continue;
      const file = join(dir, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      execFileSync('git', ['apply', '--unidiff-zero', '--whitespace=nowarn', '-'], { cwd: dir, input: patch });
      const last = Math.max(edit.line, edit.line + edit.removed - 1);
      const finding = { id: '1.1', file: path, line: edit.line, lineEnd: last, patch };
      const ours = applyPatches(path, text, [finding]);
      assert.deepEqual(ours.answers.get('1.1')?.kind, 'applied', patch);
      assert.equal(ours.text, readFileSync(file, 'utf8'), patch);
    }
  } finally {
    rmSync(dir, { recursive: true });
  }
});

const line = fc.constantFrom(
  '',
  'a',
  'b',
  '  indented',
  'trailing \t',
  '-minus',
  '+plus',
  '@@ -1 +1 @@',
  '\\ No newline',
  'Größe 😀',
  'carriage\r',
);
const paths = fc.constantFrom('a.txt', 'folder/with space.txt', 'ümlaut.txt', 'quo"te.txt', 'tab\tname.txt', 'back\\slash.txt');

const edits: fc.Arbitrary<{ path: string; text: string; edit: LineEdit }> = fc
  .record({ path: paths, lines: fc.array(line, { minLength: 2, maxLength: 12 }), open: fc.boolean() })
  .chain(({ path, lines, open }) => {
    const text = `${lines.join('\n')}${open && lines.at(-1) !== '' ? '' : '\n'}`;
    const total = linesOf(text).length;
    return fc
      .record({ at: fc.integer({ min: 1, max: total }), removed: fc.integer({ min: 1, max: 3 }), added: fc.array(line, { maxLength: 3 }) })
      .map(({ at, removed, added }) => {
        const count = Math.min(removed, total - at + 1);
        // A file that becomes empty is another kind of patch.
        return { path, text, edit: { line: at, removed: count, added: count === total && added.length === 0 ? ['x'] : added } };
      });
  });
