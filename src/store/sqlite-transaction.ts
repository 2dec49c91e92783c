import type { Kysely } from 'kysely';
import { wantsWork } from '../core/decide.ts';
import type { Event, JournalEntry } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { adopted, firstStep, nextStep, unknownLoop, type Step } from './journal.ts';
import { loopRecord, runIdOf } from './loop-row.ts';
import { ownerOf, ownerRecord } from './owner-record.ts';
import { changedMemories } from './memory-rows.ts';
import { changedReviewRecords } from './review-rows.ts';
import { writeCard } from './sqlite-cards.ts';
import { deleteDrafts, readDrafts, writeDraft } from './sqlite-drafts.ts';
import { findLoop, type LoopSource } from './sqlite-journal.ts';
import { readTally, writeSpend } from './sqlite-spend.ts';
import { writeDependencies } from './sqlite-waits.ts';
import type { Appended, Created, JobRow, Owner, Transaction } from './store.ts';
import type { Tables } from './tables.ts';

/** The steps of one open transaction. */
export function sqliteTransaction(source: LoopSource): Transaction {
  const { db } = source;
  return {
    load: async (id) => (await findLoop(source, id))?.loop ?? null,
    append: (id, event, at) => append(source, id, { event, at }),
    create: (make, at) => create(source, make, at),
    tally: (since, id) => readTally(db, since, id),
    adopt: (journal, options) => adopt(source, journal, options),
    refreshCard: async (id) => {
      const found = await findLoop(source, id);
      if (found === null) throw unknownLoop(id);
      await writeCard(db, found.loop);
    },
    drafts: async (id) => await readDrafts(db, id),
    putDraft: async (id, draft) => await writeDraft(db, await uidOf(db, id), draft),
    dropDrafts: async (id, ids) => await deleteDrafts(db, await uidOf(db, id), ids),
    putJob: async (id) => await putJob(db, await uidOf(db, id)),
    dropJob: async (id) => await dropJob(db, await uidOf(db, id)),
    job: async (id) => (await readJobs(db, id))[0] ?? null,
    jobs: () => readJobs(db, null),
    owner: async (id) => await readOwner(db, id),
    setOwner: async (id, owner) => await setOwner(db, await uidOf(db, id), owner),
  };
}

async function append(source: LoopSource, id: number, said: { readonly event: Event; readonly at: string }): Promise<Appended> {
  const found = await findLoop(source, id);
  if (found === null) throw unknownLoop(id);
  const step = nextStep(found.loop, said.event, said.at);
  const { id: uid, number: _number, created_at: _createdAt, run_id: _runId, ...columns } = loopRecord(step.loop);
  await source.db.updateTable('loops').set(columns).where('id', '=', uid).execute();
  await writeEntry(source.db, step);
  await writeReviews(source.db, found.loop, step.loop);
  await writeMemories(source.db, found.loop, step.loop);
  await writeSpend(source.db, found.loop, step);
  await writeDependencies(source.db, found.loop, step.loop);
  await writeCard(source.db, step.loop);
  const wanted = wantsWork(step.loop);
  if (wanted && !found.wanted) await putJob(source.db, uid);
  if (!wanted && found.wanted) await dropJob(source.db, uid);
  source.cache.put(step.loop);
  return { before: found.loop, loop: step.loop, seq: step.entry.seq, refused: step.refused };
}

async function create(source: LoopSource, make: (id: number) => Created, at: string): Promise<Loop> {
  const { db } = source;
  const last = await db.selectFrom('loops').select('number').orderBy('number', 'desc').limit(1).executeTakeFirst();
  const number = (last?.number ?? 0) + 1;
  const event = make(number);
  if (event.id !== number) throw new Error(`loop ${number} was made with the number ${event.id}`);
  const step = firstStep(event, at);
  await insertLoop(db, step.loop);
  await writeEntry(db, step);
  if (wantsWork(step.loop)) await putJob(db, step.loop.uid);
  source.cache.put(step.loop);
  return step.loop;
}

async function adopt(source: LoopSource, journal: readonly JournalEntry[], { job }: { readonly job: boolean }): Promise<Loop> {
  const { db } = source;
  const { loop, steps } = adopted(journal);
  await insertLoop(db, loop);
  for (const { entry, before, after } of steps) {
    await writeEntry(db, { entry, loop: after });
    if (before !== null) await writeReviews(db, before, after);
  }
  if (job && wantsWork(loop)) await putJob(db, loop.uid);
  source.cache.put(loop);
  return loop;
}

