import assert from 'node:assert/strict';
import { readFile, readdir, stat, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeMirrored } from '../../test/support/mirrored.ts';
import { makeRepository } from '../../test/support/repository.ts';
import type { TestRepository } from '../../test/support/repository.ts';
import { git } from './git.ts';
import { openMirror } from './mirror.ts';
import { openProject } from './project.ts';
import { snapshotWorkingTree } from './snapshot.ts';

/** Takes a snapshot and lists it: mode and content of every file. */
async function snapshotOf(repository: TestRepository, cwd = repository.root): Promise<Record<string, string> | null> {
  const project = await openProject(cwd);
  const mirror = await openMirror({ project, stateDir: join(repository.beside, 'state') });
  const snapshot = await snapshotWorkingTree({ project, mirror });
  if (snapshot === null) return null;
  await git(mirror.place, ['rev-list', '--objects', '--quiet', snapshot.commit]);
  assert.equal(
    (await git(mirror.place, ['log', '-1', '--format=%s %P %T', snapshot.commit])).trim(),
    `volley: working tree ${await repository.git('-C', cwd, 'rev-parse', 'HEAD')} ${snapshot.tree}`,
  );
  const listed = (await git(mirror.place, ['ls-tree', '-r', '-z', snapshot.commit])).split('\0').slice(0, -1);
  const files: Record<string, string> = {};
  for (const entry of listed) {
    const [mode = '', type, id = ''] = entry.slice(0, entry.indexOf('\t')).split(' ');
    files[entry.slice(entry.indexOf('\t') + 1)] = `${mode} ${type === 'blob' ? await git(mirror.place, ['cat-file', 'blob', id]) : id}`;
  }
  return files;
}

/** Bytes and times, but for the times of objects: git touches one that it would have written again. */
async function fingerprint(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return await Promise.all(
    paths.map(
      async (path) =>
        `${path} ${path.includes('/objects/') ? '' : (await stat(path)).mtimeMs} ${(await readFile(path)).toString('base64')}`,
    ),
  );
}

test('a clean tree has no snapshot', async () => {
  await using repository = await makeRepository();
  assert.equal(await snapshotOf(repository), null);
});

test('a snapshot holds edits, deletions and new files, and not what is ignored', async () => {
  await using repository = await makeRepository({ files: { edited: '1', deleted: '1', kept: '1', '.gitignore': 'ignored\n' } });
  await repository.write('edited', '2');
  await repository.remove('deleted');
  await repository.write('ignored', 'x');
  await repository.write('new "file"\t', 'x');
  assert.deepEqual(await snapshotOf(repository), {
    '.gitignore': '100644 ignored\n',
    edited: '100644 2',
    kept: '100644 1',
    'new "file"\t': '100644 x',
  });
});

test('a snapshot keeps modes, links and a folder in the place of a file', async () => {
  await using repository = await makeRepository({ files: { thing: '1', plain: '1' } });
  await repository.remove('thing');
  await repository.write('thing/inside', '2');
  await repository.write('run', 'x', { executable: true });
  await symlink('nowhere', join(repository.root, 'link'));
  assert.deepEqual(await snapshotOf(repository), {
    link: '120000 nowhere',
    plain: '100644 1',
    run: '100755 x',
    'thing/inside': '100644 2',
  });
});

test('what is staged only counts as far as it is in the tree', async () => {
  await using repository = await makeRepository({ files: { a: '1' } });
  await repository.write('staged', 'x');
  await repository.write('a', '2');
  await repository.git('add', '--all');
  await repository.write('a', '3');
  await repository.git('rm', '--quiet', '--cached', '--force', 'staged');
  assert.deepEqual(await snapshotOf(repository), { a: '100644 3', staged: '100644 x' });
});

