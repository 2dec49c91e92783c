import assert from 'node:assert/strict';
import { copyFile, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Mirrored } from '../../test/support/mirrored.ts';
import { attack, makeMirrored, writeFiles } from '../../test/support/mirrored.ts';
import { TEST_IDENTITY } from '../../test/support/repository.ts';
import { commitAll } from './commit.ts';
import { readBranch } from './holders.ts';
import type { PublishResult } from './publish.ts';
import { publishBranch } from './publish.ts';

async function work(mirrored: Mirrored, parent: string, text: string): Promise<string> {
  const checkout = await mirrored.open();
  await writeFiles(checkout.dir, { 'src/a.ts': text, [`deep/er/${text}.ts`]: text });
  const result = await commitAll({
    checkout,
    id: 1,
    parent,
    message: text,
    trailers: {},
    identity: TEST_IDENTITY,
    at: new Date(0),
    exclude: [],
  });
  return result.kind === 'committed' ? result.head.commit : assert.fail(result.kind);
}

async function publish(
  mirrored: Mirrored,
  commit: string,
  options: { readonly known?: readonly string[]; readonly branch?: string } = {},
): Promise<PublishResult> {
  const { mirror, project } = mirrored;
  return await publishBranch({
    mirror: mirror.place,
    user: project.place,
    branch: options.branch ?? 'volley/1-x',
    commit,
    known: options.known ?? [],
  });
}

