import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VolleyError } from '../core/errors.ts';
import { makeRepository } from '../../test/support/repository.ts';
import { openProject } from './project.ts';
import { currentHead, defaultBase, isAncestor, latestShared, mergeBase, resolveCommit, treeOf } from './refs.ts';

const ODD_BRANCHES = ['-x', '--output=pwned', 'a;touch${IFS}pwn', 'a$(id)', 'a`id`', 'a|id', 'wide\u3000space', '<img/src=x>', 'ünï'];

test('odd branch names are names and nothing else', async () => {
  await using repository = await makeRepository();
  const { place } = await openProject(repository.root);
  const commit = await repository.git('rev-parse', 'HEAD');
  for (const branch of ODD_BRANCHES) {
    await repository.git('update-ref', `refs/heads/${branch}`, commit);
    assert.equal(await resolveCommit(place, branch), commit);
  }
  assert.equal(await repository.git('status', '--porcelain'), '');
});

test('tags, short ids and ancestors are resolved to commits', async () => {
  await using repository = await makeRepository();
  const { place } = await openProject(repository.root);
  const first = await repository.git('rev-parse', 'HEAD');
  await repository.git('tag', '--annotate', 'v1', '--message', 'one');
  await repository.commit('second');
  for (const ref of ['v1', first.slice(0, 10), 'HEAD~1']) assert.equal(await resolveCommit(place, ref), first);
});

test('an unknown name is an error that names its neighbours', async () => {
  await using repository = await makeRepository();
  const { place } = await openProject(repository.root);
  await repository.git('branch', 'feature/login');
  const refuses = async (ref: string, remedy: RegExp): Promise<void> =>
    await assert.rejects(
      resolveCommit(place, ref),
      (error) => error instanceof VolleyError && error.code === 'unknown-ref' && remedy.test(error.remedy),
    );
  await refuses('feature/logn', /feature\/login/);
  await refuses('mian', /main/);
  await refuses('', /git branch/);
  await refuses('a\0b', /git branch/);
  await refuses('HEAD^{tree}', /./);
});

test('the current head has a branch unless it is detached', async () => {
  await using repository = await makeRepository({ branch: 'topic/one' });
  const project = await openProject(repository.root);
  const commit = await repository.git('rev-parse', 'HEAD');
  assert.deepEqual(await currentHead(project), { commit, branch: 'topic/one' });
  await repository.git('checkout', '--quiet', '--detach');
  assert.deepEqual(await currentHead(project), { commit, branch: null });
});

test('the default base is the remote default branch, then main, then master', async () => {
  await using repository = await makeRepository({ branch: 'topic' });
  const project = await openProject(repository.root);
  const commit = await repository.git('rev-parse', 'HEAD');
  assert.equal(await defaultBase(project), null);
  await repository.git('branch', 'master');
  assert.deepEqual(await defaultBase(project), { ref: 'master', commit });
  await repository.git('branch', 'main');
  assert.deepEqual(await defaultBase(project), { ref: 'main', commit });
  await repository.git('update-ref', 'refs/remotes/origin/trunk', commit);
  await repository.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
  assert.deepEqual(await defaultBase(project), { ref: 'origin/trunk', commit });
});

test('ancestors, merge bases and trees are those of git', async () => {
  await using repository = await makeRepository();
  const { place } = await openProject(repository.root);
  const first = await repository.git('rev-parse', 'HEAD');
  const left = await repository.commit('left', { left: '1' });
  await repository.git('checkout', '--quiet', '-b', 'right', first);
  const right = await repository.commit('right', { right: '1' });
  assert.equal(await mergeBase(place, left, right), first);
  assert.equal(await latestShared(place, left, [right, left, 'f'.repeat(40)]), left);
  assert.equal(await latestShared(place, right, [left, 'f'.repeat(40)]), first);
  assert.equal(await latestShared(place, right, ['f'.repeat(40)]), null);
  assert.deepEqual([await isAncestor(place, first, left), await isAncestor(place, left, right)], [true, false]);
  assert.equal(await treeOf(place, left), await repository.git('rev-parse', `${left}^{tree}`));
});

test('commits without a common history have no merge base', async () => {
  await using repository = await makeRepository();
  const { place } = await openProject(repository.root);
  const first = await repository.git('rev-parse', 'HEAD');
  await repository.git('checkout', '--quiet', '--orphan', 'island');
  const island = await repository.commit('island');
  await assert.rejects(mergeBase(place, first, island), /no common history/);
});
