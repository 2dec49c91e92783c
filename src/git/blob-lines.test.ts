import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeRepository } from '../../test/support/repository.ts';
import type { TestRepository } from '../../test/support/repository.ts';
import { findFile, readBlobLines } from './blob-lines.ts';
import type { LinesRead } from './blob-lines.ts';
import type { GitPlace } from './git.ts';

function placeOf({ root }: TestRepository): GitPlace {
  return { gitDir: join(root, '.git'), commonDir: join(root, '.git'), workTree: root, trusted: true };
}

async function read(
  repository: TestRepository,
  content: string | Uint8Array,
  given: { readonly start?: number; readonly end?: number; readonly mostBytes?: number } = {},
): Promise<LinesRead> {
  const blob = (await repository.gitBytes(content, 'hash-object', '-w', '--stdin')).toString().trim();
  return await readBlobLines({ place: placeOf(repository), blob, start: 1, end: 1_000_000, mostBytes: 10_000_000, ...given });
}

test('lines are those of the text, whatever is asked for', async () => {
  await using repository = await makeRepository();
  const lines = fc.array(fc.constantFrom('', 'a', 'b\r', 'ä', '\u2028', 'x'.repeat(70_000)), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(lines, fc.boolean(), fc.tuple(fc.nat(14), fc.nat(14)), async (given, isOpen, [from, count]) => {
      const text = given.map((line) => `${line}\n`).join('') + (isOpen ? 'open' : '');
      const all = isOpen ? [...given, 'open'] : given;
      const result = await read(repository, text, { start: from + 1, end: from + count });
      assert.deepEqual(result.lines, all.slice(from, from + count));
      assert.deepEqual([result.totalLines, result.endsWithNewline, result.truncated], [all.length, text.endsWith('\n'), false]);
    }),
    { numRuns: 60 },
  );
});

test('more than may be given is cut behind a line, and binary files have no lines', async () => {
  await using repository = await makeRepository();
  const cut = await read(repository, 'first\nsecond\nthird\n', { mostBytes: 10 });
  assert.deepEqual([cut.lines, cut.truncated, cut.totalLines], [['first'], true, 3]);
  const endless = await read(repository, 'x'.repeat(20_000_000), { mostBytes: 1000 });
  assert.deepEqual([endless.lines, endless.truncated, endless.totalLines], [[], true, 1]);
  assert.partialDeepStrictEqual(await read(repository, Buffer.from([65, 10, 0, 10])), { binary: true, lines: [] });
});

test('a path is looked for in the tree alone', async () => {
  await using repository = await makeRepository({ files: { 'src/a.ts': 'a\n', 'we*rd [x]': 'w\n', '%2e%2e': 'p\n' } });
  await symlink('/etc', join(repository.root, 'etc'));
  await symlink('src/a.ts', join(repository.root, 'link'));
  const commit = await repository.commit('links');
  const place = placeOf(repository);
  for (const path of ['src/a.ts', 'we*rd [x]', '%2e%2e']) assert.equal((await findFile(place, commit, path))?.mode, '100644', path);
  assert.equal((await findFile(place, commit, 'link'))?.mode, '120000');
  const none = ['', '.', '..', '/', 'src', 'src/', 'src//a.ts', './src/a.ts', 'src/./a.ts', 'src/../src/a.ts', '../project/src/a.ts'];
  const attacks = [
    '/etc/passwd',
    'etc/passwd',
    'link/x',
    '.git/config',
    'src/.GIT/config',
    'src/a.ts\0',
    'src\\a.ts',
    'C:\\a',
    '%2e%2e%2fx',
    'SRC/A.TS',
    ':/',
    ':(top)src/a.ts',
    '*',
    '--help',
  ];
  for (const path of [...none, ...attacks]) assert.equal(await findFile(place, commit, path), null, path);
});
