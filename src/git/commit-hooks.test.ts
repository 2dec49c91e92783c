import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeRepository } from '../../test/support/repository.ts';
import { findCommitHooks, stageForHooks } from './commit-hooks.ts';
import { openProject } from './project.ts';

test('hooks are found where the user points git at a folder of the tree that the base has', async () => {
  await using repository = await makeRepository({ files: { '.githooks/pre-commit': '#!/bin/sh\n', 'a.txt': 'a\n' } });
  await repository.git('config', 'core.hooksPath', '.githooks');
  const project = await openProject(repository.root);
  const head = (await repository.git('rev-parse', 'HEAD')).trim();
  assert.deepEqual(await findCommitHooks(project, project.place, head), { path: '.githooks', names: ['pre-commit'] });
});

test("husky's generated folder stands for the one that holds the hooks", async () => {
  await using repository = await makeRepository({ files: { '.husky/pre-commit': 'true\n', '.husky/commit-msg': 'true\n' } });
  await repository.git('config', 'core.hooksPath', '.husky/_');
  const project = await openProject(repository.root);
  const head = (await repository.git('rev-parse', 'HEAD')).trim();
  assert.deepEqual(await findCommitHooks(project, project.place, head), { path: '.husky', names: ['pre-commit', 'commit-msg'] });
});

for (const [name, path] of [
  ['no folder is set', null],
  ['the folder lies outside of the tree', '/somewhere/else'],
  ["the folder is git's own", '.git/hooks'],
  ['the base has no such folder', '.other'],
] as const) {
  test(`there are no hooks if ${name}`, async () => {
    await using repository = await makeRepository({ files: { '.githooks/pre-commit': '#!/bin/sh\n' } });
    if (path !== null) await repository.git('config', 'core.hooksPath', path);
    const project = await openProject(repository.root);
    const head = (await repository.git('rev-parse', 'HEAD')).trim();
    assert.equal(await findCommitHooks(project, project.place, head), null);
  });
}

test('a hook sees the whole change staged and the message of its commit', async () => {
  await using repository = await makeRepository({ files: { 'a.txt': 'one\n' } });
  const base = (await repository.git('rev-parse', 'HEAD')).trim();
  await repository.commit('the change', { 'a.txt': 'one\ntwo\n', 'b.txt': 'new\n' });
  const head = (await repository.git('rev-parse', 'HEAD')).trim();
  const project = await openProject(repository.root);
  const folder = await mkdtemp(join(tmpdir(), 'volley-hooks-'));
  const dir = join(folder, 'moment');
  const moment = await stageForHooks({ mirror: project.place, dir, workTree: repository.root, hooks: '/hooks', mergeBase: base, head });
  try {
    const run = (args: string[]): string =>
      execFileSync('git', args, { cwd: repository.root, env: { ...process.env, ...moment.env }, encoding: 'utf8' });
    assert.equal(run(['diff', '--cached', '--name-status']), 'M\ta.txt\nA\tb.txt\n');
    assert.match(execFileSync('cat', [moment.env['VOLLEY_MESSAGE'] ?? ''], { encoding: 'utf8' }), /^the change/);
  } finally {
    await moment.remove();
    await rm(folder, { recursive: true });
  }
});
