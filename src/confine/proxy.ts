import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { companyProxy } from './company-proxy.ts';
import { dial, dialCompany, dialThrough } from './dial.ts';
import type { Variables } from './variables.ts';
import { parseTarget } from './host-list.ts';
import type { Target } from './host-list.ts';
import { judgeTarget, resolveName } from './reach.ts';
import type { Resolve, WatchedNetwork } from './reach.ts';

/** The way out of one sandbox. */
export type Proxy = { close(): Promise<void> };

/** Where it listens, what it lets through, and whose environment may name a proxy of a company. */
export type ProxyOptions = {
  readonly socketPath: string;
  readonly network: WatchedNetwork;
  readonly user: Variables;
  readonly resolve?: Resolve;
  readonly connectMs?: number;
};

type Way = { readonly target: Target; readonly scheme: 'http' | 'https'; readonly tunnel: boolean };

/** What could not be done, as the status and the sentence of an answer. */
class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

const MAX_CONNECTIONS = 256;
const HEAD_BYTES = 16 * 1024;
const HEAD_MS = 10_000;
const CONNECT_MS = 20_000;
/** How long one direction may be silent once the other one has ended. */
const HALF_OPEN_MS = 120_000;
/** Headers that are meant for the next program on the way alone. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'upgrade']);

/** Starts a proxy for http and for tunnels (CONNECT) on a unix socket that only we can open. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const sockets = new Set<Duplex>();
  const keep = <T extends Duplex>(socket: T): T => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer({ maxHeaderSize: HEAD_BYTES, headersTimeout: HEAD_MS, requestTimeout: 0, keepAliveTimeout: HEAD_MS });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', (socket: Socket) => keep(socket).on('error', () => socket.destroy()));
  server.on('connect', (message: IncomingMessage, client: Duplex, head: Buffer) => void tunnel(options, { message, client, head, keep }));
  server.on('request', (message: IncomingMessage, response: ServerResponse) => void forward(options, { message, response, keep }));
  server.on('clientError', (_error: Error, socket: Duplex) => answer(socket, new Refusal(400, 'That is no request for a proxy.')));
  server.listen(options.socketPath);
  await once(server, 'listening');
  await chmod(options.socketPath, 0o600);
  return {
    close: async () => {
      const closed = server.listening ? once(server, 'close') : null;
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      await rm(options.socketPath, { force: true });
    },
  };
}

type Keep = <T extends Duplex>(socket: T) => T;
type Tunnel = { readonly message: IncomingMessage; readonly client: Duplex; readonly head: Buffer; readonly keep: Keep };

async function tunnel(options: ProxyOptions, { message, client, head, keep }: Tunnel): Promise<void> {
  client.on('error', () => client.destroy());
  try {
    const target = parseTarget(message.url ?? '', null);
    if (target === null) throw new Refusal(400, 'A tunnel leads to a host and a port.');
    // Some programs tunnel to http too, and the user may have a proxy for one of both only.
    const outside = keep(await open(options, { target, scheme: target.port === 80 ? 'http' : 'https', tunnel: true }, client));
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) outside.write(head);
    join(client, outside);
  } catch (error) {
    answer(client, refusalOf(error));
  }
}

type Forward = { readonly message: IncomingMessage; readonly response: ServerResponse; readonly keep: Keep };

/** Passes on a request whose address stands in it whole, as programs send to a proxy for http. */
async function forward(options: ProxyOptions, { message, response, keep }: Forward): Promise<void> {
  try {
    const url = URL.parse(message.url ?? '');
    const target = url?.protocol === 'http:' ? parseTarget(url.host, 80) : null;
    if (url === null || target === null) throw new Refusal(400, 'Only http addresses and tunnels are passed on.');
    const company = companyProxy(options.user, target, 'http');
    const socket = keep(await open(options, { target, scheme: 'http', tunnel: false }, message.socket));
    const headers = passedOn(message.rawHeaders).filter((_value, index, all) => !isHost(all[index - (index % 2)]));
    const account = company?.authorization === null || company === null ? [] : ['Proxy-Authorization', company.authorization];
    const passed = sendRequest({
      createConnection: () => socket,
      method: message.method ?? 'GET',
      path: company === null ? `${url.pathname}${url.search}` : `http://${url.host}${url.pathname}${url.search}`,
      // The name that was judged, whatever the program wrote there.
      headers: ['Host', url.host, ...headers, ...account, 'Connection', 'close'],
    });
    passed.once('error', () => response.destroy());
    response.once('close', () => socket.destroy());
    passed.once('response', (reply) => {
      try {
        // Without the words behind the number, which may be anything.
        response.writeHead(reply.statusCode ?? 502, passedOn(reply.rawHeaders));
        reply.on('error', () => response.destroy()).pipe(response);
      } catch (error) {
        // A number or a header that no answer may have.
        reply.destroy();
        refuse(response, new Refusal(502, `${target.host} answered with what is no answer: ${refusalOf(error).message}`));
      }
    });
    message.pipe(passed);
  } catch (error) {
    refuse(response, refusalOf(error));
  }
}

