import { randomBytes } from 'node:crypto';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { McpServer } from '@modelcontextprotocol/server';
import { makeControl } from './control.ts';
import type { Control } from './control.ts';

/** The tools over HTTP: answers one request after another, of any client. */
export type HttpControl = {
  /** The signal of the request is aborted when its connection closes. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
};

/** How many clients may be connected, how long one may be silent, and after which silence it gives way to another one. */
export type HttpLimits = { readonly sessions: number; readonly idleMs: number; readonly yieldMs: number };

const LIMITS: HttpLimits = { sessions: 32, idleMs: 30 * 60_000, yieldMs: 5 * 60_000 };
const BODY_BYTES = 1024 * 1024;
const ID_BYTES = 32;

/** A client that began with a handshake: it alone uses its server and its transport. */
type Session = {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer;
  open: number;
  asked: number;
  usedAtMs: number;
};

/**
 * Serves the tools over streamable HTTP. A client of the newest protocol is answered request by request, each with a server of its own;
 * an older one has a session. Nothing is shared between clients, so that no answer can reach the wrong one.
 */
export function openHttpControl(control: Control, limits: HttpLimits = LIMITS): HttpControl {
  const sessions = new Map<string, Session>();
  const report = { onerror: () => undefined, maxSubscriptions: limits.sessions, maxRequestBodySize: BODY_BYTES };
  const modern = createMcpHandler(() => makeControl(control), { legacy: 'reject', ...report });
  const sweep = setInterval(() => void endIdle(sessions, limits.idleMs), Math.min(limits.idleMs, 60_000));
  sweep.unref();
  return {
    fetch: async (request) => {
      if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize: BODY_BYTES }))) return await modern.fetch(request);
      const id = request.headers.get('mcp-session-id');
      if (id !== null) {
        const session = sessions.get(id);
        return session === undefined
          ? refused(404, 'There is no such session; begin a new one with initialize.')
          : await serve(session, request);
      }
      if (request.method !== 'POST' || !isInitializeRequest(await bodyOf(request)))
        return refused(400, 'The session is missing; begin one with initialize.');
      if (sessions.size >= limits.sessions) await endLongestIdle(sessions, limits.yieldMs);
      if (sessions.size >= limits.sessions)
        return refused(503, `${limits.sessions} clients are connected, which is the most; try again later.`);
      return await serve(await openSession(control, sessions), request);
    },
    close: async () => {
      clearInterval(sweep);
      await Promise.all([modern.close(), ...[...sessions.values()].map(async ({ server }) => await server.close())]);
    },
  };
}

async function openSession(control: Control, sessions: Map<string, Session>): Promise<Session> {
  const id = randomBytes(ID_BYTES).toString('base64url');
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    onsessionclosed: () => void sessions.delete(id),
    maxRequestBodySize: BODY_BYTES,
  });
  const server = makeControl(control);
  const session: Session = { transport, server, open: 0, asked: 0, usedAtMs: performance.now() };
  await server.connect(transport);
  sessions.set(id, session);
  return session;
}

/** A session is in use while a request of it is open, a stream that waits for news included. */
async function serve(session: Session, request: Request): Promise<Response> {
  session.open += 1;
  session.asked += 1;
  const done = (): void => {
    session.open -= 1;
    session.usedAtMs = performance.now();
  };
  if (request.signal.aborted) done();
  else request.signal.addEventListener('abort', done, { once: true });
  return await session.transport.handleRequest(request);
}

/** Ends the sessions that nobody has used for so long. */
async function endIdle(sessions: Map<string, Session>, idleMs: number): Promise<void> {
  await end(sessions, idleFor(sessions, idleMs));
}

/** Makes room for one client: whoever opens many takes no more from the others than that. One that never asked for anything goes first. */
async function endLongestIdle(sessions: Map<string, Session>, idleMs: number): Promise<void> {
  const unused = idleFor(sessions, 0).filter(([, { asked }]) => asked <= 1);
  const byUse = idleFor(sessions, idleMs).toSorted(([, a], [, b]) => a.usedAtMs - b.usedAtMs);
  await end(sessions, [...unused, ...byUse].slice(0, 1));
}

function idleFor(sessions: ReadonlyMap<string, Session>, idleMs: number): [string, Session][] {
  const now = performance.now();
  return [...sessions].filter(([, { open, usedAtMs }]) => open === 0 && now - usedAtMs >= idleMs);
}

async function end(sessions: Map<string, Session>, ended: readonly [string, Session][]): Promise<void> {
  for (const [id] of ended) sessions.delete(id);
  await Promise.all(ended.map(async ([, { server }]) => await server.close()));
}

async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await request.clone().json();
  } catch {
    // What is no JSON is no handshake either.
    return null;
  }
}

function refused(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status });
}
