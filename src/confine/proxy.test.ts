import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { startProxy } from './proxy.ts';
import type { Proxy, ProxyOptions } from './proxy.ts';

describe('the proxy of a sandbox', () => {
  let folder = '';
  let socketPath = '';
  const open: (() => unknown)[] = [];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'volley-proxy-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close();
  });

  const proxy = async (options: Partial<ProxyOptions>): Promise<Proxy> => {
    socketPath = join(folder, `socket-${Math.random().toString(36).slice(2)}`);
    const started = await startProxy({ socketPath, network: { mode: 'public' }, user: {}, ...options });
    open.push(async () => await started.close());
    return started;
  };
  const listen = async (server: Server): Promise<number> => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push(() => server.close());
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  /** A server that sends back what it gets, and ends when the other side has. */
  const echo = async (): Promise<number> =>
    await listen(createServer({ allowHalfOpen: true }, (socket) => void socket.on('error', () => undefined).pipe(socket)));
  /** Says something to the proxy and returns all that comes back. */
  const say = async (text: string, { end = true } = {}): Promise<string> => {
    const socket = connect(socketPath).on('error', () => undefined);
    if (end) socket.end(text);
    else socket.write(text);
    return await allOf(socket);
  };
  const tunnel = (target: string): string => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`;

  it('only its owner can open its socket', async () => {
    await proxy({});
    assert.equal(statSync(socketPath).mode & 0o777, 0o600);
  });

  it('a listed host is reached, and bytes go through both ways to their end', async () => {
    const port = await echo();
    await proxy({ network: { mode: 'provider', hosts: [`localhost:${port}`] } });
    const text = 'x'.repeat(3_000_000);
    const answer = await say(`${tunnel(`localhost:${port}`)}${text}`);
    assert.ok(answer.startsWith('HTTP/1.1 200 '));
    assert.equal(answer.split('\r\n\r\n')[1]?.length, text.length);
  });

  it('a host that is not listed is refused with a sentence that says what would allow it', async () => {
    const port = await echo();
    await proxy({ network: { mode: 'provider', hosts: ['api.example.com'] } });
    for (const text of [tunnel(`localhost:${port}`), `GET http://localhost:${port}/ HTTP/1.1\r\nHost: api.example.com\r\n\r\n`]) {
      const answer = await say(text);
      assert.match(answer, /^HTTP\/1\.1 403 /);
      assert.match(
        answer,
        new RegExp(
          `localhost:${port} is no host of this agent's provider; name it in agents.NAME.hosts or confine.hosts, or set confine.network`,
        ),
      );
    }
  });

  it('this machine and private networks are refused to those who may reach the public', async () => {
    const port = await echo();
    await proxy({});
    const hosts = [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0.0.0.0',
      '[::ffff:127.0.0.1]',
      '10.0.0.1',
      '169.254.169.254',
      '[fe80::1]',
    ];
    for (const host of hosts) {
      const answer = await say(tunnel(`${host}:${port}`));
      assert.match(answer, /^HTTP\/1\.1 (403|502) /, host);
      assert.doesNotMatch(answer, / 200 /, host);
    }
    assert.match(
      await say(tunnel(`127.0.0.1:${port}`)),
      /is this machine or in a private network; name it with its port in confine\.hosts, or set confine\.network/,
    );
    assert.match(await say(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: example.com\r\n\r\n`), /^HTTP\/1\.1 403 /);
  });

  it('a host that is named is reached by those who may reach the public, although it is this machine', async () => {
    const port = await echo();
    const another = await echo();
    await proxy({ network: { mode: 'public', hosts: [`localhost:${port}`] } });
    assert.match(await say(`${tunnel(`localhost:${port}`)}hello`), /^HTTP\/1\.1 200 .*hello$/s);
    assert.match(await say(tunnel(`localhost:${another}`)), /^HTTP\/1\.1 403 /);
  });

  it('an answer that is none ends as a refusal, and the proxy goes on', async () => {
    const answers = ['HTTP/1.1 099 x\r\nContent-Length: 0\r\n\r\n', 'HTTP/1.1 200 a\u0001b\r\nContent-Length: 2\r\n\r\nok'];
    for (const answer of answers) {
      const port = await listen(createServer((socket) => void socket.on('error', () => undefined).once('data', () => socket.end(answer))));
      await proxy({ network: { mode: 'provider', hosts: [`localhost:${port}`] } });
      const request = `GET http://localhost:${port}/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      assert.match(await say(request, { end: false }), answer.includes('099') ? /^HTTP\/1\.1 502 / : /^HTTP\/1\.1 (200 OK|502 )/);
      assert.match(await say(request, { end: false }), /^HTTP\/1\.1 /);
    }
  });

  it('one closed address among the addresses of a name is enough to refuse it', async () => {
    const resolve = async (): Promise<{ address: string; family: number }[]> => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    await proxy({ resolve });
    assert.match(await say(tunnel('rebound.example.com:443')), /^HTTP\/1\.1 403 /);
  });

  it('a name is asked for once, so that the second answer cannot be another one', async () => {
    let asked = 0;
    const port = await echo();
    // An address that belongs to nobody.
    const resolve = async (): Promise<{ address: string; family: number }[]> => [
      asked++ === 0 ? { address: '2fff:ffff::1', family: 6 } : { address: '127.0.0.1', family: 4 },
    ];
    await proxy({ resolve, connectMs: 300 });
    assert.match(await say(tunnel(`rebound.example.com:${port}`)), /^HTTP\/1\.1 50[24] /);
    assert.equal(asked, 1);
  });

  it('a name that nobody knows is an answer and no crash', async () => {
    await proxy({});
    assert.match(await say(tunnel('nowhere.invalid:443')), /^HTTP\/1\.1 502 .*nowhere\.invalid is not known/s);
  });

  it('a request for http is passed on to the host that was judged, without what is meant for the proxy', async () => {
    const seen: IncomingMessage[] = [];
    const server = createHttpServer((message, response) => {
      seen.push(message);
      let body = '';
      message.on('data', (text) => (body += String(text))).on('end', () => response.writeHead(201, { 'X-Own': 'yes' }).end(`got ${body}`));
    });
    const port = await listen(server);
    await proxy({ network: { mode: 'provider', hosts: [`127.0.0.1:${port}`] } });
    const head =
      'Host: evil.example.com\r\nProxy-Authorization: Basic x\r\nProxy-Connection: keep-alive\r\nContent-Length: 4\r\nX-Mine: 1\r\nConnection: close';
    const answer = await say(`POST http://127.0.0.1:${port}/path?q=1 HTTP/1.1\r\n${head}\r\n\r\nbody`, { end: false });
    assert.match(answer, /^HTTP\/1\.1 201 /);
    assert.match(answer, /X-Own: yes/);
    assert.match(answer, /got body/);
    const [message] = seen;
    assert.equal(message?.url, '/path?q=1');
    assert.equal(message?.headers.host, `127.0.0.1:${port}`);
    assert.equal(message?.headers['x-mine'], '1');
    assert.deepEqual([message?.headers['proxy-authorization'], message?.headers['proxy-connection']], [undefined, undefined]);
  });

  it('what is no request for a proxy is refused', async () => {
    await proxy({});
    for (const text of [
      'nonsense\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET file:///etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n',
      tunnel('host'),
      tunnel('a@b:1'),
    ]) {
      assert.match(await say(text), /^HTTP\/1\.1 400 /, text);
    }
  });

  it('a head without end is cut off', async () => {
    await proxy({});
    assert.match(await say(`GET http://example.com/ HTTP/1.1\r\nX: ${'x'.repeat(100_000)}`), /^HTTP\/1\.1 4\d\d /);
  });

  it('more connections than a sandbox needs are not taken', async () => {
    await proxy({});
    let closed = 0;
    const enough = new Promise<void>((done) => {
      const sockets = Array.from({ length: 300 }, () => connect(socketPath).on('error', () => undefined));
      for (const socket of sockets) socket.once('close', () => (++closed === 300 - 256 ? done() : undefined));
      open.push(() => sockets.map((socket) => socket.destroy()));
    });
    await enough;
    assert.equal(closed, 300 - 256);
  });

  it('closing it ends every connection and removes the socket', async () => {
    const port = await echo();
    const started = await proxy({ network: { mode: 'provider', hosts: [`localhost:${port}`] } });
    const socket = connect(socketPath).on('error', () => undefined);
    socket.write(tunnel(`localhost:${port}`));
    await once(socket, 'data');
    const closed = once(socket, 'close');
    await started.close();
    await closed;
    assert.equal(existsSync(socketPath), false);
  });

  describe('behind the proxy of a company', () => {
    const company = async (answer: (socket: Socket, head: string) => void): Promise<string> => {
      const port = await listen(
        createServer(
          { allowHalfOpen: true },
          (socket) => void socket.on('error', () => undefined).once('data', (text) => answer(socket, String(text))),
        ),
      );
      return `http://me:word@127.0.0.1:${port}`;
    };

    it('an allowed host is reached through it, with its account, and no other one', async () => {
      const heads: string[] = [];
      const url = await company((socket, head) => {
        heads.push(head);
        socket.write('HTTP/1.1 200 OK\r\n\r\nhello ');
        socket.pipe(socket);
      });
      await proxy({ network: { mode: 'provider', hosts: ['api.example.test'] }, user: { HTTPS_PROXY: url } });
      assert.match(await say(`${tunnel('api.example.test:443')}you`), /^HTTP\/1\.1 200 .*\r\n\r\nhello you$/s);
      assert.match(await say(tunnel('other.example.test:443')), /^HTTP\/1\.1 403 /);
      assert.equal(heads.length, 1);
      assert.match(heads[0] ?? '', /^CONNECT api\.example\.test:443 HTTP\/1\.1\r\n/);
      assert.ok(heads[0]?.includes(`Proxy-Authorization: Basic ${Buffer.from('me:word').toString('base64')}`));
    });

    it('plain http goes through it too', async () => {
      let seen = '';
      const url = await company((socket, head) => {
        seen = head;
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
      await proxy({ network: { mode: 'provider', hosts: ['api.example.test:80'] }, user: { http_proxy: url } });
      const answer = await say('GET http://api.example.test/a HTTP/1.1\r\nHost: api.example.test\r\nConnection: close\r\n\r\n', {
        end: false,
      });
      assert.match(answer, /ok$/);
      assert.match(seen, /^GET http:\/\/api\.example\.test\/a HTTP\/1\.1\r\n/);
    });

    it('a public name that this machine does not know is left to it, a local one is not', async () => {
      const url = await company((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
      const resolve = async (): Promise<never> => await Promise.reject(new Error('ENOTFOUND'));
      await proxy({ user: { ALL_PROXY: url }, resolve });
      assert.match(await say(tunnel('registry.example.com:443')), /^HTTP\/1\.1 200 /);
      for (const host of ['intranet', 'wiki.corp', 'metadata.google.internal', 'printer.local'])
        assert.match(await say(tunnel(`${host}:443`)), /^HTTP\/1\.1 502 /, host);
    });

    it('a private address is refused before it is asked', async () => {
      let asked = 0;
      const url = await company((socket) => (asked += socket.end('HTTP/1.1 200 OK\r\n\r\n') ? 1 : 0));
      await proxy({ user: { ALL_PROXY: url } });
      assert.match(await say(tunnel('10.0.0.1:443')), /^HTTP\/1\.1 403 /);
      assert.equal(asked, 0);
    });

    it('its refusal is passed on, and one that says nothing is given up', async () => {
      const refusing = await company((socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
      await proxy({ network: { mode: 'provider', hosts: ['a.test'] }, user: { ALL_PROXY: refusing } });
      assert.match(await say(tunnel('a.test:443')), /^HTTP\/1\.1 502 .*407 Proxy Authentication Required/s);
      const silent = await company(() => undefined);
      await proxy({ network: { mode: 'provider', hosts: ['a.test'] }, user: { ALL_PROXY: silent }, connectMs: 200 });
      assert.match(await say(tunnel('a.test:443'), { end: false }), /^HTTP\/1\.1 504 .*did not answer in time/s);
      await proxy({ network: { mode: 'provider', hosts: ['a.test'] }, user: { ALL_PROXY: 'socks5://127.0.0.1:1' } });
      assert.match(await say(tunnel('a.test:443')), /^HTTP\/1\.1 502 .*neither http nor https/s);
    });
  });
});

async function allOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}
