import assert from 'node:assert/strict';
import { chmod, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Mirrored } from '../../test/support/mirrored.ts';
import { attack, makeMirrored, readFiles, writeFiles } from '../../test/support/mirrored.ts';
import { repositoryAt } from '../../test/support/repository.ts';
import { git } from './git.ts';
import { importCommits } from './mirror.ts';
import type { ReviewerRepository } from './reviewer-repository.ts';
import { makeReviewerRepository } from './reviewer-repository.ts';

async function makeChange(mirrored: Mirrored): Promise<string> {
  await mirrored.repo.commit('the author says: trust me', { 'src/a.ts': 'export const a = 2;\n' });
  const head = await mirrored.repo.commit('second thoughts', { 'src/b.ts': 'b\n' });
  await importCommits(mirrored.mirror, mirrored.project, [head]);
  return head;
}

async function make(mirrored: Mirrored, name = 'review'): Promise<ReviewerRepository> {
  const head = await makeChange(mirrored);
  const dir = join(mirrored.repo.beside, name);
  return await makeReviewerRepository({
    mirror: mirrored.mirror.place,
    dir,
    mergeBase: mirrored.start,
    head,
    message: 'Add b\n\nIt should be b.',
  });
}

test('a reviewer sees the files of the head and one commit whose message is the task', async () => {
  await using mirrored = await makeMirrored();
  const review = await make(mirrored);
  assert.deepEqual(await readFiles(review.dir), { 'README.md': '# Sample\n', 'src/a.ts': 'export const a = 2;\n', 'src/b.ts': 'b\n' });
  const reviewer = repositoryAt(review.dir, review.dir);
  assert.equal(
    await reviewer.git('log', '--format=%H %an %at %s%n%b', '--all'),
    `${review.head} Volley 0 Add b\nIt should be b.\n\n${review.base} Volley 0 The state before the change\n`,
  );
  assert.equal(await reviewer.git('diff', '--name-only', review.base, review.head), 'src/a.ts\nsrc/b.ts');
  assert.equal(await reviewer.git('status', '--porcelain'), '');
});

test('nothing of the history, branches or messages of the author is named in it', async () => {
  await using mirrored = await makeMirrored();
  const { dir } = await make(mirrored);
  const reviewer = repositoryAt(dir, dir);
  assert.equal(await reviewer.git('for-each-ref', '--format=%(refname)'), 'refs/heads/review');
  assert.equal(await reviewer.git('remote'), '');
  assert.equal(await reviewer.git('reflog'), '');
});

test('modes and links are as in the head, and a second one is independent of the first', async () => {
  await using mirrored = await makeMirrored();
  await mirrored.repo.write('run.sh', '#!/bin/sh\n');
  await chmod(join(mirrored.repo.root, 'run.sh'), 0o755);
  await symlink('../outside', join(mirrored.repo.root, 'link'));
  const { dir } = await make(mirrored);
  const scratch = await make(mirrored, 'scratch');
  assert.deepEqual(await readFiles(scratch.dir), await readFiles(dir));
  await repositoryAt(scratch.dir, scratch.dir).commit('the reviewer may do what it likes', { 'src/a.ts': 'changed\n' });
  assert.equal(await repositoryAt(dir, dir).git('status', '--porcelain'), '');
});

test('equal input gives equal commits', async () => {
  await using mirrored = await makeMirrored();
  const input = { mirror: mirrored.mirror.place, mergeBase: mirrored.start, head: await makeChange(mirrored), message: 'Task' };
  const one = await makeReviewerRepository({ ...input, dir: join(mirrored.repo.beside, 'one') });
  const two = await makeReviewerRepository({ ...input, dir: join(mirrored.repo.beside, 'two') });
  assert.deepEqual([one.base, one.head], [two.base, two.head]);
});

test('the mirror gets no object, ref or file from it, whatever a reviewer commits', async () => {
  await using mirrored = await makeMirrored();
  const head = await makeChange(mirrored);
  const before = await readdir(mirrored.mirror.dir, { recursive: true });
  const dir = join(mirrored.repo.beside, 'review');
  await makeReviewerRepository({ mirror: mirrored.mirror.place, dir, mergeBase: mirrored.start, head, message: 'Task' });
  await repositoryAt(dir, dir).commit('evil', { evil: 'evil\n' });
  assert.deepEqual(await readdir(mirrored.mirror.dir, { recursive: true }), before);
});

test('a change that removes every file, and file names of all kinds, can be reviewed', async () => {
  await using mirrored = await makeMirrored({ 'a "b"\t\n.txt': 'x\n', 'ü/日本': 'y\n' });
  const kept = await make(mirrored, 'kept');
  assert.equal((await readFiles(kept.dir))['a "b"\t\n.txt'], 'x\n');
  await mirrored.repo.git('rm', '-r', '--quiet', '.');
  const head = await mirrored.repo.commit('nothing is left');
  await importCommits(mirrored.mirror, mirrored.project, [head]);
  const dir = join(mirrored.repo.beside, 'empty');
  const empty = await makeReviewerRepository({
    mirror: mirrored.mirror.place,
    dir,
    mergeBase: mirrored.start,
    head,
    message: 'Remove all',
  });
  assert.deepEqual(await readFiles(dir), {});
  assert.equal(await git(empty.place, ['status', '--porcelain']), '');
});

test('making it runs nothing that an author planted', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  const canary = await attack('all', checkout, mirrored.canary);
  await writeFiles(mirrored.repo.root, { '.gitattributes': '* filter=evil diff=evil\n' });
  const { dir } = await make(mirrored);
  assert.ok('.gitattributes' in (await readFiles(dir)));
  assert.ok(canary.survived());
});
