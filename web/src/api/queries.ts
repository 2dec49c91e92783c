import { QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../src/api/contract/client.ts';
import type { Answered, Asked } from '../../../src/api/contract/client.ts';
import type { RouteName } from '../../../src/api/contract.ts';
import { clientFor } from './client.ts';

/** Everything that was asked of the server. What the live channel does not tell of is asked again when somebody looks. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // The server may be on this machine, which does not need a network for it; whether it is there the live channel knows.
      networkMode: 'always',
      refetchOnReconnect: false,
      // What was answered with a mistake is answered so again; only silence may pass.
      retry: (failures, error) => failures < 3 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
  },
});

type Given<N extends RouteName> = Record<string, never> extends Asked<N> ? [asked?: Asked<N>] : [asked: Asked<N>];

/** Asks the server of this page. */
export async function ask<N extends RouteName>(name: N, ...given: Given<N>): Promise<Answered<N>> {
  return await clientFor().ask(name, ...given);
}

/** A question to the server that components share: the same question is asked once. */
export function asking<N extends RouteName>(name: N, ...given: Given<N>) {
  return queryOptions<Answered<N>>({
    queryKey: [name, given[0] ?? {}],
    queryFn: async ({ signal }) => await clientFor(signal).ask(name, ...given),
  });
}

/** What lies between two commits stays as it is, and a change without a loop as it is read, until somebody asks for what it is by now. */
const UNCHANGING: ReadonlySet<unknown> = new Set<RouteName>(['loopChange', 'findChange']);

/** Forgets what was answered about a loop; what is on the screen is asked again at once. */
export async function forgetLoop(id: number): Promise<void> {
  await queries.invalidateQueries({ predicate: ({ queryKey: [name, asked] }) => !UNCHANGING.has(name) && isAbout(asked, id) });
}

/** Forgets everything that may have changed. */
export async function forgetAll(): Promise<void> {
  await queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => !UNCHANGING.has(name) });
}

/** Asks again what is on the screen and was not answered, once the server is there again: the journal tells only of what changed. */
export async function askFailedAgain(): Promise<void> {
  await queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
}

function isAbout(asked: unknown, id: number): boolean {
  if (typeof asked !== 'object' || asked === null || !('params' in asked)) return false;
  const { params } = asked;
  return typeof params === 'object' && params !== null && 'id' in params && params.id === id;
}
