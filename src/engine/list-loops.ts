import type { Card } from '../core/card.ts';
import type { LoopCount, LoopFilter, RowKey } from '../store/store.ts';
import { drivenAmong } from './driven.ts';
import type { DrivenRow } from './driven.ts';
import type { Engine } from './engine.ts';
import { loopCards } from './loop-cards.ts';

/** Which loops are asked for: as the store filters, and whether a living process drives them. */
export type LoopQuery = LoopFilter & {
  readonly driven?: boolean | undefined;
  readonly sort: 'newest' | 'updated';
  readonly after?: RowKey | undefined;
  readonly limit: number;
};

/** A row of a list: with whether a living process drives it, and its card, as far as that is known. */
export type ListedRow = DrivenRow & { readonly card: Card | null };

/** One page of loops. */
export type LoopPage = {
  readonly loops: readonly ListedRow[];
  /** How many the query means, on all pages. */
  readonly total: number;
  /** The same for every state: those that the query would mean if it asked for no state, need, wait or driver. */
  readonly counts: LoopCount & { readonly driven: number };
  /** After which row the next page begins; null where there is none. */
  readonly next: RowKey | null;
};

/** Lists the loops of a project, page by page. */
export async function listLoops(engine: Pick<Engine, 'store' | 'dispatcher'>, query: LoopQuery): Promise<LoopPage> {
  const { driven, sort, after, limit, ...filter } = query;
  const { state, needsYou, waiting, ...wider } = filter;
  const owned = await engine.store.rows({ ...wider, owned: true });
  const living = await drivenAmong(engine, owned);
  const isNarrow = driven !== undefined || state !== undefined || needsYou !== undefined || waiting !== undefined;
  const narrow = { ...filter, ...whoDrives(driven, [...living], filter) };
  const [rows, count, wide] = await Promise.all([
    // One more tells whether another page follows.
    engine.store.rows({ ...narrow, sort, limit: limit + 1, after }),
    isNarrow ? engine.store.count(narrow) : null,
    engine.store.count(wider),
  ]);
  const shown = rows.slice(0, limit);
  const cards = await loopCards(
    engine,
    shown.map(({ id }) => id),
  );
  const last = shown.at(-1);
  return {
    loops: shown.map((row) => ({ ...row, driven: living.has(row.id), card: cards.get(row.id) ?? null })),
    total: (count ?? wide).total,
    counts: { ...wide, driven: living.size },
    next: rows.length > limit && last !== undefined ? { id: last.id, updatedAt: last.updatedAt } : null,
  };
}

/** Only those that live processes drive, or all but those; what the filter says of that itself holds too. */
function whoDrives(driven: boolean | undefined, living: readonly number[], { among, except = [] }: LoopFilter): LoopFilter {
  if (driven === undefined) return {};
  if (!driven) return { except: [...except, ...living] };
  return { among: among === undefined ? living : living.filter((id) => among.includes(id)) };
}
