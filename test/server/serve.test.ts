import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ListeningOutput } from '../../src/core/output.ts';
import { eventually, makeScenario } from '../support/scenario.ts';
import type { RunningVolley, Scenario } from '../support/scenario.ts';
import { connectHttp } from '../support/mcp-client.ts';
import { startServer } from '../support/server-process.ts';

const ADDRESS = /^  open +(http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{32})/m;

async function stop({ process: child, ended }: RunningVolley, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  child.kill(signal);
  assert.deepEqual([(await ended).code, (await ended).stderr], [0, '']);
}

/** `volley serve` as a person starts it, and what it printed first. */
async function serveForPerson(scenario: Scenario): Promise<RunningVolley & { readonly said: string }> {
  const running = scenario.start(['serve', '--port', '0']);
  let said = '';
  running.process.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  await eventually('it tells where it is', async () => said.includes('Ctrl-C stops it'));
  return { ...running, said };
}

test('a person is told where the server is, where its token lies, and an address that lets one browser in, once', async () => {
  await using scenario = await makeScenario();
  const server = await serveForPerson(scenario);
  const [first, ...rows] = server.said.trim().split('\n');
  const url = /^Volley serves this project at (http:\/\/127\.0\.0\.1:\d+)$/.exec(first ?? '')?.[1] ?? '';
  assert.deepEqual(
    rows.flatMap((row) => /^  (\w+) +/.exec(row)?.[1] ?? []),
    ['open', 'API', 'token', 'agents'],
  );
  const tokenFile = / +token +(.*)$/m.exec(server.said)?.[1] ?? '';
  assert.equal(((await stat(tokenFile)).mode & 0o777).toString(8), '600');
  const agentTokenFile = / +agents +http:\S+\/mcp +with the token in (.*)$/m.exec(server.said)?.[1] ?? '';
  assert.equal(((await stat(agentTokenFile)).mode & 0o777).toString(8), '600');
  for (const file of [tokenFile, agentTokenFile])
    assert.ok(!server.said.includes((await readFile(file, 'utf8')).trim()), 'the token itself is not printed');
  const code = ADDRESS.exec(server.said)?.[1]?.split('#code=')[1] ?? '';
  const logIn = async (): Promise<number> =>
    (
      await fetch(`${url}/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url },
        body: JSON.stringify({ code }),
      })
    ).status;
  assert.deepEqual([await logIn(), await logIn()], [200, 401]);
  await stop(server, 'SIGINT');
});

test('whoever asks again gets a new address of the server that runs, and programs where it is', async () => {
  await using scenario = await makeScenario();
  const server = await startServer(scenario);
  const health = await server.ask('GET', '/api/health');
  const again = await scenario.volley(['serve']);
  assert.equal(again.code, 0);
  assert.match(again.stdout, new RegExp(`^Process ${server.process.pid} serves this project already at `));
  assert.match(again.stdout, ADDRESS);
  const told = await scenario.volley(['serve', '--running', '--json']);
  const { url, tokenFile, agentTokenFile, pid } = ListeningOutput.parse(told.objects()[0]);
  assert.deepEqual([told.code, pid], [0, server.process.pid]);
  const token = (await readFile(tokenFile, 'utf8')).trim();
  const asked = await fetch(`${url}/api/health`, { headers: { authorization: `Bearer ${token}` } });
  assert.deepEqual(await asked.json(), health.body);
  await using mcp = await connectHttp(url, (await readFile(agentTokenFile, 'utf8')).trim());
  assert.ok((await mcp.client.listTools()).tools.length > 0);
  const elsewhere = await scenario.volley(['serve', '--port', '1']);
  assert.deepEqual([elsewhere.code, elsewhere.stderr.includes('Use that one, or end it first.')], [1, true]);
  await stop(server);
  const running = join(dirname(tokenFile), 'running.json');
  assert.ok(!existsSync(running), 'nothing says that it still runs');
  const gone = await scenario.volley(['serve', '--running']);
  assert.deepEqual([gone.code, gone.stderr], [1, 'error: No server runs for this project.\n  Start one: volley serve.\n']);
});

test('a server that was killed is not taken for one that runs, and the next one has the same token', async () => {
  await using scenario = await makeScenario();
  const killed = await startServer(scenario);
  const listening = ListeningOutput.parse((await scenario.volley(['serve', '--running', '--json'])).objects()[0]);
  const token = await readFile(listening.tokenFile, 'utf8');
  killed.process.kill('SIGKILL');
  await killed.ended;
  assert.equal((await scenario.volley(['serve', '--running'])).code, 1);
  const next = await startServer(scenario);
  assert.equal(await readFile(listening.tokenFile, 'utf8'), token);
  await stop(next);
});

test('the record of a dead server counts for nothing, also where the machine has another name by now', async () => {
  await using scenario = await makeScenario();
  const killed = await startServer(scenario);
  const { tokenFile } = ListeningOutput.parse((await scenario.volley(['serve', '--running', '--json'])).objects()[0]);
  killed.process.kill('SIGKILL');
  await killed.ended;
  const record = join(dirname(tokenFile), 'running.json');
  await writeFile(record, JSON.stringify({ ...JSON.parse(await readFile(record, 'utf8')), host: 'another-name' }));
  assert.equal((await scenario.volley(['serve', '--running'])).code, 1);
  await stop(await startServer(scenario));
});

test('whoever removed the token file of a server that runs is told so, and no other one is made', async () => {
  await using scenario = await makeScenario();
  const server = await startServer(scenario);
  const { tokenFile } = ListeningOutput.parse((await scenario.volley(['serve', '--running', '--json'])).objects()[0]);
  await rm(tokenFile);
  const { code, stderr } = await scenario.volley(['serve']);
  assert.equal(code, 1);
  assert.match(stderr, /The token file of the server at \S+ is gone.*\n +End its process/);
  assert.ok(!existsSync(tokenFile));
  await stop(server);
});

test('what cannot be served is refused with what to do: a port in use, no port, no host', async () => {
  await using scenario = await makeScenario();
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';
  const refused = async (...args: readonly string[]): Promise<string> => {
    const { code, stderr } = await scenario.volley(['serve', ...args]);
    assert.equal(code, 1, stderr);
    return stderr;
  };
  assert.equal(
    await refused('--port', port),
    `error: Another program uses port ${port}.\n  Name another one with --port, or --port 0 for any that is free.\n`,
  );
  assert.match(await refused('--port', '70000'), /^error: '70000' is not a port\.\n/);
  assert.match(
    await refused('--allow-host', 'https://volley.example.org'),
    /^error: 'https:\/\/volley\.example\.org' is not the name of a host\.\n/,
  );
  taken.close();
});
