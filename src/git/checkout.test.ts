import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ATTACKS, attack, makeMirrored, readFiles, writeFiles } from '../../test/support/mirrored.ts';
import { repositoryAt } from '../../test/support/repository.ts';
import { openCheckout, removeCheckout, resetCheckout } from './checkout.ts';
import { tryGit } from './git.ts';
import { importCommits } from './mirror.ts';

const START = { 'README.md': '# Sample\n', 'src/a.ts': 'export const a = 1;\n' };

test('a new checkout holds the files of its commit and is a work tree in which git works', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  assert.equal(checkout.fresh, true);
  assert.deepEqual(await readFiles(checkout.dir), START);
  const agent = repositoryAt(checkout.dir, checkout.dir);
  assert.equal(await agent.git('rev-parse', 'HEAD'), mirrored.start);
  assert.equal(await agent.git('status', '--porcelain'), '');
});

test('what an agent writes into its own repository reaches neither the mirror nor the next session', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  const agent = repositoryAt(checkout.dir, checkout.dir);
  await writeFiles(checkout.dir, { 'src/a.ts': 'export const a = 2;\n' });
  const commit = await agent.commit('mine');
  await writeFiles(checkout.agentDir, {
    'hooks/pre-commit': '#!/bin/sh\nfalse\n',
    'info/attributes': '* filter=evil\n',
    MERGE_HEAD: commit,
  });
  await agent.git('config', 'core.fsmonitor', 'evil');
  assert.notEqual((await tryGit(checkout.place, ['cat-file', '-e', commit])).exitCode, 0);
  await mirrored.open();
  assert.deepEqual((await readdir(checkout.agentDir)).toSorted(), ['HEAD', 'config', 'index', 'info', 'logs', 'objects', 'refs']);
  assert.equal(await agent.git('rev-parse', 'HEAD'), mirrored.start);
  assert.doesNotMatch(await readFile(join(checkout.agentDir, 'config'), 'utf8'), /evil/);
  assert.doesNotMatch(await readFile(join(checkout.agentDir, 'info', 'attributes'), 'utf8'), /evil/);
});

test('an agent can commit in a checkout with plain git', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  await writeFiles(checkout.dir, { 'src/a.ts': 'export const a = 2;\n' });
  const agent = repositoryAt(checkout.dir, checkout.dir);
  await agent.commit('mine');
  assert.equal(await agent.git('rev-parse', 'HEAD^'), mirrored.start);
});

test('a checkout that exists is opened as it was left', async () => {
  await using mirrored = await makeMirrored();
  const { dir } = await mirrored.open();
  await writeFiles(dir, { 'src/a.ts': 'export const a = 2;\n', 'new.ts': 'new\n' });
  const again = await mirrored.open();
  assert.equal(again.fresh, false);
  assert.deepEqual(await readFiles(dir), { ...START, 'src/a.ts': 'export const a = 2;\n', 'new.ts': 'new\n' });
});

test('a checkout is made anew when its folder is gone, and mended when its git folder is', async () => {
  await using mirrored = await makeMirrored();
  const { dir, place } = await mirrored.open();
  await rm(dir, { recursive: true });
  assert.equal((await mirrored.open()).fresh, true);
  assert.deepEqual(await readFiles(dir), START);
  await rm(place.gitDir, { recursive: true });
  const mended = await mirrored.open();
  assert.equal(mended.fresh, false);
  await resetCheckout(mended, mirrored.start);
  assert.deepEqual(await readFiles(dir), START);
});

test('a build that was interrupted before its end is begun again', async () => {
  await using mirrored = await makeMirrored();
  const { dir, index } = await mirrored.open();
  await rm(index);
  await rm(join(dir, 'src'), { recursive: true });
  assert.equal((await mirrored.open()).fresh, true);
  assert.deepEqual(await readFiles(dir), START);
});

test('a reset brings back changed, deleted and moved files, removes new ones and keeps ignored ones', async () => {
  await using mirrored = await makeMirrored({ ...START, '.gitignore': 'node_modules\n' });
  const checkout = await mirrored.open();
  await writeFiles(checkout.dir, {
    'src/a.ts': 'broken',
    'new/x.ts': 'x',
    'node_modules/p/index.js': 'p',
    'nested/.git/HEAD': 'ref: refs/heads/x\n',
  });
  await rm(join(checkout.dir, 'README.md'));
  await mkdir(join(checkout.dir, 'README.md'));
  await resetCheckout(checkout, mirrored.start);
  assert.deepEqual(await readFiles(checkout.dir), { ...START, '.gitignore': 'node_modules\n', 'node_modules/p/index.js': 'p' });
});

test('a reset to another commit changes what differs between them', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  await mirrored.repo.git('rm', '-r', '--quiet', '.');
  const commit = await mirrored.repo.commit('empty');
  await importCommits(mirrored.mirror, mirrored.project, [commit]);
  await resetCheckout(checkout, commit);
  assert.deepEqual(await readFiles(checkout.dir), {});
  await resetCheckout(checkout, mirrored.start);
  assert.deepEqual(await readFiles(checkout.dir), START);
});

test('a reset keeps provisioned files, those that the repository tracks included', async () => {
  await using mirrored = await makeMirrored({ ...START, '.env': 'A=tracked\n' });
  const checkout = await mirrored.open();
  await writeFiles(checkout.dir, { '.env': 'A=mine\n', 'config/local [1].json': '{}', 'new.ts': 'new' });
  await resetCheckout(checkout, mirrored.start, ['.env', 'config/local [1].json']);
  assert.deepEqual(await readFiles(checkout.dir), { ...START, '.env': 'A=mine\n', 'config/local [1].json': '{}' });
});

