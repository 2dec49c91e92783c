import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { VolleyError } from '../core/errors.ts';
import type { Errands } from '../lib/errands.ts';
import type { Guard, Login } from './guard.ts';
import { httpError } from './http-error.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

type Guarded = { readonly guard: () => Guard };

/** Asks of every request, also of one that no route answers, what its route asks for; and says to browsers what pages may do. */
export function lockDown(server: FastifyInstance, { guard }: Guarded): void {
  server.decorateRequest('login', null);
  server.addHook('onRequest', async (request, reply) => {
    tellBrowsers(reply);
    request.login = check(request, reply, guard());
  });
}

/** A request whose path cannot be read gets no further, so what every route asks for is asked here. */
export async function refuseUnread(
  error: unknown,
  { request, reply, guard }: Guarded & { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<void> {
  tellBrowsers(reply);
  try {
    check(request, reply, guard());
    await send(reply, error);
  } catch (refusal) {
    await send(reply, refusal);
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

/** Whether a browser wants to show what is at an address, of which whatever is below /api is none. */
export function isForPage({ method = 'GET', url = '', headers }: Pick<FastifyRequest['raw'], 'method' | 'url' | 'headers'>): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html') && !/^\/api(?:[/?]|$)/.test(url);
}

function check({ raw, routeOptions, ws }: FastifyRequest, reply: FastifyReply, guard: Guard): Login | null {
  const { method = 'GET', headers, rawHeaders } = raw;
  const { access: usual = 'token', cookie = 'with-key', isSocket = false, onlyPages = false } = routeOptions.config ?? {};
  const access = onlyPages && !isForPage(raw) ? 'token' : usual;
  try {
    const login = guard.check({ method, headers, rawHeaders, isSocket: ws }, access, cookie);
    if (!ws || isSocket) return login;
  } catch (error) {
    // Whoever was let in by nothing loses the cookies that are good for nothing.
    const stale = STRANGERS.has(httpError(error).status) ? guard.clearStale(headers) : [];
    if (stale.length > 0) reply.header('set-cookie', stale);
    throw error;
  }
  throw new VolleyError('bad-request', 'There is no WebSocket here.', 'Open the one at /api/live, or ask without an upgrade.');
}

const STRANGERS: ReadonlySet<number> = new Set([401, 429]);

async function send(reply: FastifyReply, error: unknown): Promise<void> {
  const { status, output } = httpError(error);
  if (status === 429) reply.header('retry-after', '60');
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  // Whoever may not come in keeps no connection.
  if (REFUSALS.has(status)) reply.header('connection', 'close');
  await reply.code(status).send(output);
}

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 421, 429]);

function tellBrowsers(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) reply.header(name, value);
}
