import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, makeScenario, turns } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';
import { startServer } from '../support/server-process.ts';
import type { ServerProcess } from '../support/server-process.ts';

const SECRET = `${'gh'}p_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zAcC12`;

/** A server in which a bug happens when it gets a signal: a promise that fails unheard, or an exception that nobody catches. */
async function startFragile(scenario: Scenario): Promise<ServerProcess> {
  const bugs = join(scenario.root, '..', 'bugs.mjs');
  await writeFile(
    bugs,
    `process.on('SIGUSR2', () => void Promise.reject(new Error('unheard \\x1b]0;x\\x07 ${SECRET}')));
     process.on('SIGWINCH', () => setImmediate(() => { throw new Error('uncaught ${SECRET}'); }));`,
  );
  return await startServer(scenario, [], { NODE_OPTIONS: `--import=${bugs}` });
}

test('a promise that fails unheard is told, and the server goes on', async () => {
  await using scenario = await makeScenario();
  const server = await startFragile(scenario);
  let told = '';
  server.process.stderr?.on('data', (chunk: Buffer) => (told += chunk.toString('utf8')));
  server.process.kill('SIGUSR2');
  await eventually('it is told', async () => await Promise.resolve(told.includes('error: Error: unheard')));
  assert.equal((await server.ask('GET', '/api/health')).status, 200);
  server.process.kill('SIGTERM');
  const { code, stderr } = await server.ended;
  assert.equal(code, 0);
  assert.ok(!stderr.includes(SECRET) && !stderr.includes('\x1b'), stderr);
});

test('after an exception that nobody caught the server stops in order, and its loops go on at the next start', async () => {
  await using scenario = await makeScenario({
    agents: { author: turns({ run: 'exec sleep 1000' }, { write: { 'code.txt': 'right\n' }, result: {} }) },
  });
  const first = await startFragile(scenario);
  await first.ask('POST', '/api/tasks', { text: 'Write it' });
  await eventually('the author works', async () => (await scenario.calls('author')).length === 1);
  first.process.kill('SIGWINCH');
  const { code, stderr } = await first.ended;
  assert.equal(code, 1);
  assert.match(stderr, /error: Error: uncaught \[secret: GitHub token\]/);
  assert.equal((await scenario.journal()).at(-1)?.event.type, 'interrupted');
  const second = await startServer(scenario);
  await eventually('the loop goes on', async () => (await scenario.calls('author')).length === 2);
  second.process.kill('SIGTERM');
  assert.equal((await second.ended).code, 0);
});
