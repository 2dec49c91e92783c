import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { VolleyError } from '../core/errors.ts';
import { httpError } from './http-error.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** What is no HTTP has no headers that could be looked at: it is answered in the one shape and left. */
export function refuseUnparsed(error: { readonly code?: string | undefined }, socket: Duplex): void {
  if (socket.destroyed || error.code === 'ECONNRESET') return;
  leave(socket, unparsed(error.code));
}

/** Nobody is led elsewhere through this server. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  leave(socket, {
    status: '405 Method Not Allowed',
    mistake: new VolleyError('wrong-method', 'This server is no proxy.', 'Ask for a path of its own; see /api/openapi.json.'),
    more: { allow: 'GET, POST, PUT, PATCH, DELETE' },
  });
}

/** Whoever was let in, but does not open the socket as WebSockets are opened. */
export function refuseHandshake(_error: Error, socket: Duplex): void {
  leave(socket, {
    status: '400 Bad Request',
    mistake: new VolleyError('bad-request', 'This is no handshake of a WebSocket.', 'Open it with a WebSocket client of version 13.'),
    more: { 'sec-websocket-version': '13' },
  });
}

/** What a client expects beside being answered cannot be had here. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const mistake = new VolleyError('bad-request', 'The request expects what this server does not do.', 'Send it without Expect.');
  const body = bodyOf(mistake);
  response.writeHead(417, headersOf(body)).end(body);
}

type Refusal = { readonly status: string; readonly mistake: VolleyError; readonly more?: Readonly<Record<string, string>> };

function unparsed(code = ''): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: '431 Request Header Fields Too Large',
        mistake: new VolleyError('too-large', 'The headers of the request are too large.', 'Send less: headers may have 16 kilobytes.'),
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: '408 Request Timeout',
        mistake: new VolleyError('bad-request', 'The request took too long.', 'Send it again, all of it at once.'),
      };
    default:
      return {
        status: '400 Bad Request',
        mistake: new VolleyError('bad-request', 'The request cannot be read.', 'Send valid HTTP with a JSON body.'),
      };
  }
}

const LEAVE_MS = 1000;

/** Answers on a socket that no response belongs to; whoever does not close it soon is cut off, because no timeout of the server sees it any more. */
function leave(socket: Duplex, { status, mistake, more = {} }: Refusal): void {
  const body = bodyOf(mistake);
  const lines = Object.entries({ ...headersOf(body), ...more }).map(([name, value]) => `${name}: ${value}`);
  // It may be gone already, and nobody else listens.
  socket.on('error', () => socket.destroy());
  socket.end(`${[`HTTP/1.1 ${status}`, ...lines].join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LEAVE_MS).unref();
}

function bodyOf(mistake: VolleyError): string {
  return JSON.stringify(httpError(mistake).output);
}

function headersOf(body: string): Readonly<Record<string, string>> {
  return {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
}
