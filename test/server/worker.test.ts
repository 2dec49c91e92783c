import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Choices } from '../../src/api/contract/people.ts';
import { Started } from '../../src/api/contract/tasks.ts';
import { TaskOutput } from '../../src/core/task-output.ts';
import { answers, APPROVED, eventually, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import { startServer } from '../support/server-process.ts';
import type { ServerProcess } from '../support/server-process.ts';

async function stateOf(server: ServerProcess, id: number): Promise<string> {
  return TaskOutput.parse((await server.ask('GET', `/api/tasks/${id}`)).body).state;
}

async function untilState(server: ServerProcess, id: number, state: string): Promise<void> {
  await eventually(`task ${id} is ${state}`, async () => (await stateOf(server, id)) === state, 60_000);
}

async function start(server: ServerProcess, body: object): Promise<readonly number[]> {
  const answer = await server.ask('POST', '/api/tasks', body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return Started.parse(answer.body).loops.map(({ id }) => id);
}

test('a task that is posted is driven by the server, asks, and goes on as it is told', async () => {
  await using scenario = await makeScenario({
    agents: {
      author: turns({ write: { 'code.txt': 'wrong\n' }, result: {} }),
      reviewer: answers(rejected(issue('It is wrong.', { file: 'code.txt', line: 1 })), APPROVED),
      fixer: turns({ write: { 'code.txt': 'right\n' }, result: {} }),
    },
  });
  const server = await startServer(scenario);
  await start(server, { text: 'Write it', autoReview: true, maxRounds: 1 });
  await untilState(server, 1, 'needs_human');
  const { choices } = Choices.parse((await server.ask('GET', '/api/loops/1/choices')).body);
  const letter = choices.find(({ choice }) => choice === 'one-more-round')?.letter;
  assert.equal((await server.ask('POST', '/api/loops/1/decisions', { choice: letter })).status, 200);
  await untilState(server, 1, 'approved');
  server.process.kill('SIGTERM');
  assert.deepEqual([(await server.ended).code, (await server.ended).stderr], [0, '']);
  assert.equal((await scenario.volley(['land', '1'])).code, 0);
});

test('a server that is asked to stop ends its agents, and its loops go on at the next start', async () => {
  await using scenario = await makeScenario({
    agents: { author: turns({ run: 'exec sleep 1000' }, { write: { 'code.txt': 'right\n' }, result: {} }), reviewer: answers(APPROVED) },
  });
  const first = await startServer(scenario);
  await start(first, { text: 'Write it', autoReview: true });
  await eventually('the author works', async () => (await scenario.calls('author')).length === 1);
  first.process.kill('SIGTERM');
  assert.equal((await first.ended).code, 0);
  const stopped = (await scenario.journal()).at(-1);
  assert.deepEqual([stopped?.event.type, stopped?.state], ['interrupted', 'implementing']);
  const second = await startServer(scenario);
  await untilState(second, 1, 'approved');
  second.process.kill('SIGINT');
  assert.equal((await second.ended).code, 0);
  assert.equal((await scenario.calls('author')).length, 2);
});

test('a server and another process share out the tasks: none is driven twice', async () => {
  await using scenario = await makeScenario({
    agents: { author: turns({ run: 'sleep 0.1; echo x > "$VOLLEY_TASK.txt"', result: {} }), reviewer: answers(APPROVED) },
  });
  const server = await startServer(scenario, ['--parallel', '2']);
  const beside = scenario.start(['work', '--watch', '--parallel', '2', '--json']);
  const ids = await start(server, { tasks: Array.from({ length: 8 }, (_, index) => ({ text: `Task ${index + 1}`, autoReview: true })) });
  for (const id of ids) await untilState(server, id, 'approved');
  for (const { process } of [server, beside]) process.kill('SIGTERM');
  assert.deepEqual([(await server.ended).code, (await server.ended).stderr, (await beside.ended).code], [0, '', 130]);
  for (const id of ids) {
    const types = (await scenario.journal(id)).map(({ event }) => event.type);
    assert.deepEqual(
      types.filter((type) => type === 'authored' || type === 'reviewed' || type === 'finished'),
      ['authored', 'reviewed', 'finished'],
    );
    assert.ok(!types.includes('interrupted') && !types.includes('refused'));
  }
  const calls = await scenario.calls('author');
  assert.deepEqual(new Set(calls.map(({ env }) => Number(env['VOLLEY_TASK']))), new Set(ids));
  assert.equal(calls.length, ids.length, 'every author was started once');
});

test('a disk that is full is tried once by all who watch, and said by those who show it', async () => {
  await using scenario = await makeScenario({
    agents: { author: turns({ run: 'echo x > code.txt', result: {} }), reviewer: answers(APPROVED) },
  });
  const env = { VOLLEY_FAILPOINT: 'full:committed author' };
  const server = await startServer(scenario, [], env);
  const beside = scenario.start(['work', '--watch'], { env });
  await start(server, { text: 'Write it', autoReview: true });
  await eventually('the disk is full', async () => (await scenario.journal()).some(({ event }) => event.type === 'postponed'));
  const late = scenario.start(['work', '--watch'], { env });
  await new Promise((resolve) => setTimeout(resolve, 3500));
  assert.deepEqual(
    (await scenario.journal()).map(({ event }) => event.type),
    ['created', 'started', 'interrupted', 'postponed'],
  );
  assert.equal((await scenario.calls('author')).length, 1);
  assert.match((await scenario.volley(['status'])).stdout, /waits until .*: the disk is full/);
  const again = await scenario.volley(['work'], { env });
  assert.deepEqual([again.code, again.stderr.split('\n')[0]], [1, 'error: Task 1: The disk is full.']);
  for (const { process } of [server, beside, late]) process.kill('SIGTERM');
  await Promise.all([server.ended, beside.ended, late.ended]);
  assert.equal((await scenario.volley(['work'])).code, 0);
  assert.equal((await scenario.loop()).state, 'approved');
});

test('a task that cannot be driven is told and stops neither the others nor the server', async () => {
  await using scenario = await makeScenario({
    agents: { author: turns({ run: 'echo x > code.txt', result: {} }), reviewer: answers(APPROVED) },
  });
  const held = await scenario.volley(['add', 'One', '--require-sandbox', '-a'], { env: { VOLLEY_CONFINE: 'os' } });
  assert.equal(held.code, 0, held.stderr);
  const server = await startServer(scenario);
  await start(server, { text: 'Two', autoReview: true });
  await untilState(server, 2, 'approved');
  assert.equal((await server.ask('GET', '/api/health')).status, 200);
  server.process.kill('SIGTERM');
  const { code, stderr } = await server.ended;
  assert.equal(code, 0);
  assert.match(stderr, /^error: Task 1: .*\n$/, 'it was told once');
});

test('a server that is told so serves only, and drives nothing', async () => {
  await using scenario = await makeScenario({ agents: { author: turns({ write: { 'code.txt': 'x\n' } }), reviewer: answers(APPROVED) } });
  const server = await startServer(scenario, ['--no-work']);
  await start(server, { text: 'Write it' });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.deepEqual([await stateOf(server, 1), Object((await server.ask('GET', '/api/health')).body).works], ['queued', false]);
  assert.equal((await scenario.volley(['work', '1'])).code, 0);
  assert.equal(await stateOf(server, 1), 'pending_self_review');
  server.process.kill('SIGTERM');
  assert.equal((await server.ended).code, 0);
  const refused = await scenario.volley(['serve', '--parallel', '0']);
  assert.deepEqual([refused.code, refused.stderr.split('\n')[0]], [1, "error: '0' is not a number of tasks."]);
});
