import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeRepository, repositoryAt } from '../../test/support/repository.ts';
import type { TestRepository } from '../../test/support/repository.ts';
import { git } from './git.ts';
import { importCommits, openMirror } from './mirror.ts';
import type { Mirror } from './mirror.ts';
import { openProject } from './project.ts';
import type { Project } from './project.ts';

async function open(repository: TestRepository): Promise<{ project: Project; mirror: Mirror; stateDir: string }> {
  const project = await openProject(repository.root);
  const stateDir = join(repository.beside, 'state: "odd"');
  return { project, mirror: await openMirror({ project, stateDir }), stateDir };
}

/** The history that a mirror has of a commit; fails if any object of it is missing. */
async function history(mirror: Mirror, commit: string): Promise<string[]> {
  await git(mirror.place, ['rev-list', '--objects', '--quiet', commit]);
  return (await git(mirror.place, ['rev-list', commit])).trim().split('\n');
}

test('a mirror has the imported commits, and none of the refs, remotes and hooks', async () => {
  await using repository = await makeRepository();
  await repository.git('remote', 'add', 'origin', 'https://someone:secret@forge.invalid/x');
  await repository.git('tag', 'v1');
  const { project, mirror } = await open(repository);
  const commit = await repository.git('rev-parse', 'HEAD');
  await importCommits(mirror, project, [commit]);
  assert.deepEqual(await history(mirror, commit), [commit]);
  assert.equal(await git(mirror.place, ['for-each-ref', '--format=%(refname)']), `refs/volley/base/${commit}\n`);
  assert.doesNotMatch(await readFile(join(mirror.dir, 'config'), 'utf8'), /secret|remote/);
});

test('later commits are imported when they are asked for', async () => {
  await using repository = await makeRepository();
  const { project, mirror } = await open(repository);
  const first = await repository.git('rev-parse', 'HEAD');
  await importCommits(mirror, project, [first]);
  const second = await repository.commit('second', { 'new file': 'x' });
  await repository.git('checkout', '--quiet', '-b', 'side', first);
  const side = await repository.commit('side', { other: 'x' });
  await importCommits(mirror, project, [second, side, first]);
  assert.deepEqual(await history(mirror, second), [second, first]);
  assert.deepEqual(await history(mirror, side), [side, first]);
});

test('what is deleted in the repository stays alive in the mirror', async () => {
  await using repository = await makeRepository();
  const { project, mirror } = await open(repository);
  const first = await repository.git('rev-parse', 'HEAD');
  const lost = await repository.commit('lost', { lost: 'x' });
  await importCommits(mirror, project, [first, lost]);
  await repository.git('reset', '--quiet', '--hard', first);
  await repository.git('reflog', 'expire', '--expire=now', '--all');
  await repository.git('gc', '--quiet', '--prune=now');
  await git(mirror.place, ['gc', '--quiet', '--prune=now']);
  assert.deepEqual(await history(mirror, lost), [lost, first]);
});

test('the repository itself is only read', async () => {
  await using repository = await makeRepository();
  const { project, mirror } = await open(repository);
  const commit = await repository.commit('second', { a: '1' });
  const before = await fingerprint(join(repository.root, '.git'));
  await importCommits(mirror, project, [commit]);
  assert.deepEqual(await fingerprint(join(repository.root, '.git')), before);
});

async function fingerprint(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return await Promise.all(entries.toSorted().map(async (entry) => `${entry} ${(await stat(join(folder, entry))).mtimeMs}`));
}

test('a packed repository is linked, not copied', async () => {
  await using repository = await makeRepository();
  await repository.git('gc', '--quiet');
  const { mirror } = await open(repository);
  const pack = (await readdir(join(mirror.dir, 'objects', 'pack'))).find((name) => name.endsWith('.pack')) ?? '';
  const [ours, theirs] = await Promise.all(
    [mirror.dir, join(repository.root, '.git')].map(async (dir) => await stat(join(dir, 'objects', 'pack', pack))),
  );
  assert.equal(ours?.ino, theirs?.ino);
});

test('processes that make a mirror at once end up with one', async () => {
  await using repository = await makeRepository();
  const project = await openProject(repository.root);
  const stateDir = join(repository.beside, 'state');
  const mirrors = await Promise.all(Array.from({ length: 6 }, async () => await openMirror({ project, stateDir })));
  const commit = await repository.git('rev-parse', 'HEAD');
  await Promise.all(mirrors.map(async (mirror) => await importCommits(mirror, project, [commit])));
  assert.deepEqual(await readdir(join(stateDir, project.key)), ['repo.git']);
});

test('what a crashed process left of a mirror is removed', async () => {
  await using repository = await makeRepository();
  const project = await openProject(repository.root);
  const stateDir = join(repository.beside, 'state');
  await mkdir(join(stateDir, project.key, 'draft-999999999-abc', 'objects'), { recursive: true });
  await openMirror({ project, stateDir });
  assert.deepEqual(await readdir(join(stateDir, project.key)), ['repo.git']);
});

