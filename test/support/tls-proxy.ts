import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as ask } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';

/** A reverse proxy as people put one before a server: it speaks HTTPS with a key of its own, and passes the name on that it was called by. */
export type TlsProxy = AsyncDisposable & { readonly port: number };

/** Starts a proxy before a server on this machine; sockets pass too, and it tells what proxies tell about who asked. */
export async function startTlsProxy(target: string): Promise<TlsProxy> {
  const { port: targetPort } = new URL(target);
  const server = createServer(await makeKey());
  server.on('request', (request, response) => {
    const passed = ask(
      { host: '127.0.0.1', port: targetPort, method: request.method, path: request.url, headers: forwarded(request) },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    const inner = connect(Number(targetPort), '127.0.0.1');
    const lines = Object.entries(forwarded(request)).map(([name, value]) => `${name}: ${String(value)}`);
    inner.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    inner.on('error', () => socket.destroy());
    socket.on('error', () => inner.destroy());
    inner.pipe(socket).pipe(inner);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It listens on a port, so its address is no path.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forwarded({ headers }: IncomingMessage): IncomingMessage['headers'] {
  return { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https', 'x-forwarded-host': headers.host ?? '', ...headers };
}

async function makeKey(): Promise<{ readonly key: string; readonly cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-key-'));
  try {
    const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
    const args = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=volley.example.org',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      cert,
    ];
    await promisify(execFile)('openssl', args);
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  } finally {
    await rm(folder, { recursive: true });
  }
}
