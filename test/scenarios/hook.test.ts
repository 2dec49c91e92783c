import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DEFECT, MENDED } from '../support/defect.ts';
import { makeScenario } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';

/** A repository with a remote that has its main branch. */
async function withRemote(): Promise<Scenario> {
  const scenario = await makeScenario();
  const remote = join(scenario.repository.beside, 'remote.git');
  await scenario.repository.git('init', '--quiet', '--bare', '--initial-branch=main', remote);
  await scenario.repository.git('remote', 'add', 'origin', remote);
  await scenario.repository.git('push', '--quiet', 'origin', 'main');
  return scenario;
}

/** A push as somebody types it, with what it printed; `git` of the tests runs no hooks of others. */
async function push(scenario: Scenario, ...args: readonly string[]): Promise<{ readonly ok: boolean; readonly printed: string }> {
  const env = {
    PATH: process.env['PATH'],
    HOME: join(scenario.repository.beside, 'home'),
    XDG_STATE_HOME: scenario.state,
    GIT_CONFIG_NOSYSTEM: '1',
    NO_COLOR: '1',
  };
  return await new Promise((resolve) => {
    execFile('git', ['push', '--quiet', 'origin', ...args], { cwd: scenario.root, env }, (error, stdout, stderr) =>
      resolve({ ok: error === null, printed: stdout + stderr }),
    );
  });
}

