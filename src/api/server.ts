import { createHash } from 'node:crypto';
import websocket from '@fastify/websocket';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { VolleyError } from '../core/errors.ts';
import { safeJson } from '../core/safe-json.ts';
import type { Errands } from '../lib/errands.ts';
import { LIVE_PROTOCOL } from './contract/page-key.ts';
import type { Route } from './contract/route.ts';
import { ROUTES } from './contract.ts';
import { sayGoodbye } from './goodbye.ts';
import { Guard } from './guard.ts';
import type { Access, CookieRule, Login, Revoked } from './guard.ts';
import type { Exchange, Handler, Handlers } from './handlers.ts';
import { makeHttpServer } from './http-server.ts';
import { answerErrors, lockDown, refuseUnread } from './lock-down.ts';
import { readRequest } from './read-request.ts';
import { refuseHandshake, refuseUnparsed } from './refuse-early.ts';
import { stopInOrder } from './stop-in-order.ts';
import { whenGone } from './when-gone.ts';

/** What a route of the router asks for; every route says so, and what does not is refused. */
declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    cookie?: CookieRule;
    isSocket?: boolean;
    /** `page` holds only for browsers that want to show what is there. */
    onlyPages?: boolean;
  }
  interface FastifyRequest {
    /** By what cookie it came in; null where it was the token, or nothing is asked for. */
    login: Login | null;
  }
}

/** A further part of the server, which registers routes of its own. */
export type Door = (server: FastifyInstance, opened: GuardOf) => void | Promise<void>;

/** What a server is made of. */
export type ServerOptions = {
  /** 0 takes a free one. */
  readonly port: number;
  readonly token: string;
  readonly agentToken: string;
  readonly revoked: Revoked;
  /** Names beside the loopback ones under which a proxy of the user's calls the server, over HTTPS. */
  readonly allowedHosts: readonly string[];
  readonly handlers: (guard: GuardOf) => Handlers<typeof ROUTES>;
  readonly doors: readonly Door[];
  /** What is under way for whoever asks; it is told when the server stops. */
  readonly errands: Errands;
  /** Hears of what is no mistake of whoever asks. */
  readonly broke: (error: unknown) => void;
};

/** The guard, once the port is known. */
export type GuardOf = {
  readonly guard: () => Guard;
  /** Where the server is called, the loopback address first, then by the names of proxies. */
  readonly urls: () => readonly string[];
};

/** A server that listens. */
export type Listening = {
  readonly url: string;
  readonly port: number;
  /** Every route that the router knows. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  close(): Promise<void>;
};

const BODY_BYTES = 1024 * 1024;
/** More than any header can hold, so that a long path is answered like any other. */
const PARAM_CHARS = 64 * 1024;
const LOOPBACK = '127.0.0.1';

/** Opens the server on the loopback address. */
export async function openServer(options: ServerOptions): Promise<Listening> {
  const { errands } = options;
  const routes: { method: string; path: string }[] = [];
  let guard: Guard | null = null;
  let url = '';
  const proxied = options.allowedHosts.map((name) => `https://${name}`);
  const opened: GuardOf = {
    guard: () => {
      if (guard === null) throw new VolleyError('busy', 'The server is just starting.', 'Try again in a moment.');
      return guard;
    },
    urls: () => [url, ...proxied],
  };
  const server = fastify({
    bodyLimit: BODY_BYTES,
    routerOptions: { maxParamLength: PARAM_CHARS },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // Whoever still asks is refused like everybody else, in the one shape of errors.
    return503OnClosing: false,
    serverFactory: makeHttpServer,
    clientErrorHandler: (error, socket) => refuseUnparsed(error, socket),
    frameworkErrors: (error, request, reply) => void refuseUnread(error, { request, reply, guard: opened.guard }),
  });
  server.addHook('onRoute', ({ method, url: path }) => void routes.push(...[method].flat().map((one) => ({ method: one, path }))));
  await takeSockets(server);
  lockDown(server, opened);
  const stopping = stopInOrder(server, errands);
  answerErrors(server, { ...options, routes });
  takeJsonOnly(server);
  server.setReplySerializer(safeJson);
  addRoutes(server, options.handlers(opened), options);
  for (const door of options.doors) await server.register(async (inner) => await door(inner, opened));
  await server.register(stopping.last);
  await listen(server, options.port);
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  // A browser leaves the usual port away.
  const end = port === 80 ? '' : `:${port}`;
  const names = [`${LOOPBACK}${end}`, `localhost${end}`];
  url = `http://${names[0]}`;
  guard = new Guard(
    {
      token: options.token,
      agentToken: options.agentToken,
      hosts: [...names, ...options.allowedHosts],
      origins: [...names.map((name) => `http://${name}`), ...proxied],
      nowMs: () => Date.now(),
      revoked: options.revoked,
    },
    port,
  );
  return { url, port, routes, close: async () => await server.close() };
}

function addRoutes(server: FastifyInstance, all: Handlers<typeof ROUTES>, { errands, allowedHosts }: ServerOptions): void {
  const handlers: Readonly<Record<string, Handler<Route>>> = all;
  for (const [name, route] of Object.entries<Route>(ROUTES)) {
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`no handler for ${name}`);
    addRoute(server, route, { handler, errands, isProxied: (host) => allowedHosts.includes(host) });
  }
}

