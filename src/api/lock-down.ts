import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { VolleyError } from '../core/errors.ts';
import type { Errands } from '../lib/errands.ts';
import type { Guard } from './guard.ts';
import { httpError } from './http-error.ts';

type Guarded = { readonly guard: () => Guard };

/** Asks of every request, also of one that no route answers, what its route asks for; and says to browsers what pages may do. */
export function lockDown(server: FastifyInstance, { guard }: Guarded): void {
  server.addHook('onRequest', async (request, reply) => {
    tellBrowsers(reply);
    check(request, guard());
  });
}

/** A request whose path cannot be read gets no further, so what every route asks for is asked here. */
export async function refuseUnread(
  error: unknown,
  { request, reply, guard }: Guarded & { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<void> {
  tellBrowsers(reply);
  try {
    check(request, guard());
    await send(reply, error);
  } catch (refusal) {
    await send(reply, refusal);
  }
}

/** What is no HTTP has no headers that could be looked at: it is answered in the one shape and left. */
export function refuseUnparsed(error: { readonly code?: string | undefined }, socket: Socket): void {
  if (socket.destroyed || error.code === 'ECONNRESET') return;
  const { status, mistake } = unparsed(error.code);
  const body = JSON.stringify(httpError(mistake).output);
  const lines = [
    `HTTP/1.1 ${status}`,
    ...Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

function unparsed(code = ''): { readonly status: string; readonly mistake: VolleyError } {
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

/** What errors are answered with: whoever hears of those that are ours, and every route that the router knows. */
export type Answering = {
  readonly broke: (error: unknown) => void;
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  /** What is told when the server stops. */
  readonly errands: Pick<Errands, 'signal'>;
};

/** Every error in one shape. */
export function answerErrors(server: FastifyInstance, { broke, routes, errands: { signal } }: Answering): void {
  server.setErrorHandler(async (error, _request, reply) => {
    // What ended because the server stops, or because the client went away, is nobody's fault.
    const isEnded = signal.aborted || (reply.raw.destroyed && error instanceof Error && error.name === 'AbortError');
    if (httpError(error).status >= 500 && !isEnded) broke(error);
    await send(reply, signal.aborted && !(error instanceof VolleyError) ? signal.reason : error);
  });
  server.setNotFoundHandler(async ({ method, url }, reply) => {
    const path = url.split('?')[0] ?? '';
    const allowed = [...new Set(routes.filter((route) => isPathOf(route.path, path)).map((route) => route.method))];
    if (allowed.length === 0) throw new VolleyError('not-found', 'There is no such route.', 'See /api/openapi.json for all of them.');
    reply.header('allow', allowed.join(', '));
    throw new VolleyError('wrong-method', `This path takes no ${method}.`, `Send ${allowed.join(' or ')}; see /api/openapi.json.`);
  });
}

/** Whether a path is one of a route, in whose own each parameter stands for one part. */
function isPathOf(pattern: string, path: string): boolean {
  const [parts, given] = [pattern.split('/'), path.split('/')];
  return (
    parts.length === given.length && parts.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  );
}

function check({ raw, routeOptions, ws }: FastifyRequest, guard: Guard): void {
  const { method = 'GET', headers, rawHeaders } = raw;
  const { access = 'token', isSocket = false } = routeOptions.config ?? {};
  guard.check({ method, headers, rawHeaders, isSocket: ws }, access);
  if (ws && !isSocket)
    throw new VolleyError('bad-request', 'There is no WebSocket here.', 'Open the one at /api/live, or ask without an upgrade.');
}

async function send(reply: FastifyReply, error: unknown): Promise<void> {
  const { status, output } = httpError(error);
  if (status === 429) reply.header('retry-after', '60');
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  // Whoever may not come in keeps no connection.
  if (REFUSALS.has(status)) reply.header('connection', 'close');
  await reply.code(status).send(output);
}

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 421, 429]);

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

function tellBrowsers(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(HEADERS)) reply.header(name, value);
}
