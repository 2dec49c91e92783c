import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Mirrored } from '../../test/support/mirrored.ts';
import { attack, makeMirrored, readFiles, writeFiles } from '../../test/support/mirrored.ts';
import { TEST_IDENTITY } from '../../test/support/repository.ts';
import { commitAll } from './commit.ts';
import type { LandInput, LandResult } from './land.ts';
import { landBranch } from './land.ts';

const START = { 'a.ts': 'a\n', 'b.ts': 'b\n', 'c.ts': 'c\n' };

async function work(mirrored: Mirrored, files: Readonly<Record<string, string>>): Promise<string> {
  const checkout = await mirrored.open();
  await writeFiles(checkout.dir, files);
  const result = await commitAll({
    checkout,
    id: 1,
    parent: mirrored.start,
    message: 'work',
    trailers: {},
    identity: TEST_IDENTITY,
    at: new Date(0),
    exclude: [],
  });
  return result.kind === 'committed' ? result.head.commit : assert.fail(result.kind);
}

async function land(mirrored: Mirrored, commit: string, options: Partial<LandInput> = {}): Promise<LandResult> {
  return await landBranch({
    project: mirrored.project,
    mirror: mirrored.mirror,
    onto: 'main',
    commit,
    scratchDir: join(mirrored.repo.beside, 'scratch'),
    identity: TEST_IDENTITY,
    message: 'Merge loop 1\n',
    at: new Date(0),
    ...options,
  });
}

test('a result that builds on the branch is brought over with files and index', async () => {
  await using mirrored = await makeMirrored(START);
  const commit = await work(mirrored, { 'a.ts': 'better\n', 'new/x.ts': 'new\n' });
  await mirrored.repo.write('untracked', 'mine\n');
  await utimes(join(mirrored.repo.root, 'a.ts'), 1, 1);
  assert.deepEqual(await land(mirrored, commit), { kind: 'fast-forward', from: mirrored.start, to: commit });
  assert.equal(await mirrored.repo.git('rev-parse', 'main'), commit);
  assert.equal(await mirrored.repo.git('status', '--porcelain'), '?? untracked');
  assert.deepEqual(await readFiles(mirrored.repo.root), { ...START, 'a.ts': 'better\n', 'new/x.ts': 'new\n', untracked: 'mine\n' });
  assert.equal(await mirrored.repo.git('fsck', '--no-dangling'), '');
  assert.deepEqual(await land(mirrored, commit), { kind: 'already', from: commit, to: commit });
});

test('a branch that is checked out nowhere is moved alone', async () => {
  await using mirrored = await makeMirrored(START);
  await mirrored.repo.git('branch', '--', 'side');
  const commit = await work(mirrored, { 'a.ts': 'better\n' });
  await mirrored.repo.write('a.ts', 'dirty\n');
  assert.deepEqual(await land(mirrored, commit, { onto: 'side' }), { kind: 'fast-forward', from: mirrored.start, to: commit });
  assert.equal(await mirrored.repo.git('rev-parse', 'side'), commit);
  assert.equal(await mirrored.repo.git('rev-parse', 'main'), mirrored.start);
  assert.equal(await readFile(join(mirrored.repo.root, 'a.ts'), 'utf8'), 'dirty\n');
});

test('a branch of another work tree takes that work tree along', async () => {
  await using mirrored = await makeMirrored(START);
  const linked = join(mirrored.repo.beside, 'linked tree');
  await mirrored.repo.git('worktree', 'add', '--quiet', '-b', 'side', linked);
  const commit = await work(mirrored, { 'a.ts': 'better\n' });
  assert.equal((await land(mirrored, commit, { onto: 'side' })).kind, 'fast-forward');
  assert.deepEqual(await readFiles(linked), { ...START, 'a.ts': 'better\n' });
  assert.equal(await mirrored.repo.git('-C', linked, 'status', '--porcelain'), '');
});

test('branches that went apart are merged, with the gates on the result', async () => {
  await using mirrored = await makeMirrored(START);
  const commit = await work(mirrored, { 'a.ts': 'better\n' });
  const theirs = await mirrored.repo.commit('meanwhile', { 'b.ts': 'meanwhile\n' });
  const seen: Record<string, string>[] = [];
  const runGates = async ({ dir }: { readonly dir: string }): Promise<{ passed: boolean; detail: string }> => {
    seen.push(await readFiles(dir));
    return { passed: true, detail: '' };
  };
  const result = await land(mirrored, commit, { runGates });
  const merged = { ...START, 'a.ts': 'better\n', 'b.ts': 'meanwhile\n' };
  assert.deepEqual(seen, [merged]);
  assert.equal(result.kind, 'merged');
  assert.equal(await mirrored.repo.git('show', '--no-patch', '--format=%P %an %s', 'main'), `${theirs} ${commit} Test Person Merge loop 1`);
  assert.deepEqual(await readFiles(mirrored.repo.root), merged);
  assert.equal(await mirrored.repo.git('status', '--porcelain'), '');
  assert.ok(!existsSync(join(mirrored.repo.beside, 'scratch')));
});

