import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLive } from '../support/live-listener.ts';
import { connectHttp } from '../support/mcp-client.ts';
import { answers, APPROVED, eventually, makeScenario, turns } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';
import { startServer } from '../support/server-process.ts';
import { openSlowly } from '../support/slow-socket.ts';

/** What stops within this time stops by itself; everything that would hold it lasts for much longer. */
const SOON_MS = 15_000;

/** An approved task whose landing is a merge that its gate would look at for ever, whatever it is told. */
async function makeLandable(): Promise<Scenario & { readonly gatePid: string }> {
  const scenario = await makeScenario({
    agents: { author: turns({ write: { 'code.txt': 'right\n' }, result: {} }), reviewer: answers(APPROVED) },
  });
  const gatePid = join(scenario.repository.beside, 'gate.pid');
  const run = `[ ! -e late.txt ] || { trap '' TERM; echo $$ > '${gatePid}'; sleep 1000 & wait; sleep 1000; }`;
  const done = await scenario.volley(['run', 'Write it', '--gate', run]);
  assert.equal(done.code, 0, done.stderr);
  await scenario.repository.commit('late', { 'late.txt': 'x\n' });
  return { ...scenario, gatePid };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a server that is asked to stop tells everybody, ends what is under way, and is gone soon', async () => {
  await using scenario = await makeLandable();
  assert.equal((await scenario.volley(['add', 'Waits'])).code, 0);
  const server = await startServer(scenario, ['--no-work']);
  const main = await scenario.repository.git('rev-parse', 'main');

  const live = openLive(server);
  live.send({ type: 'subscribe', topics: ['journal'] });
  await live.until('subscribed', ({ type }) => type === 'subscribed');
  const deaf = await openSlowly(server, { type: 'subscribe', topics: ['journal'] });
  const mcp = await connectHttp(server.url, server.token);
  const waiting = mcp.call('wait_for_review', { loop: 2 });
  const half = connect(Number(new URL(server.url).port), '127.0.0.1');
  half.on('error', () => undefined);
  half.write('POST /api/tasks HTTP/1.1\r\ncontent-length: 1000\r\n');
  const landing = server.ask('POST', '/api/loops/1/land', {});
  await eventually(
    'the gate of the landing runs',
    async () => existsSync(scenario.gatePid) && (await readFile(scenario.gatePid)).length > 0,
  );

  const stoppedAt = performance.now();
  server.process.kill('SIGTERM');
  const closed = await live.closed;
  assert.deepEqual(closed, { code: 1001, reason: 'the server stops' });
  assert.ok(performance.now() - stoppedAt < 1000, 'whoever listens hears of it at once');
  const { status, body } = await landing;
  assert.deepEqual([status, Object(body).code], [503, 'stopping']);
  const { code, stderr } = await server.ended;
  assert.deepEqual([code, stderr], [0, '']);
  assert.ok(performance.now() - stoppedAt < SOON_MS, `it took ${performance.now() - stoppedAt} ms`);
  assert.equal((await waiting).data['stillRunning'], true, 'whoever waits is told how far it is');

  assert.equal(await scenario.repository.git('rev-parse', 'main'), main, 'nothing was landed');
  assert.equal(isAlive(Number(await readFile(scenario.gatePid, 'utf8'))), false, 'its gate has ended');
  assert.ok(!(await scenario.journal(1)).some(({ event }) => event.type === 'landed'));
  deaf.close();
  half.destroy();
  await mcp.client.close().catch(() => undefined);
});

test('a landing goes on when whoever asked for it is gone', async () => {
  await using scenario = await makeScenario({
    agents: { author: turns({ write: { 'code.txt': 'right\n' }, result: {} }), reviewer: answers(APPROVED) },
  });
  const mark = join(scenario.repository.beside, 'gate.ran');
  const run = `[ ! -e late.txt ] || { touch '${mark}'; sleep 1; }`;
  assert.equal((await scenario.volley(['run', 'Write it', '--gate', run])).code, 0);
  await scenario.repository.commit('late', { 'late.txt': 'x\n' });
  const server = await startServer(scenario, ['--no-work']);
  const gone = new AbortController();
  const asked = fetch(`${server.url}/api/loops/1/land`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}` },
    signal: gone.signal,
  });
  const left = assert.rejects(asked, { name: 'AbortError' });
  await eventually('the gate runs', async () => existsSync(mark));
  gone.abort();
  await left;
  await eventually('it has landed', async () => existsSync(join(scenario.root, 'code.txt')));
  server.process.kill('SIGTERM');
  assert.deepEqual([(await server.ended).code, (await server.ended).stderr], [0, '']);
});

test('a server that had to take another port answers all the same, agents included', async () => {
  await using scenario = await makeScenario();
  // Where somebody else has the usual port, that is taken too.
  const other = createServer().listen(4780, '127.0.0.1');
  await Promise.race([once(other, 'listening'), once(other, 'error')]).catch(() => undefined);
  const running = scenario.start(['serve', '--json', '--no-work']);
  assert.ok(running.process.stdout);
  const [line] = await once(running.process.stdout, 'data');
  const { url, tokenFile } = JSON.parse(String(line));
  assert.ok(!url.endsWith(':4780'));
  await using mcp = await connectHttp(url, (await readFile(tokenFile, 'utf8')).trim());
  assert.equal((await mcp.call('list_loops')).isError, false);
  other.close();
  running.process.kill('SIGTERM');
  assert.deepEqual([(await running.ended).code, (await running.ended).stderr], [0, '']);
});
