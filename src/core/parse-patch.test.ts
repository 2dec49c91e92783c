import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { applyHunks, asSections, readTruth } from '../../test/support/diff-truth.ts';
import type { Truth } from '../../test/support/diff-truth.ts';
import { makeNasty } from '../../test/support/nasty.ts';
import type { Nasty } from '../../test/support/nasty.ts';
import { makeRepository } from '../../test/support/repository.ts';
import type { DiffLine, FilePatch, Hunk } from './diff.ts';
import { parsePatch } from './parse-patch.ts';

const LETTERS = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R', copied: 'C', typechanged: 'T' };

function assertMatches(text: string, truths: readonly Truth[]): void {
  const files = parsePatch(text);
  const sections = truths.flatMap(asSections);
  assert.deepEqual(
    files.map(({ path, oldPath, status }) => ({ path, oldPath, letter: LETTERS[status] })),
    sections.map(({ path, oldPath, letter }) => ({ path, oldPath, letter })),
  );
  for (const [index, file] of files.entries()) {
    const truth = sections[index];
    assert.ok(truth);
    if (file.oldMode !== null) assert.equal(file.oldMode, truth.modes[0]);
    if (file.newMode !== null) assert.equal(file.newMode, truth.modes[1]);
    assert.equal(file.binary, file.path.startsWith('binary-'), file.path);
    if (file.binary) assert.deepEqual(file.hunks, []);
    else if (truth.contents !== null) assert.equal(applyHunks(truth.contents[0], file.hunks), truth.contents[1], file.path);
  }
}

describe('the patch of the nasty set', () => {
  let nasty: Nasty;
  let truths: Truth[];
  before(async () => {
    nasty = await makeNasty();
    truths = await readTruth(nasty.repository, [nasty.base, nasty.head], ['-M']);
    // Its attributes would hide text from plain git commands.
    await nasty.repository.git('rm', '--quiet', '.gitattributes');
  });
  after(async () => await nasty.repository[Symbol.asyncDispose]());

  async function patch(...args: readonly string[]): Promise<string> {
    return `${await nasty.repository.git(...args, '--no-rename-empty', nasty.base, nasty.head)}\n`;
  }

  const variants: Record<string, readonly string[]> = {
    'with the flags that we use': ['-c', 'core.quotePath=false', 'diff', '--full-index', '-M'],
    'with quoted paths': ['-c', 'core.quotePath=true', 'diff', '-M'],
    'without prefixes': ['diff', '--no-prefix', '-M'],
    'with mnemonic prefixes': ['-c', 'diff.mnemonicPrefix=true', 'diff', '-M'],
    'with binary contents': ['diff', '--binary', '-M'],
    'without context': ['diff', '-U0', '-M'],
  };
  for (const [name, args] of Object.entries(variants)) {
    test(`${name} is read as git means it`, async () => assertMatches(await patch(...args), truths));
  }

  test('with copies is read as git means it', async () => {
    const flags = ['-C', '--find-copies-harder'];
    const withCopies = await readTruth(nasty.repository, [nasty.base, nasty.head], flags);
    assert.ok(withCopies.some((truth) => truth.letter === 'C'));
    assertMatches(await patch('diff', ...flags), withCopies);
  });

  test('in a mailbox is read as git means it', async () => {
    assertMatches(
      await nasty.repository.git('format-patch', '--stdout', '--no-rename-empty', '-M', `${nasty.base}..${nasty.head}`),
      truths,
    );
  });
});

const anyLine = fc.oneof(
  fc.constantFrom(
    '',
    'diff --git a/x b/x',
    '@@ -1,9 +1,9 @@',
    '\\ No newline at end of file',
    '-- x',
    '+++ b/x',
    '--- a/x',
    'a\r',
    '\u2028',
    '\v\f',
    'rename from x',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\n', '').replaceAll('\0', '')),
);
const anyText = fc.tuple(fc.array(anyLine, { maxLength: 30 }), fc.boolean()).map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''));

