import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findCli, locateCli } from './cli-detect.ts';

let folder = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'volley-cli-'));
});
after(async () => await rm(folder, { recursive: true, force: true }));

async function program(name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

test('a program is found by its name, and says its version', async () => {
  const path = await program('agent', 'echo "agent-cli 1.2.3 (beta)"');
  assert.deepEqual(await findCli('agent', { run: [] }, `/usr/bin:/bin:${folder}`), { path, args: [], version: '1.2.3', problem: null });
});

test('the configuration may name the program, and arguments that come first', async () => {
  const path = await program('wrapped', 'echo "$1 $2 4.5.6"');
  assert.deepEqual(await findCli('agent', { run: [path, '--inner'] }, '/usr/bin:/bin'), {
    path,
    args: ['--inner'],
    version: '4.5.6',
    problem: null,
  });
  assert.deepEqual(await locateCli('agent', { run: [path, '--inner'] }), { path, args: ['--inner'], problem: null });
});

test('a program that is not there is told', async () => {
  const { path, problem } = await findCli('no-such-agent', { run: [] }, folder);
  assert.deepEqual([path, problem], [null, 'no-such-agent was not found in PATH.']);
});

test('a program that fails or says nothing has no version', async () => {
  for (const script of ['exit 3', 'echo 1.2.3; exit 1', 'echo hello']) {
    const path = await program(`odd-${script.length}`, script);
    const { version, problem } = await findCli('agent', { run: [path] }, '/usr/bin:/bin');
    assert.deepEqual([version, problem], [null, `${path} --version gave no version.`]);
  }
});

test('the question shows the program nothing of the user', async () => {
  const path = await program('nosy', `env > "${folder}/seen"; echo 1.0.0; ls -A "$HOME" >> "${folder}/seen"`);
  process.env['VOLLEY_TEST_CANARY'] = 'canary';
  await findCli('agent', { run: [path] }, '/usr/bin:/bin');
  delete process.env['VOLLEY_TEST_CANARY'];
  const seen = await readFile(join(folder, 'seen'), 'utf8');
  assert.doesNotMatch(seen, /canary/i);
  assert.doesNotMatch(seen, new RegExp(`^HOME=${process.env['HOME'] ?? 'none'}$`, 'm'));
});

test('a program is asked once, and again after it was replaced', async () => {
  const path = await program('counting', `echo x >> "${folder}/asked"; echo 1.0.0`);
  const ask = async (): Promise<string | null> => (await findCli('agent', { run: [path] }, '/usr/bin:/bin')).version;
  assert.deepEqual(await Promise.all([ask(), ask()]), ['1.0.0', '1.0.0']);
  assert.equal(await readFile(join(folder, 'asked'), 'utf8'), 'x\n');
  await program('counting', 'echo 2.0.0');
  await utimes(path, 1, 1);
  assert.equal(await ask(), '2.0.0');
});
