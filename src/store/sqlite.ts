import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { JournalEntry } from '../core/event.ts';
import type { Memory } from '../core/memory.ts';
import { BUSY_MS, openDatabase, type Connections } from './database.ts';
import { unknownLoop } from './journal.ts';
import { loopCache, type LoopCache } from './loop-cache.ts';
import { memoryOf } from './memory-rows.ts';
import { userVersion } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { explain, newerStore, type DatabasePlace } from './sqlite-error.ts';
import { readCards } from './sqlite-cards.ts';
import { readDrafts } from './sqlite-drafts.ts';
import { findLoop, readEntries, readLoopsAfter, readPlaced, readPosition } from './sqlite-journal.ts';
import { countLoops, readRows } from './sqlite-rows.ts';
import { readSpendByAgent, readTally } from './sqlite-spend.ts';
import { readCounts } from './sqlite-counts.ts';
import { readJobs, sqliteTransaction } from './sqlite-transaction.ts';
import { readReleasable, readTimedWaits } from './sqlite-waits.ts';
import type { MemoryFilter, Store, Transaction } from './store.ts';
import type { Tables } from './tables.ts';
import { takingTurns, type TurnOutcome } from './turns.ts';

/** The journal of a project in a file that several processes may have open at once. */
export async function openSqliteStore(place: DatabasePlace): Promise<Store> {
  const connections = openDatabase(place);
  const writer = new Kysely<Tables>({ dialect: sqliteDialect(connections.writer, BUSY_MS) });
  const reader = new Kysely<Tables>({ dialect: sqliteDialect(connections.reader, BUSY_MS) });
  const cache = loopCache();
  const takeTurn = takingTurns<Transaction>((turns) => commitTurns({ place, connections, writer, cache }, turns));
  const explained = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      throw explain(place, error);
    }
  };
  return {
    transaction: (work) => explained(() => takeTurn(work)),
    load: (id) => explained(async () => (await findLoop({ db: reader, cache, place }, id))?.loop ?? null),
    journal: (id) => explained(() => readJournal(reader, place, id)),
    position: () => explained(() => readPosition(reader)),
    entriesAfter: (position, limit) => explained(() => readPlaced({ db: reader, place }, position, limit)),
    loopsAfter: (position, limit) => explained(() => readLoopsAfter(reader, position, limit)),
    rows: (filter = {}) => explained(() => readRows(reader, filter)),
    cards: (ids) => explained(() => readCards(reader, ids)),
    count: (filter = {}) => explained(() => countLoops(reader, filter)),
    jobs: () => explained(() => readJobs(reader, null)),
    timedWaits: (filter) => explained(() => readTimedWaits(reader, filter)),
    releasable: (query) => explained(() => readReleasable(reader, query)),
    memories: (filter = {}) => explained(() => readMemories(reader, filter)),
    drafts: (id) => explained(() => readDrafts(reader, id)),
    spendByAgent: () => explained(() => readSpendByAgent(reader)),
    tally: (since) => explained(() => readTally(reader, since, null)),
    counts: (range) => explained(() => readCounts(reader, range)),
    close: async () => {
      // Closed without Kysely, which leaves a connection open that was never used; the last to close folds the log into the file.
      connections.reader.close();
      connections.writer.close();
    },
  };
}

type Opened = {
  readonly place: DatabasePlace;
  readonly connections: Connections;
  readonly writer: Kysely<Tables>;
  readonly cache: LoopCache;
};

/** What the turns fold is remembered only when it is committed. */
async function commitTurns(opened: Opened, turns: readonly ((tx: Transaction) => Promise<void>)[]): Promise<readonly TurnOutcome[]> {
  const { place, connections, writer, cache } = opened;
  const folded = loopCache(cache);
  const outcomes = await writer.transaction().execute(async (db) => {
    const version = userVersion(connections.writer);
    if (version !== MIGRATIONS.length) throw newerStore(place.file, version, MIGRATIONS.length);
    const tried: TurnOutcome[] = [];
    for (const turn of turns) {
      const fresh = loopCache(folded);
      const outcome = await attempt(connections.writer, () => turn(sqliteTransaction({ db, cache: fresh, place })));
      if (outcome === null) fresh.forEach((loop) => folded.put(loop));
      tried.push(outcome);
    }
    return tried;
  });
  folded.forEach((loop) => cache.put(loop));
  return outcomes;
}

/** Undoes what a turn wrote, and nothing else of the transaction, if it throws. */
async function attempt(db: DatabaseSync, turn: () => Promise<void>): Promise<TurnOutcome> {
  db.exec('SAVEPOINT turn');
  try {
    await turn();
    db.exec('RELEASE turn');
    return null;
  } catch (error) {
    // On some errors, a full disk among them, SQLite undoes the whole transaction, and the savepoint with it.
    if (!db.isTransaction) throw error;
    db.exec('ROLLBACK TO turn; RELEASE turn');
    return { error };
  }
}

async function readJournal(db: Kysely<Tables>, place: DatabasePlace, id: number): Promise<readonly JournalEntry[]> {
  const row = await db.selectFrom('loops').select('id').where('number', '=', id).executeTakeFirst();
  if (row === undefined) throw unknownLoop(id);
  return await readEntries({ db, place }, row.id, 0);
}

/** As many hashes as fit a statement beside everything else. */
const HASHES_AT_ONCE = 500;

async function readMemories(db: Kysely<Tables>, { codeHashes }: MemoryFilter): Promise<readonly Memory[]> {
  const all = db.selectFrom('memories').selectAll().orderBy('ruled_at', 'desc').orderBy('finding_id', 'desc');
  if (codeHashes === undefined) return (await all.execute()).map(memoryOf);
  const found: Memory[] = [];
  for (let at = 0; at < codeHashes.length; at += HASHES_AT_ONCE) {
    const records = await all.where('code_hash', 'in', codeHashes.slice(at, at + HASHES_AT_ONCE)).execute();
    found.push(...records.map(memoryOf));
  }
  return found;
}
