import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EscalationReason } from './action.ts';
import { Analytics } from './analytics-output.ts';
import { analyticsOf } from './analytics.ts';
import { isWithin, NOTHING_COUNTED } from './counts.ts';
import type { Counts } from './counts.ts';
import { Category, FindingSource, FindingStatus, Severity } from './finding.ts';
import { LoopState } from './loop-state.ts';
import { Role } from './settings.ts';

const EVER = { from: null, to: null };
const count = fc.integer({ min: 1, max: 50 });
const usd = fc.constantFrom(0, 0.25, 1.5, 1e308);
const day = fc.constantFrom('2026-01-28', '2026-01-29', '2026-01-30');
const agent = fc.constantFrom('alpha', 'beta', 'gamma');
const tokens = fc.constantFrom(null, 0, 1000, 1e300);

const counts: fc.Arbitrary<Counts> = fc.record({
  loops: fc.array(
    fc.record({
      state: fc.constantFrom(...LoopState.options),
      approvedBy: fc.constantFrom('review', 'person', null),
      rounds: fc.integer({ min: 0, max: 5 }),
      landed: fc.boolean(),
      count,
    }),
  ),
  firstReviews: fc.array(fc.record({ passed: fc.boolean(), count })),
  findings: fc.array(
    fc.record({
      category: fc.constantFrom(...Category.options),
      severity: fc.constantFrom(...Severity.options),
      source: fc.constantFrom(...FindingSource.options),
      status: fc.constantFrom(...FindingStatus.options),
      raisedBy: fc.uniqueArray(agent, { minLength: 1 }),
      count,
    }),
  ),
  categoryDays: fc.array(fc.record({ day, category: fc.constantFrom(...Category.options), count })),
  sessions: fc.array(
    fc.record({
      day,
      agent,
      role: fc.constantFrom(...Role.options),
      model: fc.constantFrom('large', null),
      estimated: fc.boolean(),
      outcome: fc.constantFrom('verdict', 'no-verdict', null),
      count,
      timed: fc.integer({ min: 0, max: 1 }),
      usd,
      subscriptionUsd: usd,
      inputTokens: tokens,
      outputTokens: tokens,
      durationMs: fc.constantFrom(null, 0, 60_000),
    }),
  ),
  escalations: fc.array(fc.record({ reason: fc.constantFrom(...EscalationReason.options), count })),
});

function total(some: readonly { readonly count: number }[]): number {
  return some.reduce((sum, one) => sum + one.count, 0);
}

test('whatever was counted, the numbers fit what programs are promised, and their parts make up the whole', () => {
  fc.assert(
    fc.property(counts, (given) => {
      const numbers = analyticsOf(given, EVER);
      assert.deepEqual(Analytics.parse(JSON.parse(JSON.stringify(numbers))), numbers);
      const { loops, findings, escalations, sessions, spend } = numbers;
      assert.equal(total(loops.byState), loops.total);
      assert.equal(total(loops.byRounds), loops.total);
      assert.equal(total(findings.byCategory), findings.total);
      assert.equal(total(findings.bySeverity), findings.total);
      assert.equal(findings.fixed + findings.refuted + findings.accepted + findings.open, findings.total);
      assert.equal(total(escalations), total(given.escalations));
      assert.equal(total(sessions.perRole), sessions.total);
      assert.equal(
        spend.perAgent.reduce((sum, one) => sum + one.sessions, 0),
        sessions.total,
      );
      const days = spend.perDay.map((one) => one.day);
      assert.deepEqual(days, days.toSorted());
    }),
    { numRuns: 300 },
  );
});

test('in what order groups were counted makes no difference', () => {
  fc.assert(
    fc.property(counts, (given) => {
      const exact = { ...given, sessions: given.sessions.filter((one) => one.usd < 2 && one.subscriptionUsd < 2) };
      const turned = Object.fromEntries(Object.entries(exact).map(([name, some]) => [name, some.toReversed()])) as unknown as Counts;
      assert.deepEqual(analyticsOf(turned, EVER), analyticsOf(exact, EVER));
    }),
    { numRuns: 200 },
  );
});

test('time is saved only by what agents found and fixed', () => {
  const finding = { category: 'logic', raisedBy: ['beta'], count: 1 } as const;
  const findings: Counts['findings'] = [
    { ...finding, severity: 'critical', source: 'reviewer', status: 'fixed' },
    { ...finding, severity: 'low', source: 'engine', status: 'fixed' },
    { ...finding, severity: 'high', source: 'person', status: 'fixed' },
    { ...finding, severity: 'high', source: 'gate', status: 'fixed' },
    { ...finding, severity: 'high', source: 'reviewer', status: 'refuted' },
    { ...finding, severity: 'high', source: 'reviewer', status: 'open' },
  ];
  const { minutes, findings: fixed } = analyticsOf({ ...NOTHING_COUNTED, findings }, EVER).timeSaved;
  assert.deepEqual([minutes, fixed], [35, 2]);
});

test('a day holds its first and its last moment, and nothing of the next', () => {
  const range = { from: '2026-01-29', to: '2026-01-29' };
  const inside = ['2026-01-29T00:00:00.000Z', '2026-01-29T23:59:59.999Z'];
  const outside = ['2026-01-28T23:59:59.999Z', '2026-01-30T00:00:00.000Z'];
  assert.deepEqual(
    [...inside, ...outside].filter((at) => isWithin(at, range)),
    inside,
  );
});
