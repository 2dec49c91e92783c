import type { Kysely } from 'kysely';
import { VolleyError } from '../core/errors.ts';
import { Event, type JournalEntry } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { foldEntries } from './journal.ts';
import type { LoopCache } from './loop-cache.ts';
import { brokenStore, foreignEntry, type DatabasePlace } from './sqlite-error.ts';
import type { PlacedEntry } from './store.ts';
import type { Tables } from './tables.ts';

/** Where loops are read from. */
export type LoopSource = { readonly db: Kysely<Tables>; readonly cache: LoopCache; readonly place: DatabasePlace };

/** A loop, and whether its job is on the list. */
export type FoundLoop = { readonly loop: Loop; readonly wanted: boolean };

/** The loop of that number, folded from its journal as far as it is not known already. */
export async function findLoop(source: LoopSource, id: number): Promise<FoundLoop | null> {
  const row = await source.db
    .selectFrom('loops')
    .leftJoin('jobs', 'jobs.loop_id', 'loops.id')
    .select(['loops.id', 'loops.seq', 'jobs.wanted'])
    .where('loops.number', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const known = source.cache.get(id);
  const isCurrent = known !== null && known.uid === row.id && known.seq <= row.seq;
  const loop = await foldFurther(source, row, isCurrent ? known : null);
  if (loop === null) throw brokenStore(source.place, `the journal of loop ${id} is empty`);
  source.cache.put(loop);
  return { loop, wanted: row.wanted === 1 };
}

/** The entries of a loop's journal after `seq`, in order. */
export async function readEntries(source: Omit<LoopSource, 'cache'>, uid: string, seq: number): Promise<readonly JournalEntry[]> {
  const records = await source.db
    .selectFrom('events')
    .select(['seq', 'at', 'body'])
    .where('loop_id', '=', uid)
    .where('seq', '>', seq)
    .orderBy('seq')
    .execute();
  return records.map((record, index) => {
    if (record.seq !== seq + index + 1) throw brokenStore(source.place, `entry ${seq + index + 1} of the loop ${uid} is missing`);
    return { seq: record.seq, at: record.at, event: readEvent(source.place, uid, record) };
  });
}

/** The position of the newest entry of all. */
export async function readPosition(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select(({ fn }) => fn.max('position').as('newest'))
    .executeTakeFirst();
  return row?.newest ?? 0;
}

/** The entries of all loops after a position, in order. */
export async function readPlaced(source: Omit<LoopSource, 'cache'>, position: number, limit: number): Promise<readonly PlacedEntry[]> {
  const records = await source.db
    .selectFrom('events')
    .innerJoin('loops', 'loops.id', 'events.loop_id')
    .select(['events.position', 'events.loop_id', 'events.seq', 'events.at', 'events.body', 'loops.number'])
    .where('events.position', '>', position)
    .orderBy('events.position')
    .limit(limit)
    .execute();
  return records.map((record) => ({
    position: record.position,
    loopId: record.number,
    entry: readableEntry(source.place, record),
  }));
}

function readableEntry(
  place: DatabasePlace,
  { loop_id: uid, seq, at, body }: { readonly loop_id: string; readonly seq: number; readonly at: string; readonly body: string },
): JournalEntry | null {
  try {
    return { seq, at, event: readEvent(place, uid, { seq, body }) };
  } catch (error) {
    if (error instanceof VolleyError) return null;
    throw error;
  }
}

/** The numbers of the loops that have entries after a position. */
export async function readLoopsAfter(db: Kysely<Tables>, position: number, limit: number): Promise<readonly number[]> {
  const records = await db
    .selectFrom('events')
    .innerJoin('loops', 'loops.id', 'events.loop_id')
    .select('loops.number')
    .distinct()
    .where('events.position', '>', position)
    .limit(limit)
    .execute();
  return records.map((record) => record.number);
}

async function foldFurther(
  source: LoopSource,
  row: { readonly id: string; readonly seq: number },
  known: Loop | null,
): Promise<Loop | null> {
  if (known?.seq === row.seq) return known;
  return foldEntries(known, await readEntries(source, row.id, known?.seq ?? 0));
}

function readEvent(place: DatabasePlace, uid: string, record: { readonly seq: number; readonly body: string }): Event {
  const what = `entry ${record.seq} of the loop ${uid} cannot be read`;
  const event = Event.safeParse(parseBody(record.body, (error) => brokenStore(place, what, error)));
  if (event.success) return event.data;
  throw foreignEntry(place, what, event.error);
}

function parseBody(body: string, broken: (error: unknown) => Error): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw broken(error);
  }
}
