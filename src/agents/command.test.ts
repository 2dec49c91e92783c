import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { plainAgent } from '../core/settings.ts';
import type { Agent, AgentEvent, AgentInput } from './agent.ts';
import { command, commandEnvironment } from './command.ts';
import { agentConformance } from './conformance.ts';
import type { Behaviour } from './conformance.ts';
import { fakeInput } from './fake.ts';

const SCRIPTS: Readonly<Record<Behaviour, string>> = {
  answers: `echo hello; echo '{"passed":true}' >"$VOLLEY_RESULT"`,
  echoes: 'cat',
  'says-nothing': 'exit 0',
  crashes: `echo '{"passed":true}' >"$VOLLEY_RESULT"; exit 3`,
  hangs: `trap '' TERM; while :; do sleep 60; done`,
  chatters: 'while :; do echo x; sleep 0.02; done',
  floods: 'exec yes',
};

agentConformance('command', (behaviour) => agent(['/bin/sh', '-c', SCRIPTS[behaviour]]));

let folder = '';
let count = 0;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'volley-command-'));
});
after(async () => await rm(folder, { recursive: true, force: true }));

function agent(run: readonly string[]): Agent {
  const spec = plainAgent({ name: 'script', driver: 'command', run: [...run] });
  return command.create(spec, { homes: folder });
}

function input(change: Partial<AgentInput> = {}): AgentInput {
  return fakeInput({
    cwd: folder,
    env: { PATH: '/usr/bin:/bin' },
    task: 29,
    round: 2,
    scratch: '/scratch',
    resultFile: join(folder, `result-${count}`),
    marker: `command-test-${process.pid}-${count++}`,
    ...change,
  });
}

async function lastEvent(run: readonly string[], change: Partial<AgentInput> = {}): Promise<AgentEvent | undefined> {
  let last: AgentEvent | undefined;
  for await (const event of agent(run).run(input(change), new AbortController().signal)) last = event;
  return last;
}

test('a script finds the whole contract in its environment, and nothing else', async () => {
  const given = input();
  const end = await lastEvent(['/bin/sh', '-c', 'unset PWD; env | grep -v -e ^SHLVL= -e ^_= | sort'], given);
  assert.ok(end?.type === 'ended');
  const expected = { ...commandEnvironment(given), VOLLEY_SESSION: given.marker };
  assert.deepEqual(
    end.output.trim().split('\n'),
    Object.entries(expected)
      .map(([name, value]) => `${name}=${value}`)
      .toSorted(),
  );
});

test('the contract names role, task, round, nonce, result file, scratch, base and head', () => {
  assert.deepEqual(commandEnvironment(input({ env: {}, resultFile: '/r', role: 'arbiter' })), {
    VOLLEY_ROLE: 'arbiter',
    VOLLEY_TASK: '29',
    VOLLEY_ROUND: '2',
    VOLLEY_NONCE: 'nonce',
    VOLLEY_RESULT: '/r',
    VOLLEY_SCRATCH: '/scratch',
    VOLLEY_BASE: 'base',
    VOLLEY_HEAD: 'head',
  });
  assert.equal('VOLLEY_SCRATCH' in commandEnvironment(input({ scratch: null })), false);
});

test('the answer is what was printed on standard output, without the noise of standard error', async () => {
  const end = await lastEvent(['/bin/sh', '-c', 'echo noise >&2; echo answer']);
  assert.ok(end?.type === 'ended');
  assert.equal(end.output, 'answer\n');
});

test('a result file that is no regular file, or too large, is refused', async () => {
  const secret = join(folder, 'secret');
  await writeFile(secret, '{"passed":true}');
  for (const left of [
    `ln -s ${secret} "$VOLLEY_RESULT"`,
    'mkfifo "$VOLLEY_RESULT"',
    'mkdir "$VOLLEY_RESULT"',
    'head -c 17000000 /dev/zero >"$VOLLEY_RESULT"',
  ]) {
    const end = await lastEvent(['/bin/sh', '-c', left]);
    assert.ok(end?.type === 'failed', left);
    assert.deepEqual([end.reason, end.result], ['bad-result', null]);
  }
});

test('a result file of an earlier attempt does not count', async () => {
  const resultFile = join(folder, 'stale');
  await writeFile(resultFile, '{"passed":true}');
  const end = await lastEvent(['/bin/sh', '-c', 'exit 0'], { resultFile });
  assert.ok(end?.type === 'ended');
  assert.equal(end.result, null);
});

test('a program is never looked for in the checkout', async () => {
  await writeFile(join(folder, 'evil'), '#!/bin/sh\necho owned\n', { mode: 0o755 });
  for (const name of ['evil', './evil']) {
    const end = await lastEvent([name], { env: { PATH: '.:/usr/bin:/bin' } });
    assert.ok(end?.type === 'failed');
    assert.equal(end.reason, 'not-started');
  }
});

test('detection tells what is wrong with a program', async () => {
  await writeFile(join(folder, 'plain.sh'), 'exit 0\n');
  assert.deepEqual(await agent(['sh']).detect(), { available: true, version: null, problem: null, login: null });
  assert.match((await agent(['no-such-program']).detect()).problem ?? '', /not found in PATH/);
  assert.match((await agent([join(folder, 'plain.sh')]).detect()).problem ?? '', /is not executable/);
  assert.equal((await agent([]).detect()).available, false);
});
