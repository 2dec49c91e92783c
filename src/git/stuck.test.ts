import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeMirrored, writeFiles } from '../../test/support/mirrored.ts';
import { VolleyError } from '../core/errors.ts';
import { git } from './git.ts';
import { findPipes, isAboutPipe } from './stuck.ts';

function makePipe(...steps: readonly string[]): string {
  const path = join(...steps);
  execFileSync('mkfifo', [path]);
  return path;
}

test('a git that waits for a pipe in the place of a file is stopped, and is told what it waited for', async () => {
  await using mirrored = await makeMirrored();
  const { dir, place } = await mirrored.open();
  const pipe = makePipe(dir, '.gitignore');
  await assert.rejects(git(place, ['status']), (error) => {
    assert.ok(error instanceof VolleyError && isAboutPipe(error));
    assert.equal(error.message, `Git waits for ${pipe}, which is a pipe and no file.`);
    return true;
  });
});

test('pipes are found where git reads files, by whatever way it comes to them', async () => {
  await using mirrored = await makeMirrored();
  const { dir, place } = await mirrored.open();
  const elsewhere = join(mirrored.repo.beside, 'elsewhere');
  await writeFiles(dir, { 'nested/.git': `gitdir: ${elsewhere}\n`, 'sub/x.txt': 'x\n', 'whole/.git/config': '' });
  await mkdir(elsewhere);
  makePipe(elsewhere, 'HEAD');
  await symlink(join(elsewhere, 'HEAD'), join(dir, 'sub', '.gitmodules'));
  const pipes = [makePipe(dir, 'sub', '.gitattributes'), makePipe(dir, 'whole', '.git', 'HEAD'), makePipe(place.gitDir, 'index')];
  const found = [...pipes, join(dir, 'nested', '.git'), join(dir, 'sub', '.gitmodules')];
  assert.deepEqual((await findPipes({ ...place, commonDir: place.gitDir })).toSorted(), found.toSorted());
});

test('a name that is no UTF-8 hides no pipe', async () => {
  await using mirrored = await makeMirrored();
  const { dir, place } = await mirrored.open();
  const folder = Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xff])]);
  await mkdir(folder);
  execFileSync('sh', ['-c', 'cd "$1"/*[!a-zA-Z.]* && mkfifo .gitignore', 'sh', dir], { env: { ...process.env, LC_ALL: 'C' } });
  assert.deepEqual(await findPipes(place), [Buffer.concat([folder, Buffer.from('/.gitignore')]).toString('latin1')]);
});

test('pipes that git does not open are left alone', async () => {
  await using mirrored = await makeMirrored();
  const { dir, place, agentDir } = await mirrored.open();
  makePipe(dir, 'a-pipe-of-theirs');
  makePipe(agentDir, 'another');
  assert.deepEqual(await findPipes(place), []);
});
