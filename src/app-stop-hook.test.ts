import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeRepository } from '../test/support/repository.ts';
import type { TestRepository } from '../test/support/repository.ts';
import { changeOf } from './app-stop-hook.ts';
import type { Moment } from './app-stop-hook.ts';
import type { ChangeRequest } from './core/change-request.ts';

describe('the change of a session', () => {
  let home: TestRepository;
  const usual = process.env['XDG_STATE_HOME'];
  const see = async ({ root }: TestRepository, moment: Moment = 'stop'): Promise<ChangeRequest | null> =>
    await changeOf(root, 'one', moment);

  before(async () => {
    home = await makeRepository({ files: {} });
    process.env['XDG_STATE_HOME'] = home.beside;
  });
  after(async () => {
    if (usual === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = usual;
    await home[Symbol.asyncDispose]();
  });

  test('is nothing where nothing was done, and nothing is left in the project', async () => {
    await using repository = await makeRepository();
    assert.deepEqual([await see(repository, 'start'), await see(repository)], [null, null]);
    assert.equal(existsSync(join(repository.root, '.volley')), false);
  });

  test('holds the commits of the branch beside what is not committed', async () => {
    await using repository = await makeRepository();
    const base = await repository.git('rev-parse', 'HEAD');
    await repository.git('switch', '--quiet', '-c', 'feature');
    await repository.commit('feature', { a: '1' });
    assert.deepEqual(await see(repository), { kind: 'branch', branch: 'HEAD', base });
    await repository.write('b', '1');
    assert.deepEqual(await see(repository), { kind: 'working-tree', base });
  });

  for (const first of ['start', 'stop'] as const) {
    test(`does not go away by a commit on the default branch after a ${first}`, async () => {
      await using repository = await makeRepository();
      const base = await repository.git('rev-parse', 'HEAD');
      await see(repository, first);
      await repository.commit('mine', { a: '1' });
      assert.deepEqual(await see(repository), { kind: 'branch', branch: 'HEAD', base });
    });
  }

  test('begins where the session began, also on another branch and when it is taken up again', async () => {
    await using repository = await makeRepository();
    const main = await repository.git('rev-parse', 'HEAD');
    await repository.git('switch', '--quiet', '-c', 'feature');
    const found = await repository.commit('of the person', { a: '1' });
    assert.equal(await see(repository, 'start'), null);
    const baseNow = async (): Promise<string | null | undefined> => {
      const change = await see(repository);
      return change?.kind === 'branch' ? change.base : undefined;
    };
    await repository.commit('of the agent', { b: '1' });
    assert.equal(await baseNow(), found);
    await repository.git('switch', '--quiet', 'main');
    await repository.commit('on main', { c: '1' });
    assert.equal(await baseNow(), main);
    assert.equal(await see(repository, 'start'), null);
    assert.equal(await baseNow(), main);
  });

  test('is not known of a branch that shares nothing with the beginning', async () => {
    await using repository = await makeRepository();
    await see(repository, 'start');
    await repository.git('checkout', '--quiet', '--orphan', 'island');
    await repository.commit('island', { a: '1' });
    await assert.rejects(see(repository), /no common history/);
  });
});
