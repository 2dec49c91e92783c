import { infiniteQueryOptions } from '@tanstack/react-query';
import { create } from 'zustand';
import type { Answered } from '../../../src/api/contract/client.ts';
import type { DiffMatch, Whitespace } from '../../../src/core/change-view.ts';
import { clientFor } from '../api/client.ts';

/** What is looked for in the diff, and at which match somebody stands; null while nobody looks for anything. */
export type Search = {
  readonly text: string;
  readonly matchCase: boolean;
  readonly at: number;
  /** Among whose matches: the same number is another line elsewhere. */
  readonly place?: string;
};

/** The search in the diff that is on the screen; `asked` counts how often somebody wanted to type in its box. */
export const useSearchBox = create<{ readonly search: Search | null; readonly asked: number }>(() => ({ search: null, asked: 0 }));

/** Opens the box with what was looked for before; one that is open already is typed in again. */
export function openSearch(): void {
  useSearchBox.setState(({ search, asked }) => ({ search: search ?? { text: last, matchCase: false, at: -1 }, asked: asked + 1 }));
}

let last = '';

/** Changes what is looked for, or closes the box. One that is closed stays so, also where an answer comes late. */
export function setSearch(patch: Partial<Search> | null): void {
  useSearchBox.setState(({ search }) => {
    if (patch === null || search === null) return { search: null };
    const next = { ...search, ...patch };
    last = next.text;
    return { search: next };
  });
}

/** Goes to a match that came late, unless something else was looked for meanwhile, or elsewhere. */
export function goLate(before: Search, patch: Pick<Search, 'at' | 'place'>): void {
  if (useSearchBox.getState().search === before) setSearch(patch);
}

/** At which match somebody stands in a place; at none where they stood elsewhere. */
export function standing({ at, place }: Pick<Search, 'at' | 'place'>, here: string): number {
  return place === here ? at : -1;
}

/** So many matches are asked for at once. */
const PAGE = 200;

/** The lines of a change in which a text stands, page after page. */
export function searching(asked: {
  readonly change: string;
  readonly whitespace: Whitespace;
  readonly text: string;
  readonly matchCase: boolean;
}) {
  const { change, whitespace, text, matchCase } = asked;
  return infiniteQueryOptions({
    queryKey: ['search', asked],
    enabled: text !== '',
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<Answered<'changeSearch'>> =>
      await clientFor(signal).ask('changeSearch', {
        params: { change },
        query: { q: text, case: matchCase, whitespace, limit: PAGE, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
      }),
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Infinity,
  });
}

/** Where somebody stands among the matches, in words; `more` where others may follow. */
export function countWords({ at, found, more }: { readonly at: number; readonly found: number; readonly more: boolean }): string {
  if (found === 0) return more ? 'Looking…' : 'Nothing found';
  const all = `${found}${more ? '+' : ''}`;
  return at < 0 ? `${all} ${found === 1 && !more ? 'line' : 'lines'}` : `${at + 1} of ${all}`;
}

/** The next match in a direction; it goes round, unless the last one is not known yet. */
export function stepped(at: number, { found, more }: { readonly found: number; readonly more: boolean }, step: number): number {
  if (found === 0) return -1;
  if (more && at + step < 0) return 0;
  return at < 0 ? (step > 0 ? 0 : found - 1) : (at + step + found) % found;
}

/** The line of a match: of the new side, unless it was removed. */
export function matchLine({ kind, oldLine, newLine }: Pick<DiffMatch, 'kind' | 'oldLine' | 'newLine'>): {
  line: number;
  side: 'old' | 'new';
} {
  return kind === 'removed' ? { line: oldLine ?? 1, side: 'old' } : { line: newLine ?? 1, side: 'new' };
}
