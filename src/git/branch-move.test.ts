import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMirrored } from '../../test/support/mirrored.ts';
import { findBranchMove, keepOurs } from './branch-move.ts';
import { importCommits } from './mirror.ts';

test('a branch has moved only if it stands at a commit that we do not know', async () => {
  await using mirrored = await makeMirrored();
  const { repo, project, start } = mirrored;
  await repo.git('branch', 'volley/1-x');
  const mine = await repo.commit('mine');
  const find = async (known: readonly string[]): Promise<string | null> =>
    await findBranchMove(project.place, { branch: 'volley/1-x', known });
  assert.equal(await find([mine, start]), null);
  assert.equal(await find([mine]), start);
  await repo.git('branch', '-D', 'volley/1-x');
  assert.equal(await find([mine]), null);
});

test('each commit of ours is kept once, under a number of its own', async () => {
  await using mirrored = await makeMirrored();
  const { repo, project, mirror, start } = mirrored;
  const other = await repo.commit('other');
  await importCommits(mirror, project, [other]);
  for (const commit of [start, start, other, start]) await keepOurs(mirror.place, 7, commit);
  const kept = await mirrored.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/volley/7/');
  assert.equal(kept, `refs/volley/7/ours-1 ${start}\nrefs/volley/7/ours-2 ${other}`);
});