/** Its hooks come first: they say of a request that it asks for a socket, and end the socket of one that is refused. */
async function takeSockets(server: FastifyInstance): Promise<void> {
  await server.register(websocket, {
    options: {
      maxPayload: SOCKET_BYTES,
      perMessageDeflate: false,
      // Never the one with the key.
      handleProtocols: (offered: ReadonlySet<string>) => offered.has(LIVE_PROTOCOL) && LIVE_PROTOCOL,
    },
    preClose: (done) => {
      for (const socket of server.websocketServer.clients) sayGoodbye(socket, 1001, 'the server stops');
      done();
    },
  });
  server.websocketServer.on('wsClientError', refuseHandshake);
}

/** Whoever goes on with fifty loops names all their transcripts. */
const SOCKET_BYTES = 256 * 1024;

async function listen(server: FastifyInstance, port: number): Promise<void> {
  try {
    await server.listen({ host: LOOPBACK, port });
  } catch (error) {
    await server.close();
    if (!(error instanceof Error) || !('code' in error) || (error.code !== 'EADDRINUSE' && error.code !== 'EACCES')) throw error;
    const what = error.code === 'EACCES' ? `You may not use port ${port}.` : `Another program uses port ${port}.`;
    throw new VolleyError('busy', what, 'Name another one with --port, or --port 0 for any that is free.').from(error);
  }
}

/** A form or a plain text of another page is no request of ours. */
function takeJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? {} : parseJson(String(text)));
    } catch (error) {
      done(new VolleyError('bad-request', 'The body is not valid JSON.', 'Send one JSON object.').from(error), undefined);
    }
  });
}

/** Half a character, which JSON can spell, can neither be stored nor shown: it becomes the sign for one that is unknown. */
function parseJson(text: string): unknown {
  const isSuspect = /\\u[dD][89a-fA-F]/.test(text);
  return JSON.parse(text, isSuspect ? (_key, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value) : undefined);
}

type Answering = { readonly handler: Handler<Route>; readonly errands: Errands; readonly isProxied: (host: string) => boolean };

function addRoute(server: FastifyInstance, route: Route, { handler, errands, isProxied }: Answering): void {
  server.route({
    method: route.method,
    url: route.path,
    config: { access: route.access, cookie: route.cookie ?? 'with-key' },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { params, query, body } = request;
      reply.code(route.status);
      const exchange: Exchange = {
        headers: request.headers,
        isProxied: isProxied(request.headers.host ?? ''),
        signal: AbortSignal.any([whenGone(reply), errands.signal]),
        stops: errands.signal,
        setHeader: (name, value) => void reply.header(name, value),
        setStatus: (status) => void reply.code(status),
      };
      const given = await errands.run(async () => await handler(readRequest(route, { params, query, body }), exchange));
      await sendJson(request, reply, safeJson(route.reply.parse(given)));
    },
  });
}

/** Whoever has it already is told so. */
async function sendJson(request: FastifyRequest, reply: FastifyReply, text: string): Promise<void> {
  reply.type('application/json; charset=utf-8');
  if (request.method !== 'GET') return void (await reply.send(text));
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (isKnown(etag, request.headers['if-none-match'])) return void (await reply.code(304).send());
  await reply.send(text);
}

/** Whether a list of tags has this one, also as a weak one, or stands for any. */
function isKnown(etag: string, tags = ''): boolean {
  const known = tags.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