describe('the pre-push hook', { concurrency: 3 }, () => {
  test('stops a push that brings something bad, shows it, and lets the mended one through without a word', async () => {
    await using scenario = await withRemote();
    const installed = await scenario.volley(['hook', 'install']);
    assert.equal(installed.code, 0, installed.stderr);
    await scenario.repository.git('switch', '--quiet', '-c', 'feature');
    await scenario.repository.commit('bad', { 'save.js': DEFECT });
    const stopped = await push(scenario, 'feature');
    assert.equal(stopped.ok, false);
    assert.match(stopped.printed, /forEach does not wait for its async callback/);
    assert.match(stopped.printed, /The push is stopped/);
    await scenario.repository.commit('good', { 'save.js': MENDED });
    assert.deepEqual(await push(scenario, 'feature'), { ok: true, printed: '' });
    assert.equal(existsSync(join(scenario.root, '.volley')), false);
  });

  test('looks at the pushed commits only, not at what the remote has', async () => {
    await using scenario = await withRemote();
    await scenario.repository.commit('bad', { 'save.js': DEFECT });
    await scenario.repository.git('push', '--quiet', 'origin', 'main');
    await scenario.volley(['hook', 'install']);
    await scenario.repository.commit('more', { 'more.js': MENDED });
    assert.deepEqual(await push(scenario, 'main'), { ok: true, printed: '' });
  });

  test('has nothing to say about a deleted branch and a tag', async () => {
    await using scenario = await withRemote();
    await scenario.repository.git('branch', 'old');
    await scenario.repository.git('tag', 'v1');
    await scenario.repository.git('push', '--quiet', 'origin', 'old');
    await scenario.volley(['hook', 'install']);
    assert.deepEqual(await push(scenario, '--delete', 'old'), { ok: true, printed: '' });
    assert.deepEqual(await push(scenario, 'v1'), { ok: true, printed: '' });
  });

  test('compares a new branch with what the remote has, not with a branch of the user', async () => {
    await using scenario = await withRemote();
    await scenario.volley(['hook', 'install']);
    await scenario.repository.commit('bad, not pushed', { 'save.js': DEFECT });
    await scenario.repository.git('switch', '--quiet', '-c', 'feature');
    await scenario.repository.commit('good', { 'more.js': MENDED });
    const stopped = await push(scenario, 'feature');
    assert.deepEqual([stopped.ok, /forEach does not wait/.test(stopped.printed)], [false, true]);
  });

  test('says what it does not review: a first push, and a history of its own', async () => {
    await using scenario = await makeScenario();
    const remote = join(scenario.repository.beside, 'remote.git');
    await scenario.repository.git('init', '--quiet', '--bare', remote);
    await scenario.repository.git('remote', 'add', 'origin', remote);
    await scenario.volley(['hook', 'install']);
    const first = await push(scenario, 'main');
    assert.deepEqual(
      [first.ok, first.printed.trim()],
      [true, 'volley: refs/heads/main is not reviewed: it shares no commit with what is known of the remote.'],
    );
    await scenario.repository.git('switch', '--quiet', '--orphan', 'pages');
    await scenario.repository.commit('pages', { 'index.html': '<p>\n' });
    const orphan = await push(scenario, 'pages');
    assert.deepEqual([orphan.ok, /refs\/heads\/pages is not reviewed/.test(orphan.printed)], [true, true]);
  });

  test('sees a secret that a commit adds and a later one takes away', async () => {
    await using scenario = await withRemote();
    await scenario.volley(['hook', 'install']);
    const value = ['ghp', 'R4nd0mV4lu3Th4tN0b0dyKn0ws12345678Ab'].join('_');
    await scenario.repository.commit('oops', { 'a.txt': `token ${value}\n` });
    await scenario.repository.commit('gone', { 'a.txt': 'nothing\n' });
    const stopped = await push(scenario, 'main');
    assert.deepEqual([stopped.ok, /adds a secret \(GitHub token\), and a later one/.test(stopped.printed)], [false, true]);
    assert.ok(!stopped.printed.includes(value));
  });

  test('stops from the severity on that is asked for', async () => {
    await using scenario = await withRemote();
    await scenario.volley(['hook', 'install', '--fail-on', 'critical']);
    await scenario.repository.commit('bad', { 'save.js': DEFECT });
    assert.equal((await push(scenario, 'main')).ok, true);
  });

  test('never overwrites a hook of somebody else, and removes only its own', async () => {
    await using scenario = await withRemote();
    const file = join(scenario.root, '.git', 'hooks', 'pre-push');
    assert.equal((await scenario.volley(['hook', 'install'])).code, 0);
    assert.equal((await scenario.volley(['hook', 'install'])).code, 0);
    assert.equal((await scenario.volley(['hook', 'uninstall'])).code, 0);
    assert.equal(existsSync(file), false);
    await writeFile(file, '#!/bin/sh\necho mine\n');
    const refused = await scenario.volley(['hook', 'install']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /There is a pre-push hook already/);
    assert.match(refused.stderr, /hook pre-push .*"\$@" \|\| exit 1/);
    await scenario.volley(['hook', 'uninstall']);
    assert.equal(await readFile(file, 'utf8'), '#!/bin/sh\necho mine\n');
  });

  test('says where to put its line where the project keeps its hooks elsewhere', async () => {
    await using scenario = await withRemote();
    await scenario.repository.git('config', 'core.hooksPath', '.githooks');
    const refused = await scenario.volley(['hook', 'install']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /keeps its hooks in \.githooks/);
    await scenario.repository.git('config', 'core.hooksPath', join(scenario.repository.beside, 'hooks'));
    assert.equal((await scenario.volley(['hook', 'install'])).code, 1);
  });

  test('is not installed for a reviewer that does not exist', async () => {
    await using scenario = await withRemote();
    const refused = await scenario.volley(['hook', 'install', '--reviewer', 'nobody']);
    assert.deepEqual([refused.code, /nobody \(reviewer\) is not an agent/.test(refused.stderr)], [1, true]);
    assert.equal(existsSync(join(scenario.root, '.git', 'hooks', 'pre-push')), false);
  });

  test('stops and says so where Volley is gone', async () => {
    await using scenario = await withRemote();
    await scenario.volley(['hook', 'install']);
    const file = join(scenario.root, '.git', 'hooks', 'pre-push');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^volley=.*$/m, 'volley=/nowhere/volley.js'), { mode: 0o755 });
    const stopped = await push(scenario, 'main');
    assert.equal(stopped.ok, false);
    assert.match(stopped.printed, /nothing was reviewed/);
  });
});
