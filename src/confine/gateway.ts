// oxlint-disable-next-line no-restricted-imports -- It stands alone inside the sandbox, where the rest of Volley is not.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { constants } from 'node:os';

/**
 * The way out of a sandbox that has no network: `node gateway.js SOCKET [HOST:PORT…] -- PROGRAM ARGUMENTS…`. It runs the program,
 * which finds it by the usual variables, and carries bytes between a port of loopback and the proxy behind the socket. Each
 * HOST:PORT is a service on loopback outside, which is found at the same port inside. It imports nothing of ours.
 */

const HEAD_LIMIT_BYTES = 16 * 1024;
const END_OF_HEAD = '\r\n\r\n';
/** What a shell answers for a program that it cannot start. */
const NOT_STARTED = 127;

const args = process.argv.slice(2);
const border = args.indexOf('--');
const [socketPath = '', ...services] = args.slice(0, border);
const [program = '', ...programArgs] = args.slice(border + 1);

const relay = createServer({ allowHalfOpen: true }, (client) => join(client, connect({ path: socketPath, allowHalfOpen: true })));
const port = await listen(relay, 0, '127.0.0.1');
await Promise.all(services.map(offer));
run(`http://127.0.0.1:${port}`);

function run(proxy: string): void {
  const loopback = 'localhost,127.0.0.1,::1';
  const variables = {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: loopback,
    no_proxy: loopback,
    // Node's own fetch heeds the variables above only then.
    NODE_USE_ENV_PROXY: '1',
  };
  const child = spawn(program, programArgs, { stdio: 'inherit', env: { ...process.env, ...variables } });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`${program} could not be started: ${error.message}\n`);
    process.exit(NOT_STARTED);
  });
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // A signal that does not end us, e.g. one that is ignored.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
  });
}

/** Makes a service of the outside reachable at its own port, although programs go to loopback without a proxy. */
async function offer(service: string): Promise<void> {
  const at = Number(service.slice(service.lastIndexOf(':') + 1));
  const serve = (client: Socket): void => {
    const outside = connect({ path: socketPath, allowHalfOpen: true });
    outside.write(`CONNECT ${service} HTTP/1.1\r\nHost: ${service}${END_OF_HEAD}`);
    awaitTunnel(outside, client);
  };
  for (const host of ['127.0.0.1', '::1']) {
    await listen(createServer({ allowHalfOpen: true }, serve), at, host).catch((error: unknown) => {
      // There may be no IPv6; without the other one the service is not there, and whoever wants it should know why.
      if (host === '127.0.0.1') process.stderr.write(`${service} cannot be offered in the sandbox: ${String(error)}\n`);
    });
  }
}

/** Waits for the proxy's answer, which is not for the client. */
function awaitTunnel(outside: Socket, client: Socket): void {
  let head = Buffer.alloc(0);
  const giveUp = (): void => void [client.destroy(), outside.destroy()];
  const read = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf(END_OF_HEAD);
    if (end === -1 && head.length < HEAD_LIMIT_BYTES) return;
    outside.off('data', read).off('close', giveUp).pause();
    if (end === -1 || !/^HTTP\/1\.[01] 200 /.test(head.toString('latin1', 0, end))) return giveUp();
    outside.unshift(head.subarray(end + END_OF_HEAD.length));
    join(client, outside);
  };
  outside.on('data', read).on('close', giveUp).on('error', giveUp);
  client.on('error', giveUp);
}

function join(one: Socket, other: Socket): void {
  one.pipe(other);
  other.pipe(one);
  // Whoever goes takes the other with him, once it has said all that it was given.
  one.on('error', () => other.destroy()).on('close', () => other.destroySoon());
  other.on('error', () => one.destroy()).on('close', () => one.destroySoon());
}

async function listen(server: Server, at: number, host: string): Promise<number> {
  server.listen(at, host);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
