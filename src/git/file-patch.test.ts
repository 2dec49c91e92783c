import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeNasty } from '../../test/support/nasty.ts';
import { commitOddName, ODD_NAME } from '../../test/support/odd-names.ts';
import { makeRepository } from '../../test/support/repository.ts';
import { parsePatch } from '../core/parse-patch.ts';
import { readChange } from './change.ts';
import { readFilePatch } from './file-patch.ts';
import type { FilePatchOptions } from './file-patch.ts';

function wanted(root: string, given: Pick<FilePatchOptions, 'base' | 'head' | 'path'> & Partial<FilePatchOptions>): FilePatchOptions {
  const place = { gitDir: join(root, '.git'), commonDir: join(root, '.git'), workTree: root, trusted: true };
  return { place, oldPath: null, whitespace: 'show', context: 3, mostBytes: 1_000_000, ...given };
}

test('the nasty change is made of the patches of its files', async () => {
  const nasty = await makeNasty();
  await using repository = nasty.repository;
  const change = await readChange({ place: wanted(repository.root, { ...nasty, path: '' }).place, base: nasty.base, head: nasty.head });
  const parts = [];
  for (const { path, oldPath } of change.files) parts.push(await readFilePatch(wanted(repository.root, { ...nasty, path, oldPath })));
  assert.ok(parts.map(({ text }) => text).join('') === change.patch);
  assert.ok(parts.every(({ missingLines }) => missingLines === 0));
});

test('a file in whose place a folder stands is shown alone', async () => {
  await using repository = await makeRepository({ files: { 'a*': 'file\n' } });
  const base = await repository.git('rev-parse', 'HEAD');
  await repository.remove('a*');
  const head = await repository.commit('folder', { 'a*/inside': 'x\n', ab: 'y\n' });
  const { text } = await readFilePatch(wanted(repository.root, { base, head, path: 'a*' }));
  assert.deepEqual(
    parsePatch(text).map(({ path, status }) => [path, status]),
    [['a*', 'deleted']],
  );
});

test('context and spaces are shown as asked for', async () => {
  const lines = Array.from({ length: 40 }, (_, n) => `line ${n}\n`);
  await using repository = await makeRepository({ files: { a: lines.join('') } });
  const base = await repository.git('rev-parse', 'HEAD');
  const head = await repository.commit('edit', { a: lines.join('').replace('line 5\n', 'line  5\n').replace('line 20\n', 'twenty\n') });
  const hunks = async (given: Partial<FilePatchOptions>): Promise<readonly number[]> => {
    const { text } = await readFilePatch(wanted(repository.root, { base, head, path: 'a', ...given }));
    return parsePatch(text).flatMap((file) => file.hunks.map((hunk) => hunk.lines.length));
  };
  assert.deepEqual(await hunks({}), [8, 8]);
  assert.deepEqual(await hunks({ context: 0 }), [2, 2]);
  assert.deepEqual(await hunks({ context: 1_000_000 }), [42]);
  assert.deepEqual(await hunks({ whitespace: 'hide' }), [8]);
});

test('a path that is no UTF-8 has a patch like any other', async () => {
  await using repository = await makeRepository();
  const base = await commitOddName(repository, 'one\n');
  await repository.git('reset', '--quiet');
  const head = await commitOddName(repository, 'two\n');
  const { text } = await readFilePatch(wanted(repository.root, { base, head, path: ODD_NAME.text }));
  const [file, ...others] = parsePatch(text);
  assert.deepEqual([file?.path, file?.hunks[0]?.lines.map((line) => line.text), others.length], [ODD_NAME.text, ['one', 'two'], 0]);
});

test('a patch that is cut anywhere is a whole patch of fewer lines', async () => {
  const before = Array.from({ length: 60 }, (_, n) => `line ${n}\n`);
  const after = before.toSpliced(3, 2, 'x\n').toSpliced(30, 1, 'y\n', 'z\n', 'ä\n').toSpliced(50, 3);
  await using repository = await makeRepository({ files: { a: before.join('') } });
  const base = await repository.git('rev-parse', 'HEAD');
  const head = await repository.commit('edit', { a: `${after.join('')}open end` });
  const all = await readFilePatch(wanted(repository.root, { base, head, path: 'a' }));
  const lines = (text: string): readonly string[] =>
    parsePatch(text).flatMap((file) =>
      file.hunks.flatMap((hunk) => hunk.lines.map((line) => `${line.kind} ${line.oldLine} ${line.newLine} ${line.text}`)),
    );
  const whole = lines(all.text);
  assert.ok(whole.length > 30);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: all.text.length + 10 }), async (mostBytes) => {
      const { text, missingLines } = await readFilePatch(wanted(repository.root, { base, head, path: 'a', mostBytes }));
      const kept = lines(text);
      assert.deepEqual(kept, whole.slice(0, kept.length));
      assert.equal(kept.length + missingLines, whole.length);
      assert.ok(Buffer.byteLength(text) <= mostBytes + 400);
      if (missingLines === 0) assert.equal(text, all.text);
    }),
    { numRuns: 40 },
  );
});

test('one endless line is left out, in bounded memory', async () => {
  await using repository = await makeRepository();
  const base = await repository.git('rev-parse', 'HEAD');
  const head = await repository.commit('long', { long: `first\n${'x'.repeat(30_000_000)}\nlast\n` });
  const { text, missingLines } = await readFilePatch(wanted(repository.root, { base, head, path: 'long' }));
  assert.deepEqual([missingLines, parsePatch(text)[0]?.hunks[0]?.lines.map((line) => line.text)], [2, ['first']]);
});