async function insertLoop(db: Kysely<Tables>, loop: Loop): Promise<void> {
  await db
    .insertInto('runs')
    .values({ id: runIdOf(loop), number: null, created_at: loop.createdAt })
    .execute();
  await db.insertInto('loops').values(loopRecord(loop)).execute();
  await writeDependencies(db, null, loop);
  await writeCard(db, loop);
}

async function writeEntry(db: Kysely<Tables>, { entry, loop }: Pick<Step, 'entry' | 'loop'>): Promise<void> {
  const { seq, at, event } = entry;
  await db
    .insertInto('events')
    .values({ loop_id: loop.uid, seq, at, type: event.type, body: JSON.stringify(event) })
    .execute();
}

async function writeReviews(db: Kysely<Tables>, before: Loop, after: Loop): Promise<void> {
  const { reviews, issues } = changedReviewRecords(before, after);
  for (const { id, ...columns } of reviews) {
    await db
      .insertInto('loop_reviews')
      .values({ id, ...columns })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
      .execute();
  }
  for (const { id, ...columns } of issues) {
    await db
      .insertInto('review_issues')
      .values({ id, ...columns })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
      .execute();
  }
}

async function writeMemories(db: Kysely<Tables>, before: Loop, after: Loop): Promise<void> {
  const { made, forgotten } = changedMemories(before, after);
  if (forgotten.length > 0) await db.deleteFrom('memories').where('finding_id', 'in', forgotten).execute();
  for (const record of made) await db.insertInto('memories').values(record).execute();
}

async function uidOf(db: Kysely<Tables>, id: number): Promise<string> {
  const row = await db.selectFrom('loops').select('id').where('number', '=', id).executeTakeFirst();
  if (row === undefined) throw unknownLoop(id);
  return row.id;
}

async function putJob(db: Kysely<Tables>, uid: string): Promise<void> {
  await db
    .insertInto('jobs')
    .values({ loop_id: uid, wanted: 1, ...ownerRecord(null) })
    .onConflict((conflict) => conflict.column('loop_id').doUpdateSet({ wanted: 1 }))
    .execute();
}

async function dropJob(db: Kysely<Tables>, uid: string): Promise<void> {
  await db.updateTable('jobs').set({ wanted: 0 }).where('loop_id', '=', uid).execute();
  await forgetDone(db, uid);
}

async function setOwner(db: Kysely<Tables>, uid: string, owner: Owner | null): Promise<void> {
  const columns = ownerRecord(owner);
  await db
    .insertInto('jobs')
    .values({ loop_id: uid, wanted: 0, ...columns })
    .onConflict((conflict) => conflict.column('loop_id').doUpdateSet(columns))
    .execute();
  await forgetDone(db, uid);
}

async function readOwner(db: Kysely<Tables>, id: number): Promise<Owner | null> {
  const record = await db
    .selectFrom('jobs')
    .innerJoin('loops', 'loops.id', 'jobs.loop_id')
    .where('loops.number', '=', id)
    .select(['jobs.owner_pid', 'jobs.owner_started_at', 'jobs.owner_host'])
    .executeTakeFirst();
  return record === undefined ? null : ownerOf(record);
}

async function forgetDone(db: Kysely<Tables>, uid: string): Promise<void> {
  await db.deleteFrom('jobs').where('loop_id', '=', uid).where('wanted', '=', 0).where('owner_pid', 'is', null).execute();
}

/** The loops that want to be driven, in order of their number: all of them, or this one. */
export async function readJobs(db: Kysely<Tables>, id: number | null): Promise<readonly JobRow[]> {
  let query = db.selectFrom('jobs').innerJoin('loops', 'loops.id', 'jobs.loop_id').where('jobs.wanted', '=', 1);
  if (id !== null) query = query.where('loops.number', '=', id);
  const records = await query.select(['loops.number', 'jobs.owner_pid', 'jobs.owner_started_at', 'jobs.owner_host']).execute();
  // Asked for the order, SQLite would go through all loops.
  return records.map((record) => ({ loopId: record.number, owner: ownerOf(record) })).toSorted((a, b) => a.loopId - b.loopId);
}
