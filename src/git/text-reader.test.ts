import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { makeRepository } from '../../test/support/repository.ts';
import type { GitPlace } from './git.ts';
import { textReader } from './text-reader.ts';

function placeOf(root: string): GitPlace {
  const gitDir = join(root, '.git');
  return { gitDir, commonDir: gitDir, workTree: root, trusted: true };
}

test('many files of several commits are read in the order in which they were asked for', async () => {
  await using repository = await makeRepository({ files: { 'a.txt': 'old\n', 'empty.txt': '', 'dir/ö ü.txt': 'umlauts ä\n' } });
  const first = await repository.git('rev-parse', 'HEAD');
  const second = await repository.commit('second', { 'a.txt': 'new\n', 'missing\nname': 'x' });
  const read = textReader(placeOf(repository.root));
  const texts = await Promise.all([
    read(first, 'a.txt'),
    read(first, 'missing\nname'),
    read(second, 'missing\nname'),
    read(second, 'dir'),
    read(second, 'no such file'),
    read(second, 'empty.txt'),
    read(second, 'dir/ö ü.txt'),
    read(second, 'a.txt'),
  ]);
  assert.deepEqual(texts, ['old\n', null, 'x', null, null, '', 'umlauts ä\n', 'new\n']);
});

test('what is asked for in one moment costs one git process', async () => {
  await using repository = await makeRepository();
  const [folder, log] = [join(repository.beside, 'bin'), join(repository.beside, 'log')];
  await mkdir(folder);
  await writeFile(join(folder, 'git'), `#!/bin/sh\necho git >> '${log}'\nPATH=\${PATH#*:} exec git "$@"\n`);
  await chmod(join(folder, 'git'), 0o755);
  const path = process.env['PATH'] ?? '';
  const head = await repository.git('rev-parse', 'HEAD');
  process.env['PATH'] = `${folder}${delimiter}${path}`;
  try {
    const read = textReader(placeOf(repository.root));
    await Promise.all(Array.from({ length: 50 }, async (_, n) => await read(head, n % 2 === 0 ? 'README.md' : `file-${n}`)));
  } finally {
    process.env['PATH'] = path;
  }
  assert.equal(await readFile(log, 'utf8'), 'git\n');
});

test('a path that no tree can have is no file, and a commit that does not exist has none', async () => {
  await using repository = await makeRepository();
  const head = await repository.git('rev-parse', 'HEAD');
  const read = textReader(placeOf(repository.root));
  assert.deepEqual(await Promise.all([read(head, './README.md'), read(head, '/README.md'), read('0'.repeat(40), 'README.md')]), [
    null,
    null,
    null,
  ]);
});
