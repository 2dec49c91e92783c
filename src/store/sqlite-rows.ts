import type { Expression, ExpressionBuilder, Kysely, SelectQueryBuilder, SqlBool } from 'kysely';
import { searchWords } from '../core/search-words.ts';
import type { SearchWord } from '../core/search-words.ts';
import { loopRow } from './loop-row.ts';
import { countOf } from './loop-count.ts';
import type { LoopCount, LoopFilter, LoopRow, RowFilter, RowKey } from './store.ts';
import type { Tables } from './tables.ts';

/** The rows that a filter means, with whoever drives them. */
export async function readRows(db: Kysely<Tables>, filter: RowFilter): Promise<readonly LoopRow[]> {
  // Which ones is told by an index alone; whole rows would be sorted ten times as slowly.
  let meant = inOrder(db.selectFrom('loops').select('loops.number'), filter).where((eb) => eb.and(conditions(eb, filter)));
  if (filter.limit !== undefined) meant = meant.limit(filter.limit);
  const records = await inOrder(db.selectFrom('loops'), filter)
    .leftJoin('jobs', 'jobs.loop_id', 'loops.id')
    .selectAll('loops')
    .select(['jobs.wanted', 'jobs.owner_pid', 'jobs.owner_started_at', 'jobs.owner_host'])
    .where('loops.number', 'in', meant)
    .execute();
  return records.map(loopRow);
}

function inOrder<O>(query: SelectQueryBuilder<Tables, 'loops', O>, { sort, after }: RowFilter): SelectQueryBuilder<Tables, 'loops', O> {
  const behind = after === undefined ? query : query.where((eb) => isBehind(eb, sort ?? 'newest', after));
  return (sort === 'updated' ? behind.orderBy('loops.updated_at', 'desc') : behind).orderBy('loops.number', 'desc');
}

/** How many loops a filter means. */
export async function countLoops(db: Kysely<Tables>, filter: LoopFilter): Promise<LoopCount> {
  const states = await db
    .selectFrom('loops')
    .select(({ fn }) => ['loops.state', fn.countAll<number>().as('loops')])
    .where((eb) => eb.and(conditions(eb, filter)))
    .groupBy('loops.state')
    .execute();
  const asking = await db
    .selectFrom('loops')
    .select(({ fn }) => fn.countAll<number>().as('loops'))
    .where((eb) => eb.and([...conditions(eb, filter), eb('loops.needs_you', '=', 1)]))
    .executeTakeFirst();
  return countOf(states, asking?.loops ?? 0);
}

type Builder = ExpressionBuilder<Tables, 'loops'>;

function isBehind(eb: Builder, sort: 'newest' | 'updated', { id, updatedAt }: RowKey): Expression<SqlBool> {
  if (sort === 'newest') return eb('loops.number', '<', id);
  return eb.or([eb('loops.updated_at', '<', updatedAt), eb.and([eb('loops.updated_at', '=', updatedAt), eb('loops.number', '<', id)])]);
}

/** What a filter asks of a row. */
export function conditions(eb: Builder, filter: LoopFilter): Expression<SqlBool>[] {
  const { id, uid, state, kind, group, waiting, needsYou, approvedBy, owned, among, except, words, since } = filter;
  return [
    ...(id === undefined ? [] : [eb('loops.number', '=', id)]),
    ...(uid === undefined ? [] : [eb('loops.id', '=', uid)]),
    ...(state === undefined ? [] : [eb('loops.state', 'in', [state].flat())]),
    ...(kind === undefined ? [] : [eb('loops.kind', '=', kind)]),
    ...(group === undefined ? [] : [eb('loops.group_name', '=', group)]),
    ...(waiting === undefined ? [] : [eb('loops.waiting', waiting ? 'is not' : 'is', null)]),
    ...(needsYou === undefined ? [] : [eb('loops.needs_you', '=', needsYou ? 1 : 0)]),
    ...(approvedBy === undefined ? [] : [eb('loops.approved_by', '=', approvedBy)]),
    ...(owned === undefined ? [] : [eb('loops.id', owned ? 'in' : 'not in', ownedLoops(eb))]),
    ...(among === undefined ? [] : [eb('loops.number', 'in', among)]),
    ...(except === undefined ? [] : [eb('loops.number', 'not in', except)]),
    ...(words === undefined ? [] : searchWords(words).map((word) => holdsWord(eb, word))),
    ...(since === undefined ? [] : [eb('loops.updated_at', '>=', since)]),
  ];
}

function ownedLoops(eb: Builder) {
  return eb.selectFrom('jobs').select('jobs.loop_id').where('jobs.owner_pid', 'is not', null);
}

/** Not by LIKE, which knows signs of its own and folds only the letters of English. */
function holdsWord(eb: Builder, { text, number }: SearchWord): Expression<SqlBool> {
  const inTitle = eb(eb.fn<number>('instr', ['loops.words', eb.val(text)]), '>', 0);
  return number === null ? inTitle : eb.or([inTitle, eb('loops.number', '=', number)]);
}
