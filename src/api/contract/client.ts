import type { z } from 'zod';
import type { ErrorOutput } from '../../core/output.ts';
import { ROUTES } from '../contract.ts';
import type { RouteName } from '../contract.ts';
import { PAGE_HEADER } from './page-key.ts';
import type { Route } from './route.ts';

/** What a client gives to a route; what may be left out may be left out. */
export type Asked<N extends RouteName> = Part<'params', N> & Part<'query', N> & Part<'body', N>;

type Part<P extends 'params' | 'query' | 'body', N extends RouteName> =
  Record<string, never> extends z.input<(typeof ROUTES)[N][P]>
    ? { readonly [K in P]?: z.input<(typeof ROUTES)[N][P]> }
    : { readonly [K in P]: z.input<(typeof ROUTES)[N][P]> };

/** What a client gets from a route. */
export type Answered<N extends RouteName> = z.output<(typeof ROUTES)[N]['reply']>;

/** Asks the API of a server by the names of the contract. */
export type Client = {
  readonly ask: <N extends RouteName>(
    name: N,
    ...given: Record<string, never> extends Asked<N> ? [asked?: Asked<N>] : [asked: Asked<N>]
  ) => Promise<Answered<N>>;
};

/**
 * Where the server is, and what opens it: the token, or in a browser on the server's own page `page`, the key that logging in answered with,
 * beside the cookie that the browser sends by itself. The signal ends what is under way.
 */
export type ClientOptions = { readonly url?: string; readonly token?: string; readonly page?: string; readonly signal?: AbortSignal };

/** An answer that says what is wrong, and what to do about it; its status is 0 where there was none. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly remedy: string;

  constructor(status: number, { code, message, remedy }: Pick<ErrorOutput, 'code' | 'message' | 'remedy'>) {
    super(message);
    this.status = status;
    this.code = code;
    this.remedy = remedy;
  }
}

/** A client of the server at an address. */
export function createClient({ url: address = '', token, page, signal }: ClientOptions = {}): Client {
  const url = withoutSlash(address);
  return {
    ask: async (name, ...[asked]) => {
      const route: Route = ROUTES[name];
      const { params = {}, query = {}, body } = parts(asked);
      const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
      const response = await reach(`${url}${filled(route.path, params)}${queryText(query)}`, {
        method: route.method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(page === undefined ? {} : { [PAGE_HEADER]: page }),
          ...(hasBody ? { 'content-type': 'application/json' } : {}),
        },
        ...(hasBody ? { body: JSON.stringify(body ?? {}) } : {}),
        ...(signal === undefined ? {} : { signal }),
      });
      const text = await response.text();
      if (!response.ok) throw errorOf(response.status, text);
      // The server parsed it by the same schema before it sent it.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return JSON.parse(text) as Answered<typeof name>;
    },
  };
}

/** An address as paths are put behind it. */
export function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

async function reach(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch (cause) {
    if (request.signal?.aborted === true) throw cause;
    // A page asks the server that it came from, and names no address.
    const server = address.split('/api/')[0] ?? address;
    const what = server === '' ? 'The server does not answer.' : `Nothing answers at ${server}.`;
    throw Object.assign(new ApiError(0, { code: 'no-answer', message: what, remedy: 'Start the server: volley serve.' }), { cause });
  }
}

type Parts = { readonly params?: Group; readonly query?: Group; readonly body?: unknown };
type Word = string | number | boolean;
type Group = Readonly<Record<string, Word | undefined>>;

function parts(asked: Parts = {}): Parts {
  return asked;
}

function filled(path: string, params: Group): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(params[name])));
}

function queryText(query: Group): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

function errorOf(status: number, text: string): ApiError {
  try {
    return new ApiError(status, wrong(JSON.parse(text)));
  } catch {
    // Something between us and the server answered in its place.
    return new ApiError(status, {
      code: 'no-answer',
      message: `The server answered ${status}.`,
      remedy: 'See whether it runs: volley serve.',
    });
  }
}

/** What a server says of an error. Without its schema, which would bring all others into a page. */
function wrong(said: unknown): Pick<ErrorOutput, 'code' | 'message' | 'remedy'> {
  if (typeof said !== 'object' || said === null || !('code' in said && 'message' in said && 'remedy' in said)) throw new Error('no error');
  const { code, message, remedy } = said;
  if (typeof code !== 'string' || typeof message !== 'string' || typeof remedy !== 'string') throw new Error('no error');
  return { code, message, remedy };
}
