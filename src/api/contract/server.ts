import { z } from 'zod';
import { Instant } from '../../core/instant.ts';
import { ConfinementLevel } from '../../core/proof.ts';
import { Nothing, route } from './route.ts';

/** How the server and its project are. */
export const Health = z.object({
  type: z.literal('health'),
  v: z.literal(1),
  version: z.string(),
  /** The name of the project's folder. */
  project: z.string(),
  /** The newest number of the live channel: frames of what happens from now on come behind it. */
  seq: z.number().int().nonnegative(),
  startedAt: Instant,
  /** Whether this process drives what is pending. */
  works: z.boolean(),
  confinement: ConfinementLevel,
  /** In whose name people decide here. */
  person: z.string(),
});
export type Health = z.infer<typeof Health>;

/** The routes about the server itself. */
export const serverContract = {
  health: route({ method: 'GET', path: '/api/health', tag: 'server', summary: 'How the server and its project are.', reply: Health }),
  openapi: route({
    method: 'GET',
    path: '/api/openapi.json',
    tag: 'server',
    summary: 'This description, as OpenAPI 3.1.',
    cookie: 'alone',
    reply: z.looseObject({ openapi: z.string() }),
  }),
  logIn: route({
    method: 'POST',
    path: '/api/session',
    tag: 'server',
    summary: 'Trades the one-time code of the address that volley serve printed for a cookie and the key of its page.',
    access: 'page',
    body: z.object({ code: z.string().min(1).max(200) }),
    /** The page keeps it for its origin and sends it with every request: the cookie, which other servers of the host see, does not count alone. */
    reply: z.object({ page: z.string() }),
  }),
  logOut: route({ method: 'DELETE', path: '/api/session', tag: 'server', summary: 'Takes the cookie back.', reply: Nothing }),
  makeCode: route({
    method: 'POST',
    path: '/api/codes',
    tag: 'server',
    summary: 'Makes an address with a one-time code, by which a browser gets in; with the token only.',
    cookie: 'never',
    status: 201,
    /** The same code by every name of the server: it works at one of them, once. */
    reply: z.object({ url: z.string(), others: z.array(z.string()) }),
  }),
};