test('a conflict is taken as it stands in the tree', async () => {
  await using repository = await makeRepository({ files: { a: '1\n' } });
  await repository.git('checkout', '--quiet', '-b', 'side');
  await repository.commit('side', { a: 'side\n' });
  await repository.git('checkout', '--quiet', 'main');
  await repository.commit('main', { a: 'main\n' });
  await repository.git('merge', 'side').catch(() => undefined);
  await repository.write('a', 'resolved\n');
  assert.deepEqual(await snapshotOf(repository), { a: '100644 resolved\n' });
});

test('the repository of the user stays as it was, byte by byte', async () => {
  await using repository = await makeRepository({ files: { a: '1' } });
  await repository.write('a', '2');
  await repository.write('new', 'x');
  await repository.write('staged', 'x');
  await repository.git('add', 'staged');
  const before = await fingerprint(repository.root);
  assert.notEqual(await snapshotOf(repository), null);
  assert.deepEqual(await fingerprint(repository.root), before);
});

test('an edit of the same size in the same moment is seen', async () => {
  await using repository = await makeRepository({ files: { a: '1' } });
  await repository.git('update-index', '--refresh');
  await repository.write('a', '2');
  assert.deepEqual(await snapshotOf(repository), { a: '100644 2' });
});

test('files outside of a sparse checkout survive', async () => {
  await using repository = await makeRepository({ files: { 'in/a': '1', 'out/b': '1' } });
  await repository.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
  await repository.write('in/a', '2');
  assert.deepEqual(await snapshotOf(repository), { 'in/a': '100644 2', 'out/b': '100644 1' });
});

test('a submodule is kept as the commit that it stands on, a stray repository is left out', async () => {
  await using repository = await makeRepository();
  await repository.git('clone', '--quiet', repository.root, '../inner');
  await repository.git('submodule', '--quiet', 'add', join(repository.beside, 'inner'), 'module');
  await repository.commit('module');
  await repository.git('clone', '--quiet', repository.root, 'stray');
  await repository.git('-C', 'module', 'commit', '--quiet', '--allow-empty', '--message', 'moved');
  const files = await snapshotOf(repository);
  assert.equal(files?.['module'], `160000 ${await repository.git('-C', 'module', 'rev-parse', 'HEAD')}`);
  assert.deepEqual(Object.keys(files ?? {}), ['.gitmodules', 'README.md', 'module']);
});

test('a linked work tree is taken, not the main one', async () => {
  await using repository = await makeRepository({ files: { a: '1' } });
  await repository.git('worktree', 'add', '--quiet', '-b', 'side', '../linked');
  await repository.write('a', 'main');
  await repository.write('../linked/a', 'linked');
  assert.deepEqual(await snapshotOf(repository, join(repository.beside, 'linked')), { a: '100644 linked' });
});

test('line endings are stored as the repository wants them', async () => {
  await using repository = await makeRepository({ files: { '.gitattributes': '*.txt text\n', 'a.txt': 'x\n' } });
  await repository.write('a.txt', 'x\r\ny\r\n');
  assert.equal((await snapshotOf(repository))?.['a.txt'], '100644 x\ny\n');
});

test('a tree in which nothing changed has the same commit again, until something does', async () => {
  await using mirrored = await makeMirrored();
  const { mirror, project, repo } = mirrored;
  await repo.write('new', 'one\n');
  const first = await snapshotWorkingTree({ project, mirror });
  const ref = join(mirror.dir, 'refs', 'volley', 'base', first?.commit ?? '');
  await utimes(ref, new Date(0), new Date(0));
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  assert.deepEqual(await snapshotWorkingTree({ project, mirror }), first);
  assert.ok((await stat(ref)).mtimeMs > Date.now() - 60_000, 'it counts as new');
  await repo.write('new', 'two\n');
  assert.notEqual((await snapshotWorkingTree({ project, mirror }))?.commit, first?.commit);
  await repo.commit('another parent', { new: 'three\n' });
  await repo.write('new', 'one\n');
  assert.notEqual((await snapshotWorkingTree({ project, mirror }))?.commit, first?.commit);
});