test('red gates on the merge change nothing', async () => {
  await using mirrored = await makeMirrored(START);
  const commit = await work(mirrored, { 'a.ts': 'better\n' });
  const theirs = await mirrored.repo.commit('meanwhile', { 'b.ts': 'meanwhile\n' });
  const result = await land(mirrored, commit, { runGates: async () => ({ passed: false, detail: 'test failed' }) });
  assert.deepEqual(result, { kind: 'gates-red', detail: 'test failed' });
  assert.equal(await mirrored.repo.git('rev-parse', 'main'), theirs);
  assert.equal(await mirrored.repo.git('status', '--porcelain'), '');
});

test('a conflict changes nothing and names the files', async () => {
  await using mirrored = await makeMirrored(START);
  const commit = await work(mirrored, { 'a.ts': 'ours\n', 'b.ts': 'ours\n', 'c.ts': 'ours\n' });
  const theirs = await mirrored.repo.commit('meanwhile', { 'a.ts': 'theirs\n', 'b.ts': 'theirs\n' });
  assert.deepEqual(await land(mirrored, commit), { kind: 'conflict', files: ['a.ts', 'b.ts'] });
  assert.equal(await mirrored.repo.git('rev-parse', 'main'), theirs);
  assert.equal(await mirrored.repo.git('status', '--porcelain'), '');
});

test('changed, staged and untracked files of the user stop it and are named', async () => {
  await using mirrored = await makeMirrored(START);
  const commit = await work(mirrored, { 'a.ts': 'better\n', 'new.ts': 'new\n' });
  await mirrored.repo.write('b.ts', 'mine\n');
  assert.deepEqual(await land(mirrored, commit), { kind: 'dirty', files: ['b.ts'] });
  await mirrored.repo.git('add', 'b.ts');
  assert.deepEqual(await land(mirrored, commit), { kind: 'dirty', files: ['b.ts'] });
  await mirrored.repo.git('reset', '--quiet', '--hard');
  await mirrored.repo.write('new.ts', 'precious\n');
  assert.deepEqual(await land(mirrored, commit), { kind: 'dirty', files: ['new.ts'] });
  assert.equal(await readFile(join(mirrored.repo.root, 'new.ts'), 'utf8'), 'precious\n');
  await writeFiles(mirrored.repo.root, { '.git/info/exclude': 'new.ts\n' });
  assert.deepEqual(await land(mirrored, commit), { kind: 'dirty', files: ['new.ts'] });
  assert.equal(await mirrored.repo.git('rev-parse', 'main'), mirrored.start);
});

test('an untracked folder in the place of a new file stops it too', async () => {
  await using mirrored = await makeMirrored(START);
  const commit = await work(mirrored, { thing: 'a file\n' });
  await mirrored.repo.write('thing/inside', 'precious\n');
  assert.deepEqual(await land(mirrored, commit), { kind: 'dirty', files: ['thing'] });
  assert.deepEqual(await readFiles(mirrored.repo.root), { ...START, 'thing/inside': 'precious\n' });
});

test('a branch that does not exist is a clear error', async () => {
  await using mirrored = await makeMirrored(START);
  const commit = await work(mirrored, { 'a.ts': 'better\n' });
  await assert.rejects(land(mirrored, commit, { onto: 'nowhere' }), /There is no branch called 'nowhere'/);
});

test('landing runs nothing that an agent planted', async () => {
  await using mirrored = await makeMirrored(START);
  const canary = await attack('all', await mirrored.open(), mirrored.canary);
  const commit = await work(mirrored, { 'a.ts': 'better\n' });
  await mirrored.repo.commit('meanwhile', { 'b.ts': 'meanwhile\n' });
  const result = await land(mirrored, commit, { runGates: async () => ({ passed: true, detail: '' }) });
  assert.equal(result.kind, 'merged');
  assert.equal(await readFile(join(mirrored.repo.root, 'attacked.txt'), 'utf8'), 'attacked\n');
  assert.ok(canary.survived());
});
