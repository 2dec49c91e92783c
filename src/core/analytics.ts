import type { Analytics, Spent } from './analytics-output.ts';
import { toldUsd } from './ceilings.ts';
import type { CategoryDay, Counts, DayRange, FindingCount, SessionCount } from './counts.ts';
import { isClosed, Severity } from './finding.ts';
import type { Category } from './finding.ts';

/**
 * What a finding takes a person to find, to explain and to see mended, in minutes. Nobody measured this: it is set low, so that
 * the sum is rather too small.
 */
const MINUTES: Record<Severity, number> = { critical: 30, high: 20, medium: 10, low: 5, suggestion: 2 };

const ASSUMPTION =
  'Each finding of a review that was fixed is counted with the minutes that a person is assumed to take to find, explain and mend it.';

/** The numbers of a project, from what its store has counted. */
export function analyticsOf(counts: Counts, { from, to }: DayRange): Analytics {
  return {
    type: 'analytics',
    v: 1,
    from,
    to,
    loops: loopNumbers(counts.loops),
    firstReview: firstReviewNumbers(counts.firstReviews),
    findings: findingNumbers(counts),
    timeSaved: timeSaved(counts.findings),
    escalations: tally(counts.escalations, ({ reason }) => reason).map(([reason, some]) => ({ reason, count: total(some) })),
    reviewers: reviewerNumbers(counts),
    spend: spendNumbers(counts.sessions),
    tokens: { input: told(counts.sessions, 'inputTokens'), output: told(counts.sessions, 'outputTokens') },
    sessions: sessionNumbers(counts.sessions),
  };
}

type Counted = { readonly count: number };

/** Groups by a key, the largest group first, and those of a size in the order of their keys. */
function tally<T extends Counted, K extends string | number | null>(some: readonly T[], key: (one: T) => K): [K, readonly T[]][] {
  return [...Map.groupBy(some, key)].toSorted(
    ([a, own], [b, others]) => total(others) - total(own) || String(a).localeCompare(String(b), 'en'),
  );
}