function refuse(response: ServerResponse, { status, message }: Refusal): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }).end(`${message}\n`);
}

/** Connects to where a program wants to go, if it may. */
async function open(options: ProxyOptions, { target, scheme, tunnel: isTunnel }: Way, client: Duplex): Promise<Socket> {
  const company = companyProxy(options.user, target, scheme);
  const timeLimit = AbortSignal.timeout(options.connectMs ?? CONNECT_MS);
  const judging = judgeTarget(target, options.network, { resolve: options.resolve ?? resolveName, byCompany: company !== null });
  const judged = await Promise.race([
    judging,
    whenAborted(timeLimit, { kind: 'unknown', why: `${target.host} was not resolved in time.` } as const),
  ]);
  if (judged.kind === 'refused') throw new Refusal(403, judged.why);
  if (judged.kind === 'unknown') throw new Refusal(502, judged.why);
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  client.once('close', leave);
  const signal = AbortSignal.any([gone.signal, timeLimit]);
  try {
    if (company === null) return await dial(target, judged.addresses, signal);
    return isTunnel ? await dialThrough(company, target, signal) : await dialCompany(company, signal);
  } catch (error) {
    const timedOut = signal.aborted && !gone.signal.aborted;
    const why = timedOut ? 'it did not answer in time' : error instanceof Error ? error.message : String(error);
    throw new Refusal(timedOut ? 504 : 502, `${target.host}:${target.port} cannot be reached: ${why}.`);
  } finally {
    client.off('close', leave);
  }
}

async function whenAborted<T>(signal: AbortSignal, value: T): Promise<T> {
  if (!signal.aborted) await once(signal, 'abort');
  return value;
}

function refusalOf(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal(502, `${error instanceof Error ? error.message : String(error)}.`);
}

function answer(client: Duplex, { status, message }: Refusal): void {
  if (client.destroyed || !client.writable) return;
  const body = `${message}\n`;
  const head = ['Content-Type: text/plain; charset=utf-8', `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'];
  client.end(`HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Not passed on'}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
  client.resume();
}

/** Carries bytes both ways until both have ended, or one breaks off. */
function join(client: Duplex, outside: Socket): void {
  client.pipe(outside);
  outside.pipe(client);
  const limit = (): unknown => outside.setTimeout(HALF_OPEN_MS, () => [client.destroy(), outside.destroy()]);
  client.once('end', limit).once('close', () => outside.destroySoon());
  outside.once('end', limit).once('close', () => client.destroy());
  outside.on('error', () => client.destroy());
}

function passedOn(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_value, index, all) => !HOP_BY_HOP.has((all[index - (index % 2)] ?? '').toLowerCase()));
}

function isHost(name: string | undefined): boolean {
  return name?.toLowerCase() === 'host';
}