test('a shallow clone is mirrored with its boundary, and deepened with it', async () => {
  await using origin = await makeRepository();
  for (const name of ['2', '3', '4', '5', '6']) await origin.commit(name, { file: name });
  await origin.git('clone', '--quiet', '--depth=2', `file://${origin.root}`, '../shallow');
  const shallow = repositoryAt(join(origin.beside, 'shallow'), origin.beside);
  const { project, mirror } = await open(shallow);
  const head = await shallow.git('rev-parse', 'HEAD');
  await importCommits(mirror, project, [head]);
  assert.equal((await history(mirror, head)).length, 2);
  await shallow.git('fetch', '--quiet', '--deepen=1');
  await importCommits(mirror, project, [head]);
  assert.equal((await history(mirror, head)).length, 3);
  await origin.commit('7', { file: '7' });
  await shallow.git('fetch', '--quiet', '--depth=1');
  const newest = await shallow.git('rev-parse', 'FETCH_HEAD');
  await importCommits(mirror, project, [newest]);
  assert.deepEqual([(await history(mirror, newest)).length, (await history(mirror, head)).length], [1, 3]);
  await shallow.git('fetch', '--quiet', '--unshallow');
  await importCommits(mirror, project, [newest]);
  assert.equal((await history(mirror, newest)).length, 7);
});

test('borrowed objects are taken along', async () => {
  await using origin = await makeRepository();
  await origin.git('clone', '--quiet', '--shared', origin.root, '../borrower');
  const borrower = repositoryAt(join(origin.beside, 'borrower'), origin.beside);
  const commit = await borrower.commit('own', { own: 'x' });
  const { project, mirror } = await open(borrower);
  await importCommits(mirror, project, [commit]);
  await rm(join(origin.root, '.git'), { recursive: true });
  assert.equal((await history(mirror, commit)).length, 2);
});

test('a SHA-256 repository is mirrored as one', async () => {
  await using origin = await makeRepository();
  await origin.git('init', '--quiet', '--object-format=sha256', '../longer');
  const longer = repositoryAt(join(origin.beside, 'longer'), origin.beside);
  await longer.commit('one', { a: '1' });
  const { project, mirror } = await open(longer);
  const commit = await longer.commit('two', { a: '2' });
  await importCommits(mirror, project, [commit]);
  assert.equal((await history(mirror, commit)).length, 2);
});

test('a submodule stays a commit id', async () => {
  await using repository = await makeRepository();
  await repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
  await repository.git('commit', '--quiet', '--message', 'module');
  const commit = await repository.git('rev-parse', 'HEAD');
  const { project, mirror } = await open(repository);
  await importCommits(mirror, project, [commit]);
  assert.match(await git(mirror.place, ['ls-tree', commit, 'module']), /^160000 commit 1{40}/);
});

test('line endings are inherited from any config, programs from the user only, and both stay up to date', async () => {
  await using repository = await makeRepository();
  const global = join(process.env['HOME'] ?? '', '.gitconfig');
  const text = await readFile(global, 'utf8');
  await repository.git('config', 'filter.lfs.clean', 'evil');
  await repository.git('config', 'filter.evil.clean', 'evil');
  await repository.git('config', 'core.autocrlf', 'input');
  try {
    await writeFile(global, `${text}[filter "lfs"]\n\tsmudge = "git-lfs smudge -- \\"%f\\""\n`);
    const { project, mirror, stateDir } = await open(repository);
    assert.equal(await git(mirror.place, ['config', 'core.autocrlf']), 'input\n');
    assert.equal(await git(mirror.place, ['config', '--get-regexp', '^filter\\.']), 'filter.lfs.smudge git-lfs smudge -- "%f"\n');
    await repository.git('config', 'core.autocrlf', 'false');
    const again = await openMirror({ project, stateDir });
    assert.equal(await git(again.place, ['config', 'core.autocrlf']), 'false\n');
  } finally {
    await writeFile(global, text);
  }
});

test('a partial clone gets what is missing from where it came from', async () => {
  await using origin = await makeRepository({ files: { big: 'first\n' } });
  await origin.git('config', 'uploadpack.allowFilter', 'true');
  await origin.commit('second', { big: 'second\n' });
  await origin.git('clone', '--quiet', '--filter=blob:none', `file://${origin.root}`, '../partial');
  const partial = repositoryAt(join(origin.beside, 'partial'), origin.beside);
  const { project, mirror } = await open(partial);
  const commit = await partial.commit('third', { own: 'x' });
  await importCommits(mirror, project, [commit]);
  assert.equal(await git(mirror.place, ['cat-file', '-p', `${commit}~2:big`]), 'first\n');
});
