import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { after, before, test } from 'node:test';
import { dial } from './dial.ts';

let server: Server;
let port = 0;

before(async () => {
  server = createServer((socket) => socket.on('error', () => undefined).end('reached'));
  // Another address of this machine than the one that any name leads to.
  server.listen(0, '127.0.0.2');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
after(() => server.close());

const signal = (): AbortSignal => AbortSignal.timeout(30_000);

test('a target is reached by the addresses that were judged, whatever its name leads to by now', async () => {
  for (const host of ['localhost', 'nowhere.invalid']) {
    const socket = await dial({ host, port }, [{ address: '127.0.0.2', family: 4 }], signal());
    const [text] = await once(socket, 'data');
    socket.destroy();
    assert.equal(String(text), 'reached', host);
  }
});

test('an address that does not answer leaves it to the next one', async () => {
  const addresses = ['127.0.0.3', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  (await dial({ host: 'nowhere.invalid', port }, addresses, signal())).destroy();
});

test('without addresses the system is asked', async () => {
  await assert.rejects(dial({ host: 'nowhere.invalid', port }, null, signal()));
  (await dial({ host: '127.0.0.2', port }, null, signal())).destroy();
});
