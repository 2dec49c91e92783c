import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { SocketTransport } from './socket-transport.ts';

const MIB = 1024 * 1024;

let folder = '';
let server: Server;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'volley-transport-'));
  server = createServer({ allowHalfOpen: true }).listen(join(folder, 's'));
  await once(server, 'listening');
});
after(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(onMessage: (message: JSONRPCMessage, transport: SocketTransport) => void): Promise<Socket> {
  const accepted = once(server, 'connection');
  const client = connect(join(folder, 's'));
  const [socket]: Socket[] = await accepted;
  assert.ok(socket);
  const transport = new SocketTransport(socket);
  Object.assign(transport, { onmessage: (message: JSONRPCMessage) => onMessage(message, transport) });
  await transport.start();
  return client;
}

function idOf(message: JSONRPCMessage): string | number {
  return 'id' in message && message.id !== undefined ? message.id : 'none';
}

function request(id: number, params: object = {}): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'x', params })}\n`;
}

test('answers that take their time reach a client that has ended its side, and then the connection ends', async () => {
  const client = await open((message, transport) => {
    void sleep(30).then(async () => await transport.send({ jsonrpc: '2.0', id: idOf(message), result: {} }));
  });
  client.end(request(1) + request(2));
  let answers = '';
  for await (const chunk of client) answers += String(chunk);
  assert.equal(answers, '{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":2,"result":{}}\n');
});

test('messages arrive whole and in order, however they are cut, and only a single one is limited in length', async () => {
  const seen: unknown[] = [];
  const client = await open((message, transport) => {
    seen.push(idOf(message));
    void transport.send({ jsonrpc: '2.0', id: idOf(message), result: {} });
  });
  const text = 'ü'.repeat(MIB);
  for (let id = 0; id < 10; id++) client.write(request(id, { text }));
  const last = Buffer.from(request(10, { text: 'ü' }));
  for (const byte of last) client.write(Buffer.of(byte));
  client.end();
  await once(client.resume(), 'close');
  assert.deepEqual(seen, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('a client that does not read its answers is not read either', async () => {
  let seen = 0;
  const text = 'x'.repeat(MIB);
  const client = await open((message, transport) => {
    seen++;
    void transport.send({ jsonrpc: '2.0', id: idOf(message), result: { text } });
  });
  for (let id = 0; id < 50; id++) client.write(request(id, { text: 'x'.repeat(100_000) }));
  await sleep(200);
  assert.ok(seen < 25, `${seen} requests were read`);
  client.end();
  await once(client.resume(), 'close');
});
