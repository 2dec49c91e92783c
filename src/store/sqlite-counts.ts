import { sql } from 'kysely';
import type { ExpressionBuilder, Kysely, RawBuilder } from 'kysely';
import { dayEnd } from '../core/counts.ts';
import type { CategoryDay, Counts, DayRange, EscalationCount, FindingCount, LoopCount, SessionCount } from '../core/counts.ts';
import { Category } from '../core/finding.ts';
import { escalationIn, findingCount, loopCount, sessionCount } from './count-rows.ts';
import type { Tables } from './tables.ts';

/** Counts in the database itself: ten thousand loops come back as some hundred groups. */
export async function readCounts(db: Kysely<Tables>, range: DayRange): Promise<Counts> {
  return {
    loops: await countLoops(db, range),
    firstReviews: await countFirstReviews(db, range),
    findings: await countFindings(db, range),
    categoryDays: await countCategoryDays(db, range),
    sessions: await countSessions(db, range),
    escalations: await countEscalations(db, range),
  };
}

/** Later and earlier than anything that a journal was written at. */
const EVER = { from: '', to: '~' };

function within(column: string, { from, to }: DayRange): RawBuilder<boolean> {
  const end = to === null ? EVER.to : dayEnd(to);
  return sql<boolean>`${sql.ref(column)} >= ${from ?? EVER.from} and ${sql.ref(column)} < ${end}`;
}

function countAll<T extends keyof Tables>({ fn }: ExpressionBuilder<Tables, T>) {
  return fn.countAll<number>().as('count');
}

async function countLoops(db: Kysely<Tables>, range: DayRange): Promise<readonly LoopCount[]> {
  const records = await db
    .selectFrom('loops')
    .select(['state', 'approved_by', 'rounds', 'landed'])
    .select(countAll)
    .where(within('created_at', range))
    .groupBy(['state', 'approved_by', 'rounds', 'landed'])
    .execute();
  return records.map(loopCount);
}

// A condition of an index is recognised only where it is written out.
const FIRST_REVIEW = sql<boolean>`round = 1 and kind = 'round' and stands = 1`;
const FIRST_RAISED = sql<boolean>`counted = 1`;
const ASKED = sql<boolean>`type in ('escalated', 'checkout-lost', 'dependency-lost')`;

async function countFirstReviews(db: Kysely<Tables>, range: DayRange): Promise<Counts['firstReviews']> {
  const records = await db
    .selectFrom('loop_reviews')
    .select('passed')
    .select(countAll)
    .where(FIRST_REVIEW)
    .where(within('reviewed_at', range))
    .groupBy('passed')
    .execute();
  return records.map(({ passed, count }) => ({ passed: passed === 1, count }));
}

async function countFindings(db: Kysely<Tables>, range: DayRange): Promise<readonly FindingCount[]> {
  const alike = ['category', 'severity', 'source', 'status', 'raised_by'] as const;
  const records = await raisedFirst(db, range).select(alike).groupBy(alike).execute();
  return records.map(findingCount);
}

async function countCategoryDays(db: Kysely<Tables>, range: DayRange): Promise<readonly CategoryDay[]> {
  const day = sql<string>`substr(raised_at, 1, 10)`;
  const records = await raisedFirst(db, range)
    .select(['category', day.as('day')])
    .groupBy([day, 'category'])
    .execute();
  return records.map(({ category, ...record }) => ({ ...record, category: Category.parse(category) }));
}

function raisedFirst(db: Kysely<Tables>, range: DayRange) {
  return db.selectFrom('review_issues').select(countAll).where(FIRST_RAISED).where(within('raised_at', range));
}

async function countSessions(db: Kysely<Tables>, { from, to }: DayRange): Promise<readonly SessionCount[]> {
  const alike = ['day', 'agent', 'role', 'model', 'estimated', 'outcome'] as const;
  const records = await db
    .selectFrom('sessions')
    .select(alike)
    .select(countAll)
    .select(({ fn }) => [
      fn.count<number>('duration_ms').as('timed'),
      fn.sum<number>('usd').as('usd'),
      fn.sum<number>('subscription_usd').as('subscription_usd'),
      fn.sum<number | null>('input_tokens').as('input_tokens'),
      fn.sum<number | null>('output_tokens').as('output_tokens'),
      fn.sum<number | null>('duration_ms').as('duration_ms'),
    ])
    .where('day', '>=', from ?? EVER.from)
    .where('day', '<=', to ?? EVER.to)
    .groupBy(alike)
    .execute();
  return records.map(sessionCount);
}

async function countEscalations(db: Kysely<Tables>, range: DayRange): Promise<readonly EscalationCount[]> {
  const reason = sql<string | null>`json_extract(body, '$.reason')`;
  const records = await db
    .selectFrom('events')
    .select(['type', reason.as('reason')])
    .select(countAll)
    .where(ASKED)
    .where(within('at', range))
    .groupBy(['type', reason])
    .execute();
  return records.flatMap(({ type, reason: given, count }) => {
    const why = escalationIn(type, given);
    return why === null ? [] : [{ reason: why, count }];
  });
}
