import { once } from 'node:events';
import type { LookupAddress } from 'node:dns';
import { connect } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { CompanyProxy } from './company-proxy.ts';
import type { Target } from './host-list.ts';

/** A connection that the other end did not let through. */
export class NotLetThrough extends Error {
  override readonly name = 'NotLetThrough';
}

const HEAD_LIMIT_BYTES = 16 * 1024;
const END_OF_HEAD = '\r\n\r\n';

/** Connects to a target by these addresses alone, or by those that the system knows. */
export async function dial({ host, port }: Target, addresses: readonly LookupAddress[] | null, signal: AbortSignal): Promise<Socket> {
  const only: LookupFunction = (_host, _options, answer) => answer(null, [...(addresses ?? [])]);
  const lookup = addresses === null ? {} : { lookup: only };
  const socket = connect({ host, port, allowHalfOpen: true, autoSelectFamily: true, ...lookup });
  return await whenOpen(socket, 'connect', signal);
}

/** Connects to a company's proxy itself. */
export async function dialCompany(proxy: CompanyProxy, signal: AbortSignal): Promise<Socket> {
  const { host, port } = proxy;
  if (!proxy.secure) return await whenOpen(connect({ host, port, allowHalfOpen: true }), 'connect', signal);
  return await whenOpen(connectSecurely({ host, port, servername: host }), 'secureConnect', signal);
}

/** Connects to a target through a company's proxy. */
export async function dialThrough(proxy: CompanyProxy, target: Target, signal: AbortSignal): Promise<Socket> {
  const socket = await dialCompany(proxy, signal);
  const authority = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  const account = proxy.authorization === null ? '' : `Proxy-Authorization: ${proxy.authorization}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${account}\r\n`);
  try {
    const head = await readHead(socket, signal);
    if (!/^HTTP\/1\.[01] 2\d\d/.test(head))
      throw new NotLetThrough(`The proxy of your environment answered ${head.split('\r\n')[0] ?? ''}`);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function whenOpen(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  try {
    await once(socket, event, { signal });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  // Between here and the first reader nobody else would hear of it, and an error that nobody hears ends the process.
  socket.on('error', () => undefined);
  return socket;
}

/** Reads up to the end of an answer's head, and leaves the rest to whoever comes next. */
async function readHead(socket: Socket, signal: AbortSignal): Promise<string> {
  let head = Buffer.alloc(0);
  while (head.length < HEAD_LIMIT_BYTES) {
    await once(socket, 'readable', { signal });
    const chunk: unknown = socket.read();
    if (!Buffer.isBuffer(chunk)) throw new NotLetThrough('The proxy of your environment broke off');
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf(END_OF_HEAD);
    if (end === -1) continue;
    socket.unshift(head.subarray(end + END_OF_HEAD.length));
    return head.toString('latin1', 0, end);
  }
  throw new NotLetThrough('The proxy of your environment answered too much');
}
