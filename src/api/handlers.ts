import type { IncomingHttpHeaders } from 'node:http';
import type { ReplyOf, RequestOf, Route } from './contract/route.ts';

/** What a handler may do to the answer beside giving it, and what it may know of who asks. */
export type Exchange = {
  /** Whether the request came by the name of a proxy, which speaks HTTPS. */
  readonly isProxied: boolean;
  readonly headers: IncomingHttpHeaders;
  /** Aborted when the client goes away, or the server stops. */
  readonly signal: AbortSignal;
  /** Aborted only when the server stops, for what is done also where nobody waits for the answer. */
  readonly stops: AbortSignal;
  readonly setHeader: (name: string, value: string | readonly string[]) => void;
  /** Answers with the other status of the route. */
  readonly setStatus: (status: NonNullable<Route['orStatus']>) => void;
};

/** Answers one route. */
export type Handler<R extends Pick<Route, 'params' | 'query' | 'body' | 'reply'>> = (
  request: RequestOf<R>,
  exchange: Exchange,
) => Promise<ReplyOf<R>>;

/** Answers a group of routes, by their names in the contract. */
export type Handlers<G extends Readonly<Record<string, Route>>> = { readonly [N in keyof G]: Handler<G[N]> };
