import assert from 'node:assert/strict';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Mirrored } from '../../test/support/mirrored.ts';
import { makeMirrored, writeFiles } from '../../test/support/mirrored.ts';
import { commitsIn, keepNamed } from './keep-named.ts';
import { bytesOfRefs, listLoopRefs, removeRefs } from './loop-refs.ts';
import { importCommits, openMirror } from './mirror.ts';
import { findOrphans } from './orphans.ts';
import { savePartial } from './partial.ts';
import { pruneMirror } from './prune-mirror.ts';
import { snapshotWorkingTree } from './snapshot.ts';

const NOW = new Date();
const LONG_AGO = new Date(NOW.getTime() - 30 * 86_400_000);
const LIMIT = new Date(NOW.getTime() - 14 * 86_400_000);

/** Makes every object of the mirror look as if it were written long ago. */
async function age({ mirror }: Mirrored): Promise<void> {
  const entries = await readdir(join(mirror.dir, 'objects'), { recursive: true, withFileTypes: true });
  for (const entry of entries) if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), LONG_AGO, LONG_AGO);
}

/** A commit on top of the start that no ref leads to. */
async function looseCommit(mirrored: Mirrored, message: string): Promise<string> {
  return await mirrored.git(
    '-c',
    'user.name=x',
    '-c',
    'user.email=x',
    'commit-tree',
    `${mirrored.start}^{tree}`,
    '-p',
    mirrored.start,
    '-m',
    message,
  );
}

async function exists(mirrored: Mirrored, commit: string): Promise<boolean> {
  return await mirrored.git('cat-file', '-e', commit).then(
    () => true,
    () => false,
  );
}

test('objects that nothing leads to go when they are old; those that a journal names stay, and so do young ones', async () => {
  await using mirrored = await makeMirrored();
  const [named, forgotten] = [await looseCommit(mirrored, 'named'), await looseCommit(mirrored, 'forgotten')];
  await age(mirrored);
  const young = await looseCommit(mirrored, 'young');
  const journal = JSON.stringify({ commit: named, hash: 'f'.repeat(64), other: '0'.repeat(40), start: mirrored.start });
  await keepNamed(mirrored.mirror, new Set(commitsIn(journal)));
  assert.equal((await pruneMirror(mirrored.mirror, LIMIT)).kind, 'pruned');
  const there = await Promise.all([named, forgotten, young, mirrored.start].map(async (commit) => await exists(mirrored, commit)));
  assert.deepEqual(there, [true, false, true, true]);
  await mirrored.git('fsck', '--connectivity-only');
});

test("packs that are also the user's stay as they are, and cost no second copy", async () => {
  await using mirrored = await makeMirrored();
  const { project, repo, start } = mirrored;
  await repo.git('gc', '--quiet');
  const mirror = await openMirror({ project, stateDir: join(repo.beside, 'another-state') });
  await importCommits(mirror, project, [start]);
  const packs = await readdir(join(mirror.dir, 'objects/pack'));
  assert.ok(packs.some((name) => name.endsWith('.pack')));
  await pruneMirror(mirror, LIMIT);
  assert.deepEqual(await readdir(join(mirror.dir, 'objects/pack')), packs);
});

test('after pruning, a commit is brought over whole although a part of it was here', async () => {
  await using mirrored = await makeMirrored();
  const commit = await mirrored.repo.commit('second', { 'new.txt': 'new\n' });
  await importCommits(mirrored.mirror, mirrored.project, [commit]);
  await pruneMirror(mirrored.mirror, LIMIT);
  const third = await mirrored.repo.commit('third', { 'new.txt': 'newer\n' });
  // What a prune that was killed may leave: the commit, and nothing beneath it.
  const bytes = await mirrored.repo.gitBytes('', 'cat-file', 'commit', third);
  await writeFile(join(mirrored.repo.beside, 'commit'), bytes);
  assert.equal(await mirrored.git('hash-object', '-w', '-t', 'commit', join(mirrored.repo.beside, 'commit')), third);
  await importCommits(mirrored.mirror, mirrored.project, [third]);
  assert.equal(await mirrored.git('cat-file', 'blob', `${third}:new.txt`), 'newer');
});

test('a shallow history and a partial clone are left alone', async () => {
  await using mirrored = await makeMirrored();
  const { mirror } = mirrored;
  const partial = {
    ...mirror,
    place: { ...mirror.place, config: `${mirror.place.config ?? ''}[extensions]\n\tpartialclone = "origin"\n` },
  };
  assert.deepEqual(await pruneMirror(partial, LIMIT), { kind: 'left', why: 'this repository is a partial clone' });
  await writeFile(join(mirror.dir, 'shallow'), `${mirrored.start}\n`);
  assert.deepEqual(await pruneMirror(mirror, LIMIT), { kind: 'left', why: 'the history of this repository is shallow' });
});

test('refs of unfinished work, of working trees and of imports are told apart from heads, with what they alone hold', async () => {
  await using mirrored = await makeMirrored();
  const { mirror, project, start } = mirrored;
  const checkout = await mirrored.open();
  await writeFiles(checkout.dir, { half: 'done\n' });
  await savePartial({ checkout, id: 3, parent: start, exclude: [], at: LONG_AGO });
  await mirrored.git('update-ref', 'refs/volley/3/head', start);
  await mirrored.git('update-ref', 'refs/volley/3/ours-1', start);
  await mirrored.git('update-ref', 'refs/volley/4/partial-x', start);
  await mirrored.repo.write('README.md', 'not committed\n');
  const snapshot = await snapshotWorkingTree({ project, mirror });
  const listed = await listLoopRefs(mirror.place);
  assert.deepEqual(
    listed.filter(({ kind }) => kind === 'import').map(({ ref, loopId }) => [ref, loopId]),
    [[`refs/volley/base/${start}`, null]],
  );
  const refs = listed.filter(({ kind }) => kind !== 'import');
  assert.deepEqual(
    refs.map(({ ref, kind, loopId }) => [ref, kind, loopId]),
    [
      ['refs/volley/3/ours-1', 'ours', 3],
      ['refs/volley/3/partial-1', 'partial', 3],
      [`refs/volley/base/${snapshot?.commit}`, 'snapshot', null],
    ],
  );
  assert.equal(refs[1]?.at.slice(0, 19), LONG_AGO.toISOString().slice(0, 19));
  assert.equal(await bytesOfRefs(mirror.place, refs.slice(0, 1)), 0);
  assert.ok((await bytesOfRefs(mirror.place, refs)) > 0);
  await removeRefs(mirror.place, [...refs, { ref: 'refs/volley/3/head', commit: '1'.repeat(40) }]);
  const left = await mirrored.git('for-each-ref', '--format=%(refname)');
  assert.deepEqual(left.split('\n'), ['refs/volley/3/head', 'refs/volley/4/partial-x', `refs/volley/base/${start}`]);
});

test('what the mirror keeps of a checkout is left over when its folder is gone since long', async () => {
  await using mirrored = await makeMirrored();
  const { mirror } = mirrored;
  const [gone, kept] = [await mirrored.open('gone'), await mirrored.open('kept')];
  await rm(gone.dir, { recursive: true });
  assert.deepEqual(await findOrphans(mirror, LIMIT), []);
  const later = new Date(NOW.getTime() + 60_000);
  assert.deepEqual(await findOrphans(mirror, later), [gone.place.gitDir, join(gone.index, '..')]);
  assert.notEqual(kept.place.gitDir, gone.place.gitDir);
});