/** Everything in the user's repository but objects and the one branch with its log. */
async function surroundings(mirrored: Mirrored): Promise<Record<string, string>> {
  const { root } = mirrored.repo;
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const others = paths.filter((path) => !/\/\.git\/(?:objects|(?:logs\/)?refs\/heads\/volley)\//.test(path));
  return Object.fromEntries(await Promise.all(others.map(async (path) => [path, await readFile(path, 'latin1')] as const)));
}

test("the branch appears in the user's repository with all its objects, and nothing else changes", async () => {
  await using mirrored = await makeMirrored();
  const before = await surroundings(mirrored);
  const first = await work(mirrored, mirrored.start, 'one');
  assert.deepEqual(await publish(mirrored, first), { kind: 'published' });
  const second = await work(mirrored, first, 'two');
  assert.deepEqual(await publish(mirrored, second, { known: [first] }), { kind: 'published' });
  assert.equal(await readBranch(mirrored.project.place, 'volley/1-x'), second);
  assert.equal(await mirrored.repo.git('show', 'volley/1-x:src/a.ts'), 'two');
  assert.deepEqual(await surroundings(mirrored), before);
  assert.equal(await mirrored.repo.git('fsck', '--no-dangling'), '');
});

test('publishing again is up to date, and a deleted branch is made again', async () => {
  await using mirrored = await makeMirrored();
  const commit = await work(mirrored, mirrored.start, 'one');
  await publish(mirrored, commit);
  assert.deepEqual(await publish(mirrored, commit, { known: [commit] }), { kind: 'up-to-date' });
  await mirrored.repo.git('branch', '-D', 'volley/1-x');
  assert.equal(await readBranch(mirrored.project.place, 'volley/1-x'), null);
  assert.deepEqual(await publish(mirrored, commit, { known: [commit] }), { kind: 'published' });
});

test('objects that agents packed in the mirror arrive too', async () => {
  await using mirrored = await makeMirrored();
  const commit = await work(mirrored, mirrored.start, 'one');
  await mirrored.git('repack', '-a', '-d', '-q');
  await publish(mirrored, commit);
  assert.equal(await mirrored.repo.git('fsck', '--no-dangling'), '');
  assert.equal(await mirrored.repo.git('show', 'volley/1-x:deep/er/one.ts'), 'one');
});

test('an object that was damaged in the mirror does not reach the user', async () => {
  await using mirrored = await makeMirrored();
  const commit = await work(mirrored, mirrored.start, 'one');
  const blob = await mirrored.git('rev-parse', `${commit}:src/a.ts`);
  const other = await mirrored.git('rev-parse', `${mirrored.start}:src/a.ts`);
  const path = join(mirrored.mirror.dir, 'objects', blob.slice(0, 2), blob.slice(2));
  await rm(path);
  await copyFile(join(mirrored.mirror.dir, 'objects', other.slice(0, 2), other.slice(2)), path);
  await assert.rejects(publish(mirrored, commit), /is damaged/);
  assert.equal(await readBranch(mirrored.project.place, 'volley/1-x'), null);
  assert.equal(await mirrored.repo.git('fsck', '--no-dangling'), '');
});

test('a branch that somebody moved is left alone, and it is said whether their work builds on ours', async () => {
  await using mirrored = await makeMirrored();
  const first = await work(mirrored, mirrored.start, 'one');
  await publish(mirrored, first);
  const second = await work(mirrored, first, 'two');
  await mirrored.repo.git('checkout', '--quiet', 'volley/1-x');
  const theirs = await mirrored.repo.commit('by a person', { person: 'p\n' });
  await mirrored.repo.git('checkout', '--quiet', 'main');
  assert.deepEqual(await publish(mirrored, second, { known: [first] }), { kind: 'moved', to: theirs });
  await mirrored.repo.git('branch', '--force', 'volley/1-x', mirrored.start);
  assert.deepEqual(await publish(mirrored, second, { known: [first] }), { kind: 'moved', to: mirrored.start });
  assert.equal(await readBranch(mirrored.project.place, 'volley/1-x'), mirrored.start);
});

test('a branch that is checked out in any work tree of the user is not touched', async () => {
  await using mirrored = await makeMirrored();
  const first = await work(mirrored, mirrored.start, 'one');
  await publish(mirrored, first);
  const second = await work(mirrored, first, 'two');
  const linked = join(mirrored.repo.beside, 'linked');
  await mirrored.repo.git('worktree', 'add', '--quiet', linked, 'volley/1-x');
  assert.deepEqual(await publish(mirrored, second, { known: [first] }), { kind: 'checked-out', workTree: linked });
  await mirrored.repo.git('worktree', 'remove', linked);
  await mirrored.repo.git('checkout', '--quiet', 'volley/1-x');
  assert.deepEqual(await publish(mirrored, second, { known: [first] }), { kind: 'checked-out', workTree: mirrored.repo.root });
  assert.equal(await mirrored.repo.git('rev-parse', 'HEAD'), first);
  assert.equal(await mirrored.repo.git('status', '--porcelain'), '');
});

test('a branch may have any name that git allows', async () => {
  await using mirrored = await makeMirrored();
  const commit = await work(mirrored, mirrored.start, 'one');
  const names = [
    '-x',
    'a;touch${IFS}pwn',
    'a$(id)',
    'a`id`',
    'a|id',
    '<img/src=x/onerror=alert(1)>',
    'ünï/日本\u3000',
    "quo'te",
    '--output=x',
    'HEAD',
    'refs/heads/x',
  ];
  for (const branch of names) assert.deepEqual(await publish(mirrored, commit, { branch }), { kind: 'published' });
  await mirrored.repo.git('pack-refs', '--all');
  for (const branch of names) assert.equal(await readBranch(mirrored.project.place, branch), commit);
});

test('a branch below the wanted name is not taken for it', async () => {
  await using mirrored = await makeMirrored();
  await mirrored.repo.git('branch', 'volley/1-x/below');
  assert.equal(await readBranch(mirrored.project.place, 'volley/1-x'), null);
  await assert.rejects(publish(mirrored, await work(mirrored, mirrored.start, 'one')), /git update-ref failed/);
});

test("hooks of the user's repository do not run", async () => {
  await using mirrored = await makeMirrored();
  for (const hook of ['reference-transaction', 'update', 'post-update', 'pre-receive']) {
    await mirrored.repo.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${mirrored.canary}\n`, { executable: true });
  }
  await publish(mirrored, await work(mirrored, mirrored.start, 'one'));
  await assert.rejects(readFile(mirrored.canary), /ENOENT/);
});

test('publishing runs nothing that an agent planted', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  const canary = await attack('all', checkout, mirrored.canary);
  const commit = await work(mirrored, mirrored.start, 'one');
  assert.deepEqual(await publish(mirrored, commit), { kind: 'published' });
  assert.ok(canary.survived());
});
