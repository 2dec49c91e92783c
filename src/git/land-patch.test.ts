import assert from 'node:assert/strict';
import { chmod, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Mirrored } from '../../test/support/mirrored.ts';
import { attack, makeMirrored, readFiles, writeFiles } from '../../test/support/mirrored.ts';
import { TEST_IDENTITY } from '../../test/support/repository.ts';
import { commitAll } from './commit.ts';
import type { PatchResult } from './land-patch.ts';
import { landPatch } from './land-patch.ts';
import { snapshotWorkingTree } from './snapshot.ts';

const LINES = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('');

/** The user's uncommitted work, and the commit in which a fixer changed it. */
async function fix(mirrored: Mirrored, change: (dir: string) => Promise<void>): Promise<{ readonly base: string; readonly head: string }> {
  const snapshot = await snapshotWorkingTree(mirrored);
  const base = snapshot?.commit ?? mirrored.start;
  const checkout = await mirrored.open('loop-1', base);
  await change(checkout.dir);
  const result = await commitAll({
    checkout,
    id: 1,
    parent: base,
    message: 'fix',
    trailers: {},
    identity: TEST_IDENTITY,
    at: new Date(0),
    exclude: [],
  });
  return { base, head: result.kind === 'committed' ? result.head.commit : assert.fail(result.kind) };
}

async function land(mirrored: Mirrored, ends: { readonly base: string; readonly head: string }): Promise<PatchResult> {
  return await landPatch({ user: mirrored.project.place, mirror: mirrored.mirror.place, ...ends });
}

test('fixes of uncommitted work reach the working tree and leave the index as it was', async () => {
  await using mirrored = await makeMirrored({ 'a.txt': LINES, 'gone.txt': 'x\n', 'bin.dat': Buffer.from([0, 1, 2]) });
  await mirrored.repo.write('a.txt', LINES.replace('line 3', 'mine'));
  await mirrored.repo.git('add', 'a.txt');
  await mirrored.repo.write('untracked "ü".txt', 'first\n');
  const index = await readFile(join(mirrored.repo.root, '.git/index'));
  const ends = await fix(mirrored, async (dir) => {
    await writeFiles(dir, {
      'a.txt': LINES.replace('line 3', 'fixed'),
      'untracked "ü".txt': 'second\n',
      'bin.dat': Buffer.from([0, 9]),
      'run.sh': '#!/bin/sh\n',
    });
    await chmod(join(dir, 'run.sh'), 0o755);
    await rm(join(dir, 'gone.txt'));
    await symlink('a.txt', join(dir, 'link'));
  });
  const result = await land(mirrored, ends);
  assert.deepEqual(result, { kind: 'applied', files: ['a.txt', 'bin.dat', 'gone.txt', 'link', 'run.sh', 'untracked "ü".txt'] });
  assert.deepEqual(await readFile(join(mirrored.repo.root, '.git/index')), index);
  const snapshot = await snapshotWorkingTree(mirrored);
  assert.equal(snapshot?.tree, await mirrored.git('rev-parse', `${ends.head}^{tree}`));
  assert.deepEqual(await land(mirrored, ends), { kind: 'already' });
});

test('what the user changed elsewhere in a file meanwhile stays', async () => {
  await using mirrored = await makeMirrored({ 'a.txt': LINES });
  const ends = await fix(mirrored, async (dir) => await writeFiles(dir, { 'a.txt': LINES.replace('line 3', 'fixed') }));
  await mirrored.repo.write('a.txt', LINES.replace('line 17', 'meanwhile'));
  assert.equal((await land(mirrored, ends)).kind, 'applied');
  assert.equal(await readFile(join(mirrored.repo.root, 'a.txt'), 'utf8'), LINES.replace('line 3', 'fixed').replace('line 17', 'meanwhile'));
});

test('if one file does not fit nothing is changed, and the files that differ are named', async () => {
  await using mirrored = await makeMirrored({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  const ends = await fix(
    mirrored,
    async (dir) => await writeFiles(dir, { 'a.txt': 'A\n', 'b.txt': 'B\n', 'c.txt': 'C\n', 'new.txt': 'new\n' }),
  );
  const mine = { 'a.txt': 'a\n', 'b.txt': 'mine\n', 'new.txt': 'mine\n' };
  await writeFiles(mirrored.repo.root, mine);
  await rm(join(mirrored.repo.root, 'c.txt'));
  assert.deepEqual(await land(mirrored, ends), { kind: 'differs', files: ['b.txt', 'c.txt', 'new.txt'] });
  assert.deepEqual(await readFiles(mirrored.repo.root), mine);
});

test('a patch does not write through a link that stands in its way', async () => {
  await using mirrored = await makeMirrored({ 'dir/a.txt': 'a\n' });
  const ends = await fix(mirrored, async (dir) => await writeFiles(dir, { 'dir/a.txt': 'A\n' }));
  const outside = join(mirrored.repo.beside, 'outside');
  await writeFiles(outside, { 'a.txt': 'a\n' });
  await rm(join(mirrored.repo.root, 'dir'), { recursive: true });
  await symlink(outside, join(mirrored.repo.root, 'dir'));
  assert.deepEqual(await land(mirrored, ends), { kind: 'differs', files: ['dir/a.txt'] });
  assert.deepEqual(await readFiles(outside), { 'a.txt': 'a\n' });
});

test('applying fixes runs nothing that an agent planted', async () => {
  await using mirrored = await makeMirrored();
  const canary = await attack('all', await mirrored.open(), mirrored.canary);
  const ends = await fix(mirrored, async (dir) => await writeFiles(dir, { 'src/a.ts': 'export const a = 2;\n' }));
  assert.equal((await land(mirrored, ends)).kind, 'applied');
  assert.ok(canary.survived());
});