function total(some: readonly Counted[]): number {
  return some.reduce((sum, one) => sum + one.count, 0);
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function loopNumbers(loops: Counts['loops']): Analytics['loops'] {
  const approved = loops.filter(({ approvedBy, rounds }) => approvedBy !== null && rounds > 0);
  const rounds = approved.reduce((sum, one) => sum + one.rounds * one.count, 0);
  return {
    total: total(loops),
    byState: tally(loops, ({ state }) => state).map(([state, some]) => ({ state, count: total(some) })),
    approvedByReview: total(loops.filter(({ approvedBy }) => approvedBy === 'review')),
    approvedByPerson: total(loops.filter(({ approvedBy }) => approvedBy === 'person')),
    landed: total(loops.filter(({ landed }) => landed)),
    byRounds: tally(loops, (one) => one.rounds)
      .map(([number, some]) => ({ rounds: number, count: total(some) }))
      .toSorted((a, b) => a.rounds - b.rounds),
    averageRounds: shareOf(rounds, total(approved)),
  };
}

function firstReviewNumbers(reviews: Counts['firstReviews']): Analytics['firstReview'] {
  const [reviewed, passed] = [total(reviews), total(reviews.filter((one) => one.passed))];
  return { reviewed, passed, passRate: shareOf(passed, reviewed) };
}

function findingNumbers({ findings, categoryDays }: Counts): Analytics['findings'] {
  const fromReviewers = findings.filter(({ source }) => source === 'reviewer');
  return {
    ...fates(findings),
    total: total(findings),
    accepted: total(findings.filter(({ status }) => status === 'accepted')),
    open: total(findings.filter((one) => !isClosed(one))),
    falsePositiveRate: shareOf(fates(fromReviewers).refuted, total(fromReviewers)),
    byCategory: tally(findings, ({ category }) => category).map(([category, some]) => ({ category, count: total(some), ...fates(some) })),
    bySeverity: Severity.options.map((severity) => {
      const some = findings.filter((one) => one.severity === severity);
      return { severity, count: total(some), ...fates(some) };
    }),
    perDay: tally(categoryDays, ({ day }) => day)
      .map(([day, some]) => ({ day, count: total(some), byCategory: perCategory(some) }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
  };
}

function fates(some: readonly FindingCount[]): { readonly fixed: number; readonly refuted: number } {
  return {
    fixed: total(some.filter(({ status }) => status === 'fixed')),
    refuted: total(some.filter(({ status }) => status === 'refuted')),
  };
}

function perCategory(some: readonly CategoryDay[]): Record<Category, number> {
  const of = (category: Category): number => total(some.filter((one) => one.category === category));
  return {
    security: of('security'),
    architecture: of('architecture'),
    logic: of('logic'),
    style: of('style'),
    performance: of('performance'),
    testing: of('testing'),
    documentation: of('documentation'),
  };
}

/** What a person raised took a person's time already, and a gate needs nobody to find it. */
function timeSaved(findings: readonly FindingCount[]): Analytics['timeSaved'] {
  const fixed = findings.filter(({ status, source }) => status === 'fixed' && source !== 'person' && source !== 'gate');
  return {
    minutes: fixed.reduce((sum, one) => sum + MINUTES[one.severity] * one.count, 0),
    findings: total(fixed),
    minutesPerFinding: { ...MINUTES },
    assumption: ASSUMPTION,
  };
}

/** A finding that several raised is one of each of them. */
function reviewerNumbers({ findings, sessions }: Counts): Analytics['reviewers'] {
  const asked = sessions.filter(({ role, outcome }) => role === 'reviewer' && outcome !== null);
  const raised = findings.filter(({ source }) => source === 'reviewer');
  return tally(asked, ({ agent }) => agent).map(([agent, some]) => {
    const own = raised.filter(({ raisedBy }) => raisedBy.includes(agent));
    const noVerdict = total(some.filter(({ outcome }) => outcome === 'no-verdict'));
    const { refuted } = fates(own);
    return {
      agent,
      reviews: total(some),
      noVerdict,
      noVerdictShare: shareOf(noVerdict, total(some)),
      findings: total(own),
      refuted,
      refutedShare: shareOf(refuted, total(own)),
    };
  });
}

function spendNumbers(sessions: readonly SessionCount[]): Analytics['spend'] {
  const all = spent(sessions);
  return {
    usd: all.usd,
    measuredUsd: spent(sessions.filter(({ estimated }) => !estimated)).usd,
    estimatedUsd: all.estimatedUsd,
    subscriptionUsd: toldUsd(sumOf(sessions.map(({ subscriptionUsd }) => subscriptionUsd))),
    perDay: tally(sessions, ({ day }) => day)
      .map(([day, some]) => ({ day, ...spent(some) }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    perAgent: dearestFirst(sessions, ({ agent }) => agent).map(([agent, some]) => ({ agent, ...some })),
    perModel: dearestFirst(sessions, ({ model }) => model).map(([model, some]) => ({ model, ...some })),
  };
}

function dearestFirst<K extends string | null>(sessions: readonly SessionCount[], key: (one: SessionCount) => K): [K, Spent][] {
  return tally(sessions, key)
    .map(([name, some]): [K, Spent] => [name, spent(some)])
    .toSorted(([, a], [, b]) => b.usd - a.usd);
}

function spent(sessions: readonly SessionCount[]): Spent {
  const usdOf = (some: readonly SessionCount[]): number => toldUsd(sumOf(some.map((one) => one.usd)));
  return { usd: usdOf(sessions), estimatedUsd: usdOf(sessions.filter((one) => one.estimated)), sessions: total(sessions) };
}

/** Sums of what is huge are not numbers that JSON can hold. */
function sumOf(amounts: readonly number[]): number {
  return Math.min(
    amounts.reduce((all, amount) => all + amount, 0),
    Number.MAX_VALUE,
  );
}

function told(sessions: readonly SessionCount[], what: 'inputTokens' | 'outputTokens'): number {
  return Math.round(Math.min(sumOf(sessions.map((one) => one[what] ?? 0)), Number.MAX_SAFE_INTEGER));
}

function sessionNumbers(sessions: readonly SessionCount[]): Analytics['sessions'] {
  return {
    total: total(sessions),
    averageMs: averageMs(sessions),
    perRole: tally(sessions, ({ role }) => role).map(([role, some]) => ({ role, count: total(some), averageMs: averageMs(some) })),
  };
}

function averageMs(sessions: readonly SessionCount[]): number | null {
  const timed = sessions.reduce((sum, one) => sum + one.timed, 0);
  return shareOf(sumOf(sessions.map(({ durationMs }) => durationMs ?? 0)), timed);
}
