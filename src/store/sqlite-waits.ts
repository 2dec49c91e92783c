import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import type { Loop } from '../core/loop.ts';
import { DONE_STATES, LOST_STATES } from '../core/waiting.ts';
import { neededBy } from './loop-row.ts';
import { conditions } from './sqlite-rows.ts';
import type { Releasable, TimedWait, WaitFilter } from './store.ts';
import type { Tables } from './tables.ts';

/** The loops that wait for a time, soonest first. */
export async function readTimedWaits(db: Kysely<Tables>, filter: WaitFilter): Promise<readonly TimedWait[]> {
  const records = await db
    .selectFrom('loops')
    .select(['loops.number', 'loops.waiting', 'loops.waiting_until'])
    .where('loops.waiting_until', 'is not', null)
    .where((eb) => eb.and(conditions(eb, filter)))
    .orderBy('loops.waiting_until')
    .orderBy('loops.number')
    .limit(filter.limit)
    .execute();
  return records.map((record) => ({ id: record.number, for: record.waiting ?? '', until: record.waiting_until ?? '' }));
}

/** The loops that need not wait for other ones any longer, whichever way those ended. */
export async function readReleasable(db: Kysely<Tables>, { after, except, limit }: Releasable): Promise<readonly number[]> {
  const records = await db
    .selectFrom('loops')
    .select('loops.number')
    .where('loops.id', 'in', after === 0 ? waiting(db) : changedWaiting(db, after).union(needingChanged(db, after)))
    .where((eb) => eb.or([eb.not(needsOneThat(eb, isOpen)), needsOneThat(eb, isLost)]))
    .where('loops.number', 'not in', except)
    .orderBy('loops.number')
    .limit(limit)
    .execute();
  return records.map(({ number }) => number);
}

function changed(db: Kysely<Tables>, after: number) {
  return db.selectFrom('events').select('events.loop_id').where('events.position', '>', after);
}

function waiting(db: Kysely<Tables>) {
  return db.selectFrom('dependencies').select('dependencies.loop_id');
}

function changedWaiting(db: Kysely<Tables>, after: number) {
  return waiting(db).where('dependencies.loop_id', 'in', changed(db, after));
}

/** They wait for a loop that changed, and came to an end. By its state it must not be looked for: very many have that state, few changed. */
function needingChanged(db: Kysely<Tables>, after: number) {
  return db
    .selectFrom('loops as needed')
    .innerJoin('dependencies', 'dependencies.needs', 'needed.number')
    .select('dependencies.loop_id')
    .where('needed.id', 'in', changed(db, after))
    .where((eb) => eb(eb.fn.coalesce('needed.state', eb.val('')), 'in', [...DONE_STATES, ...LOST_STATES]));
}

type Outer = ExpressionBuilder<Tables, 'loops'>;
type State = Expression<string | null>;

function needsOneThat(eb: Outer, is: (eb: Outer, state: State) => Expression<SqlBool>): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom('dependencies')
      .leftJoin('loops as needed', 'needed.number', 'dependencies.needs')
      .select('dependencies.needs')
      .whereRef('dependencies.loop_id', '=', 'loops.id')
      .where((inner) => is(eb, inner.ref('needed.state'))),
  );
}

function isOpen(eb: Outer, state: State): Expression<SqlBool> {
  return eb.or([eb(state, 'is', null), eb(state, 'not in', DONE_STATES)]);
}

/** There may be no such loop. */
function isLost(eb: Outer, state: State): Expression<SqlBool> {
  return eb.or([eb(state, 'is', null), eb(state, 'in', LOST_STATES)]);
}

/** Writes down what a loop waits for, where that has changed. */
export async function writeDependencies(db: Kysely<Tables>, before: Loop | null, after: Loop): Promise<void> {
  const [old, now] = [before === null ? [] : neededBy(before), neededBy(after)];
  if (old.join() === now.join()) return;
  await db.deleteFrom('dependencies').where('loop_id', '=', after.uid).execute();
  for (const needs of now) await db.insertInto('dependencies').values({ needs, loop_id: after.uid }).execute();
}