test('a file that was changed without a change of size and time of day is seen by a reset', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  await writeFiles(checkout.dir, { 'src/a.ts': 'export const a = 7;\n' });
  await resetCheckout(checkout, mirrored.start);
  assert.deepEqual(await readFiles(checkout.dir), START);
});

test('flags that an agent sets in its own index hide nothing', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  await repositoryAt(checkout.dir, checkout.dir).git('update-index', '--assume-unchanged', 'src/a.ts');
  await writeFiles(checkout.dir, { 'src/a.ts': 'hidden\n' });
  await resetCheckout(checkout, mirrored.start);
  assert.deepEqual(await readFiles(checkout.dir), START);
});

test('an index that cannot be read is made anew', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  await writeFile(checkout.index, 'garbage');
  await writeFiles(checkout.dir, { 'src/a.ts': 'broken', 'new.ts': 'new' });
  await resetCheckout(checkout, mirrored.start);
  assert.deepEqual(await readFiles(checkout.dir), START);
});

test('locks of a git that was killed do not stand in the way', async () => {
  await using mirrored = await makeMirrored();
  const { dir, index, place } = await mirrored.open();
  await Promise.all([
    writeFile(`${index}.lock`, ''),
    writeFile(join(place.gitDir, 'index.lock'), ''),
    writeFile(join(place.gitDir, 'HEAD.lock'), ''),
  ]);
  await writeFiles(dir, { 'src/a.ts': 'broken' });
  await resetCheckout(await mirrored.open(), mirrored.start);
  await repositoryAt(dir, dir).commit('agents can commit');
  assert.deepEqual(await readFiles(dir), START);
});

test('a link in the place of the .git file is replaced and never written through', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  const victim = join(mirrored.repo.beside, 'victim');
  await writeFile(victim, 'precious');
  await rm(join(checkout.dir, '.git'));
  await symlink(victim, join(checkout.dir, '.git'));
  await mirrored.open();
  assert.equal(await readFile(victim, 'utf8'), 'precious');
  assert.ok((await lstat(join(checkout.dir, '.git'))).isFile());
});

test('a provisioned file that became a link or lies behind one is not written through', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  const outside = join(mirrored.repo.beside, 'outside');
  await writeFiles(outside, { '.env': 'precious' });
  await writeFiles(checkout.dir, { 'conf/.env': 'A=1\n', 'dirty.ts': 'x' });
  await rm(join(checkout.dir, 'conf'), { recursive: true });
  await symlink(outside, join(checkout.dir, 'conf'));
  await symlink(join(outside, '.env'), join(checkout.dir, '.env'));
  await resetCheckout(checkout, mirrored.start, ['conf/.env', '.env']);
  assert.deepEqual(await readFiles(outside), { '.env': 'precious' });
});

for (const name of Object.keys(ATTACKS)) {
  test(`opening, resetting and removing a checkout run nothing that an agent planted: ${name}`, async () => {
    await using mirrored = await makeMirrored();
    const checkout = await mirrored.open();
    const canary = await attack(name, checkout, mirrored.canary);
    await mirrored.open();
    await resetCheckout(checkout, mirrored.start);
    assert.deepEqual(await readFiles(checkout.dir), START);
    await rm(checkout.dir, { recursive: true });
    await mirrored.open();
    assert.ok(canary.survived());
  });
}

for (const name of Object.keys(ATTACKS).filter((attempt) => attempt !== 'a nested repository')) {
  test(`the attack is a real one, plain git falls for it: ${name}`, async () => {
    await using mirrored = await makeMirrored();
    const checkout = await mirrored.open();
    // As git finds it where a work tree leads to the mirror.
    await writeFile(join(checkout.dir, '.git'), `gitdir: ${checkout.place.gitDir}\n`);
    const canary = await attack(name, checkout, mirrored.canary);
    await assert.rejects(async () => {
      await repositoryAt(checkout.dir, checkout.dir).commit();
      if (!canary.survived()) throw new Error('the canary is dead');
    });
    assert.ok(!canary.survived());
  });
}

test('many checkouts are opened at the same time', async () => {
  await using mirrored = await makeMirrored();
  const checkouts = await Promise.all(Array.from({ length: 8 }, async (_, i) => await mirrored.open(`loop-${i}`)));
  for (const { dir } of checkouts) assert.deepEqual(await readFiles(dir), START);
});

test('a removed checkout leaves nothing behind, and a prune of the agents leaves it alone', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  await rm(join(checkout.dir, '.git'));
  await mirrored.git('worktree', 'prune', '--expire=now');
  assert.ok(existsSync(checkout.place.gitDir));
  await removeCheckout(checkout);
  for (const path of [checkout.dir, checkout.place.gitDir, checkout.index]) assert.ok(!existsSync(path));
  const again = await openCheckout({ mirror: mirrored.mirror.place, dir: checkout.dir, commit: mirrored.start });
  assert.equal(again.fresh, true);
});

test('a link in the place of our index is replaced, and what it leads to stays as it is', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  const theirs = join(mirrored.repo.root, '.git', 'index');
  const bytes = await readFile(theirs);
  await rm(checkout.index);
  await symlink(theirs, checkout.index);
  await writeFiles(checkout.dir, { 'src/a.ts': 'changed\n', 'new.ts': 'new\n' });
  await resetCheckout(checkout, mirrored.start);
  assert.deepEqual(await readFiles(checkout.dir), START);
  assert.ok((await readFile(theirs)).equals(bytes));
});
