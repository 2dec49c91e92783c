import { searchWords } from '../core/search-words.ts';
import { countOf } from './loop-count.ts';
import type { LoopRecord } from './loop-row.ts';
import type { LoopCount, LoopFilter, LoopRow, RowFilter, RowKey } from './store.ts';

/** A row in memory, with the text by which it is searched. */
export type KeptRow = { readonly row: LoopRow; readonly words: LoopRecord['words'] };

/** The rows that a filter means. */
export function filterRows(kept: readonly KeptRow[], filter: RowFilter): readonly LoopRow[] {
  const { sort = 'newest', after, limit } = filter;
  const order = sort === 'newest' ? byNumber : byUpdate;
  return kept
    .filter((one) => isMeant(one, filter))
    .map(({ row }) => row)
    .filter((row) => after === undefined || order(after, row) < 0)
    .toSorted(order)
    .slice(0, limit);
}

/** How many loops a filter means. */
export function countRows(kept: readonly KeptRow[], filter: LoopFilter): LoopCount {
  const meant = kept.filter((one) => isMeant(one, filter)).map(({ row }) => row);
  const states = [...Map.groupBy(meant, ({ state }) => state)].map(([state, rows]) => ({ state, loops: rows.length }));
  return countOf(states, meant.filter(({ needsYou }) => needsYou).length);
}

function byNumber(a: RowKey, b: RowKey): number {
  return b.id - a.id;
}

function byUpdate(a: RowKey, b: RowKey): number {
  if (a.updatedAt === b.updatedAt) return byNumber(a, b);
  return a.updatedAt < b.updatedAt ? 1 : -1;
}

function isMeant({ row, words }: KeptRow, filter: LoopFilter): boolean {
  const { id, uid, state, kind, group, approvedBy, among, except, since } = filter;
  return (
    isOrAny(row.id, id) &&
    isOrAny(row.uid, uid) &&
    (state === undefined || [state].flat().includes(row.state)) &&
    isOrAny(row.kind, kind) &&
    isOrAny(row.group, group) &&
    isOrAny(row.waiting !== null, filter.waiting) &&
    isOrAny(row.needsYou, filter.needsYou) &&
    isOrAny(row.approvedBy, approvedBy) &&
    isOrAny(row.owner !== null, filter.owned) &&
    (among === undefined || among.includes(row.id)) &&
    except?.includes(row.id) !== true &&
    (filter.words === undefined || searchWords(filter.words).every(({ text, number }) => words.includes(text) || number === row.id)) &&
    (since === undefined || row.updatedAt >= since)
  );
}

function isOrAny<T>(value: T, wanted: T | undefined): boolean {
  return wanted === undefined || value === wanted;
}
