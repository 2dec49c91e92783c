import assert from 'node:assert/strict';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { VolleyError } from '../core/errors.ts';
import { makeRepository, TEST_IDENTITY } from '../../test/support/repository.ts';
import { openProject, userIdentity, worktreeStatus } from './project.ts';

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof VolleyError && error.code === code && error.remedy !== '';
}

test('a project is found from any folder in it', async () => {
  await using repository = await makeRepository({ files: { 'deep/er/file': 'x' } });
  const project = await openProject(join(repository.root, 'deep', 'er'));
  assert.equal(project.root, repository.root);
  assert.equal(project.commonDir, join(repository.root, '.git'));
  assert.match(project.key, /^project-[0-9a-f]{8}$/);
});

test('a linked work tree is the same project with a head of its own', async () => {
  await using repository = await makeRepository();
  await repository.git('worktree', 'add', '--quiet', '-b', 'feature', '../linked tree');
  const main = await openProject(repository.root);
  const linked = await openProject(join(repository.beside, 'linked tree'));
  assert.deepEqual([linked.root, linked.commonDir, linked.key], [main.root, main.commonDir, main.key]);
  assert.equal(linked.currentWorktree, join(repository.beside, 'linked tree'));
  assert.notEqual(linked.place.gitDir, main.place.gitDir);
});

test('the root of a bare repository with work trees is its first work tree', async () => {
  await using repository = await makeRepository();
  const bare = join(repository.beside, 'bare');
  await repository.git('clone', '--quiet', '--bare', repository.root, bare);
  await repository.git('--git-dir', bare, 'worktree', 'add', '--quiet', '--detach', join(repository.beside, 'one'));
  await repository.git('--git-dir', bare, 'worktree', 'add', '--quiet', '--detach', join(repository.beside, 'two'));
  assert.equal((await openProject(join(repository.beside, 'two'))).root, join(repository.beside, 'one'));
});

test('a work tree whose repository lies apart is its own root', async () => {
  await using repository = await makeRepository();
  await repository.git('clone', '--quiet', '--separate-git-dir', '../apart.git', repository.root, '../elsewhere');
  const project = await openProject(join(repository.beside, 'elsewhere'));
  assert.equal(project.root, join(repository.beside, 'elsewhere'));
});

test('a submodule is a project of its own, in linked work trees too', async () => {
  await using repository = await makeRepository();
  await repository.git('clone', '--quiet', repository.root, '../inner');
  await repository.git('submodule', '--quiet', 'add', join(repository.beside, 'inner'), 'module');
  const inside = join(repository.root, 'module');
  assert.equal((await openProject(inside)).root, inside);
  await repository.git('-C', inside, 'worktree', 'add', '--quiet', '--detach', join(repository.beside, 'linked'));
  assert.equal((await openProject(join(repository.beside, 'linked'))).root, inside);
});

test('no repository, no folder, a bare one and one without commits are refused', async () => {
  await using repository = await makeRepository({ files: {} });
  const bare = join(repository.beside, 'bare');
  await mkdir(bare);
  await repository.git('init', '--quiet', '--bare', bare);
  await assert.rejects(openProject(repository.beside), hasCode('not-a-repository'));
  await assert.rejects(openProject(join(repository.beside, 'gone')), hasCode('not-accessible'));
  await assert.rejects(openProject(bare), hasCode('unsupported-repository'));
  await assert.rejects(openProject(repository.root), hasCode('no-commits'));
  await assert.rejects(openProject(join(repository.root, '.git')), hasCode('not-a-repository'));
});

test('the identity is the one that git would commit with', async () => {
  await using repository = await makeRepository();
  const project = await openProject(repository.root);
  assert.deepEqual(await userIdentity(project), { ...TEST_IDENTITY, assumed: false });
  await repository.git('config', 'author.name', 'Pen Name');
  assert.equal((await userIdentity(project)).name, 'Pen Name');
});

test('without an identity Volley takes its own and says so', async () => {
  await using repository = await makeRepository();
  await repository.git('config', 'user.email', '');
  assert.deepEqual(await userIdentity(await openProject(repository.root)), { name: 'Volley', email: 'volley@localhost', assumed: true });
});

test('the status tells edits from new files and leaves the index alone', async () => {
  await using repository = await makeRepository({ files: { 'a file': '1', other: '1', '.gitignore': 'ignored\n' } });
  const project = await openProject(repository.root);
  assert.deepEqual(await worktreeStatus(project), { dirty: false, untracked: false, paths: [] });
  await repository.write('ignored', 'x');
  await repository.write('new\tfile', 'x');
  assert.deepEqual(await worktreeStatus(project), { dirty: false, untracked: true, paths: ['new\tfile'] });
  await repository.write('a file', '22');
  await rm(join(repository.root, 'other'));
  const index = join(repository.root, '.git', 'index');
  const before = [await readFile(index), (await stat(index)).mtimeMs];
  assert.deepEqual(await worktreeStatus(project), { dirty: true, untracked: true, paths: ['a file', 'other', 'new\tfile'] });
  assert.deepEqual([await readFile(index), (await stat(index)).mtimeMs], before);
});
