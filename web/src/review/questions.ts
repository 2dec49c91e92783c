import { queryOptions } from '@tanstack/react-query';
import { clientFor } from '../api/client.ts';
import type { Answered } from '../../../src/api/contract/client.ts';
import type { Whitespace } from '../../../src/core/change-view.ts';
import type { RouteName } from '../../../src/api/contract.ts';
import { everyPage } from '../api/pages.ts';

/** The most that the server gives of a list at once. */
const limit = 500;

/** A whole list about a loop. What the live channel tells of the loop makes it ask again. */
function list<T>(name: RouteName, id: number, read: (signal: AbortSignal) => Promise<T>) {
  return queryOptions<T>({ queryKey: [name, { params: { id } }, 'whole'], queryFn: async ({ signal }) => await read(signal) });
}

/** All rounds of a loop. */
export function askRounds(id: number) {
  return list('listRounds', id, async (signal) => {
    const { ask } = clientFor(signal);
    const pages = await everyPage(async (cursor) => await ask('listRounds', { params: { id }, query: { limit, cursor } }));
    return pages.flatMap(({ rounds }) => rounds);
  });
}

/** All findings of a loop, with what happened to each. */
export function askFindings(id: number) {
  return list('listFindings', id, async (signal) => {
    const { ask } = clientFor(signal);
    const pages = await everyPage(
      async (cursor) => await ask('listFindings', { params: { id }, query: { limit, cursor, history: true, patch: true } }),
    );
    return pages.flatMap(({ findings }) => findings);
  });
}

/** All sessions of a loop, those at work last. */
export function askSessions(id: number) {
  return list('listSessions', id, async (signal) => {
    const { ask } = clientFor(signal);
    const pages = await everyPage(async (cursor) => await ask('listSessions', { params: { id }, query: { limit, cursor } }));
    return pages.flatMap(({ sessions }) => sessions);
  });
}

/** Every time that the gates ran. */
export function askGateRuns(id: number) {
  return list('listGateRuns', id, async (signal) => {
    const { ask } = clientFor(signal);
    const pages = await everyPage(async (cursor) => await ask('listGateRuns', { params: { id }, query: { limit, cursor } }));
    return pages.flatMap(({ runs }) => runs);
  });
}

/** The proofs of all reviews of a loop. */
export function askProofs(id: number) {
  return list('listProofs', id, async (signal) => {
    const { ask } = clientFor(signal);
    const pages = await everyPage(async (cursor) => await ask('listProofs', { params: { id }, query: { limit, cursor } }));
    return pages.flatMap(({ proofs }) => proofs);
  });
}

/** What a loop has written. */
export function askArtefacts(id: number) {
  return list('listArtefacts', id, async (signal) => {
    const { ask } = clientFor(signal);
    const pages = await everyPage(async (cursor) => await ask('listArtefacts', { params: { id }, query: { limit, cursor } }));
    return pages.flatMap(({ artefacts }) => artefacts);
  });
}

/** A list of files with all of its files. */
type Whole<T extends { readonly next: string | null }> = Omit<T, 'next'>;

/** What a loop changes between two points, whole. */
export type LoopChange = Whole<Answered<'loopChange'>>;

/** What a loop changes between two points of its life. */
export function askLoopChange(id: number, ends: { readonly from: string; readonly to: string; readonly whitespace: Whitespace }) {
  return queryOptions<LoopChange>({
    queryKey: ['loopChange', { params: { id }, query: ends }, 'whole'],
    queryFn: async ({ signal }) => {
      const { ask } = clientFor(signal);
      const pages = await everyPage(
        async (cursor) => await ask('loopChange', { params: { id }, query: { ...ends, limit: MOST_FILES, cursor } }),
      );
      return whole(pages);
    },
  });
}

/** The most files that the server gives at once. */
const MOST_FILES = 5000;

function whole<T extends { readonly next: string | null; readonly files: readonly unknown[] }>(pages: readonly T[]): Whole<T> {
  const [first] = pages;
  if (first === undefined) throw new Error('A list has at least one page.');
  return { ...first, files: pages.flatMap(({ files }) => files) };
}

/** What is looked at without a loop. */
export type Looked =
  | { readonly kind: 'working-tree'; readonly base?: string }
  | { readonly kind: 'branch'; readonly branch: string; readonly base: string | null }
  | { readonly kind: 'range'; readonly range: string };

/** A change without a loop, whole. */
export type FoundChange = Whole<Answered<'findChange'>>;

/** So often it is looked whether a working tree moved, which tells nobody. */
const PEEK_MS = 5000;

/** Which change the working tree is by now, beside the one that is shown; once it is another one nobody asks further. */
export function peekChange(looked: Looked, shown: string) {
  return queryOptions<string>({
    queryKey: ['findChange', { body: looked }, 'peek', shown],
    queryFn: async ({ signal }) => (await clientFor(signal).ask('findChange', { body: looked, query: { limit: 1 } })).change,
    initialData: shown,
    refetchInterval: ({ state }) => (state.data === shown ? PEEK_MS : false),
    refetchOnWindowFocus: 'always',
    gcTime: 0,
  });
}

/** A change that needs no loop. What is read of it stays until somebody asks for what it is by now. */
export function askChange(looked: Looked, whitespace: Whitespace) {
  return queryOptions<FoundChange>({
    queryKey: ['findChange', { body: looked, query: { whitespace } }, 'whole'],
    queryFn: async ({ signal }) => {
      const { ask } = clientFor(signal);
      const first = await ask('findChange', { body: looked, query: { whitespace, limit: MOST_FILES } });
      if (first.next === null) return first;
      const rest = await everyPage(
        async (cursor) =>
          await ask('changeFiles', {
            params: { change: first.change },
            query: { whitespace, limit: MOST_FILES, cursor: cursor ?? first.next ?? undefined },
          }),
      );
      return { ...first, files: [...first.files, ...rest.flatMap(({ files }) => files)] };
    },
    staleTime: Infinity,
    refetchOnMount: 'always',
  });
}
