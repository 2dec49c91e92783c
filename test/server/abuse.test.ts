import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openLive } from '../support/live-listener.ts';
import { connectHttp } from '../support/mcp-client.ts';
import { eventually, makeScenario } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';
import { startServer } from '../support/server-process.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { standsFirm } from '../support/stands-firm.ts';
import { clientFrame, upgradeRequest } from '../support/websocket-bytes.ts';

// T21 of the threats: whatever is thrown at the server, it answers others meanwhile, stays small and does not fall over.

let scenario: Scenario;
let server: ServerProcess;

before(async () => {
  scenario = await makeScenario();
  server = await startServer(scenario);
});

after(async () => await scenario[Symbol.asyncDispose]());

const port = (): number => Number(new URL(server.url).port);

const withstands = async (attack: () => Promise<void>): Promise<void> => await standsFirm(server, attack);

/** A connection that minds nothing, and all that came back on it. */
function open(): { readonly socket: Socket; readonly closed: Promise<void>; text(): string } {
  const socket = connect(port(), '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text = (text + chunk).slice(-1_000_000)));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, closed, text: () => text };
}

const head = (more: readonly string[] = []): string =>
  [`GET /api/health HTTP/1.1`, `Host: 127.0.0.1:${port()}`, `Authorization: Bearer ${server.token}`, ...more, '', ''].join('\r\n');

describe('connections', () => {
  test('that say nothing, or slowly, are closed', async () => {
    await withstands(async () => {
      const silent = Array.from({ length: 300 }, open);
      const slow = Array.from({ length: 100 }, open);
      for (const { socket } of slow) socket.write('GET / HTTP/1.1\r\nHost: ');
      const drip = setInterval(() => slow.forEach(({ socket }) => socket.write('x')), 500);
      await Promise.all([...silent, ...slow].map(async ({ closed }) => await closed));
      clearInterval(drip);
    });
  });

  test('whose body never comes are refused at once, or closed', async () => {
    const post = (token: string): string =>
      `POST /api/tasks HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
    const stranger = open();
    stranger.socket.write(post('wrong'));
    await stranger.closed;
    assert.match(stranger.text(), /^HTTP\/1\.1 401 /);
    const slow = open();
    slow.socket.write(post(server.token));
    await slow.closed;
    assert.match(slow.text(), /^(?:$|HTTP\/1\.1 408 )/);
  });

  test('with huge headers are refused', async () => {
    for (const more of [`X: ${'x'.repeat(1_000_000)}`, Array.from({ length: 5000 }, (_, index) => `X${index}: x`).join('\r\n')]) {
      const connection = open();
      connection.socket.write(head([more]));
      await connection.closed;
      assert.match(connection.text(), /^(?:$|HTTP\/1\.1 (?:431|400) )/);
    }
  });

  test('that ask thousands of times without waiting are cut off, whether they take the answers or not', async () => {
    await withstands(async () => {
      const patient = open();
      patient.socket.write(head().repeat(20) + head(['Connection: close']));
      await patient.closed;
      assert.equal(patient.text().match(/HTTP\/1\.1 200 /g)?.length, 21);
      const hasty = Array.from({ length: 40 }, open);
      for (const [index, { socket }] of hasty.entries()) {
        if (index % 2 === 0) socket.pause();
        socket.write((index % 4 < 2 ? head() : head().replace('/api/health', '/')).repeat(10_000));
      }
      await Promise.all(hasty.filter((_, index) => index % 2 === 1).map(async ({ closed }) => await closed));
      for (const { socket } of hasty) socket.destroy();
    });
  });

  test('that are refused before they are routed, and stay, are cut off', async () => {
    for (const first of ['CONNECT evil.com:443 HTTP/1.1\r\n\r\n', 'NONSENSE\r\n\r\n', head(['Expect: foo'])]) {
      const socket = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined).resume();
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(first);
      const stays = setInterval(() => socket.write('x'), 100);
      await closed;
      clearInterval(stays);
    }
  });

  test('are not more than the server can bear', async () => {
    const many = Array.from({ length: 2500 }, open);
    await Promise.all(many.slice(2100).map(async ({ closed }) => await closed));
    for (const { socket } of many) socket.destroy();
    await eventually('there is room again', async () => (await server.ask('GET', '/api/health').catch(() => null))?.status === 200);
  });
});

describe('a live socket', () => {
  /** A socket that sends bytes, and takes answers or not. */
  async function flood(bytes: Buffer, { deaf = false } = {}): Promise<void> {
    const { socket, closed } = open();
    socket.write(upgradeRequest('/api/live', { host: `127.0.0.1:${port()}`, token: server.token }));
    await once(socket, 'data');
    if (deaf) socket.pause();
    const pump = (): void => {
      while (!socket.destroyed && socket.write(bytes));
    };
    socket.on('drain', pump);
    pump();
    await closed;
  }
  const PING = Buffer.from('{"type":"ping"}');
  const SUBSCRIBE = Buffer.from(JSON.stringify({ type: 'subscribe', topics: ['output'], loops: [1], outputAfter: {} }));

  for (const [what, bytes, deaf] of [
    ['asks more than is answered', clientFrame(SUBSCRIBE), false],
    ['does not take the answers', clientFrame(PING), true],
    ['does not take the pongs', clientFrame(Buffer.alloc(100), { opcode: 9 }), true],
    ['sends bytes that are no text', clientFrame(Buffer.alloc(1000), { opcode: 2 }), false],
    ['sends a frame that is too large', clientFrame(Buffer.alloc(65_537)), false],
    ['sends a frame in too many pieces', clientFrame(Buffer.alloc(1000), { opcode: 0, isLast: false }), false],
  ] as const)
    test(`that ${what} is closed`, async () => {
      await withstands(async () => {
        const start = what.includes('pieces') ? clientFrame(Buffer.from('{'), { isLast: false }) : Buffer.alloc(0);
        await flood(Buffer.concat([start, ...Array.from({ length: 100 }, () => bytes)]), { deaf });
      });
    });

  test('that behaves is served beside all that', async () => {
    const live = openLive(server);
    live.send({ type: 'ping' });
    await live.until('an answer', ({ type }) => type === 'pong');
    live.close();
  });
});

test('clients of the MCP door are answered, or told that they are too many', async () => {
  await withstands(async () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x'.repeat(10_000), version: '1' } },
    };
    const ask = async (body: string): Promise<number> => {
      const headers = {
        authorization: `Bearer ${server.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const response = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body });
      await response.body?.cancel();
      return response.status;
    };
    const statuses = await Promise.all(Array.from({ length: 200 }, async () => await ask(JSON.stringify(initialize))));
    assert.deepEqual(
      [...new Set(statuses)].filter((status) => status !== 200 && status !== 503),
      [],
    );
    for (const body of [
      '['.repeat(500_000),
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `[${Array.from({ length: 10_000 }, () => JSON.stringify(initialize))
        .join(',')
        .slice(0, 900_000)}]`,
      'null',
      '{}',
    ])
      assert.ok((await ask(body)) >= 400, body.slice(0, 20));
  });
  await using client = await connectHttp(server.url, server.token);
  assert.ok(!(await client.call('list_loops')).isError);
});