test('whatever stands in files, hunks lead from the old text to the new one', async () => {
  const pairs = fc.sample(fc.tuple(anyText, anyText, fc.boolean()), { numRuns: 200, seed: 7 });
  const side = (pick: (pair: readonly [string, string, boolean]) => string) =>
    Object.fromEntries(pairs.map((pair, index) => [`file ${index}`, pick(pair)]));
  await using repository = await makeRepository({ files: side(([old]) => old) });
  const base = await repository.git('rev-parse', 'HEAD');
  const head = await repository.commit(
    'second',
    side(([old, text, isEdit]) => (isEdit ? `${old}\n${text}` : text)),
  );
  const truths = await readTruth(repository, [base, head], ['--no-renames']);
  assertMatches(await repository.git('diff', '--text', '--no-renames', base, head), truths);
});

/** A hunk whose numbers follow from where it starts and what its lines are. */
const anyHunk: fc.Arbitrary<Hunk> = fc
  .record({
    lines: fc.array(
      fc.record({ kind: fc.constantFrom<DiffLine['kind']>('context', 'added', 'removed'), text: anyLine }, { noNullPrototype: true }),
      { minLength: 1, maxLength: 12 },
    ),
    start: fc.integer({ min: 1, max: 999 }),
    heading: fc.constantFrom('', 'function x() {', '@@ odd @@'),
  })
  .map(({ lines, start, heading }) => {
    let oldLine = start;
    let newLine = start + 1;
    const numbered = lines.map((line) => ({
      ...line,
      oldLine: line.kind === 'added' ? null : oldLine++,
      newLine: line.kind === 'removed' ? null : newLine++,
      noNewline: false,
    }));
    return { oldStart: start, oldCount: oldLine - start, newStart: start + 1, newCount: newLine - start - 1, heading, lines: numbered };
  });

const anyPatch: fc.Arbitrary<FilePatch[]> = fc.array(
  fc.record(
    {
      path: fc.constantFrom('a', 'b c', 'x b/x', 'deep/er/file.ts', 'ü'),
      oldPath: fc.constant(null),
      status: fc.constant('modified' as const),
      oldMode: fc.constant('100644'),
      newMode: fc.constant('100644'),
      binary: fc.constant(false),
      hunks: fc.array(anyHunk, { minLength: 1, maxLength: 3 }),
    },
    { noNullPrototype: true },
  ),
  { maxLength: 4 },
);

const MARKS = { context: ' ', added: '+', removed: '-' };

function writePatch(files: readonly FilePatch[]): string {
  return files
    .map(
      (file) =>
        `diff --git a/${file.path} b/${file.path}\nindex 1..2 100644\n--- a/${file.path}\n+++ b/${file.path}\n${file.hunks.map(writeHunk).join('')}`,
    )
    .join('');
}

function writeHunk(hunk: Hunk): string {
  const title = `@@ -${hunk.oldStart},${hunk.oldCount} +${hunk.newStart},${hunk.newCount} @@${hunk.heading === '' ? '' : ` ${hunk.heading}`}\n`;
  return title + hunk.lines.map((line) => `${MARKS[line.kind]}${line.text}\n`).join('');
}

test('a written patch is read back as it was', () => {
  fc.assert(fc.property(anyPatch, (files) => assert.deepEqual(parsePatch(writePatch(files)), files)));
});

test('a patch cut off in a hunk is an error', () => {
  fc.assert(
    fc.property(anyPatch, fc.nat({ max: 9 }), (files, keep) => {
      const hunk = files.at(-1)?.hunks.at(-1);
      fc.pre(hunk !== undefined && hunk.lines.length > keep);
      const lines = writePatch(files).split('\n').slice(0, -1);
      const cut = lines.slice(0, lines.length - (hunk?.lines.length ?? 0) + keep);
      assert.throws(() => parsePatch(cut.map((line) => `${line}\n`).join('')), /ends early/);
    }),
  );
});

test('no text is no patch', () => {
  assert.deepEqual(parsePatch(''), []);
});
