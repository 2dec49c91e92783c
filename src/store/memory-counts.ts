import { isWithin } from '../core/counts.ts';
import type { Counts, DayRange, EscalationCount } from '../core/counts.ts';
import type { JournalEntry } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { escalationIn, findingCount, loopCount, sessionCount } from './count-rows.ts';
import { loopRecord } from './loop-row.ts';
import { reviewRecords } from './review-rows.ts';
import type { SessionRecord } from './session-rows.ts';

/** What there is to count: loops with their journals, and the sessions of all of them. */
export type Countable = {
  readonly kept: readonly { readonly loop: Loop; readonly entries: readonly JournalEntry[] }[];
  readonly sessions: readonly SessionRecord[];
};

/** Counts rows one by one, each as a group of its own. */
export function countKept({ kept, sessions }: Countable, range: DayRange): Counts {
  const rows = kept.map(({ loop }) => reviewRecords(loop));
  const reviews = rows.flatMap((one) => one.reviews).filter(({ round, reviewed_at: at }) => round === 1 && isWithin(at, range));
  const issues = rows.flatMap((one) => one.issues).filter((one) => one.counted === 1 && isWithin(one.raised_at ?? '', range));
  const findings = issues.map((issue) => findingCount({ ...issue, count: 1 }));
  return {
    loops: kept.filter(({ loop }) => isWithin(loop.createdAt, range)).map(({ loop }) => loopCount({ ...loopRecord(loop), count: 1 })),
    firstReviews: reviews.map(({ passed }) => ({ passed: passed === 1, count: 1 })),
    findings,
    categoryDays: findings.map(({ category }, index) => ({ day: (issues[index]?.raised_at ?? '').slice(0, 10), category, count: 1 })),
    sessions: sessions
      .filter(({ at }) => isWithin(at, range))
      .map((session) => sessionCount({ ...session, count: 1, timed: session.duration_ms === null ? 0 : 1 })),
    escalations: kept.flatMap(({ entries }) => entries.flatMap((entry) => escalations(entry, range))),
  };
}

function escalations({ at, event }: JournalEntry, range: DayRange): EscalationCount[] {
  const reason = isWithin(at, range) ? escalationIn(event.type, event.type === 'escalated' ? event.reason : null) : null;
  return reason === null ? [] : [{ reason, count: 1 }];
}
