import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyticsOf } from '../core/analytics.ts';
import type { Analytics } from '../core/analytics-output.ts';
import { NOTHING_COUNTED } from '../core/counts.ts';
import type { Counts, SessionCount } from '../core/counts.ts';
import { textWidth } from './report/text-width.ts';
import { statsLines } from './stats-lines.ts';

const EVER = { from: null, to: null };
const WIDE = { io: { color: false, width: 80 }, days: null };

function session(changes: Partial<SessionCount>): SessionCount {
  return {
    day: '2026-01-29',
    agent: 'codex',
    role: 'reviewer',
    model: null,
    estimated: false,
    outcome: 'verdict',
    count: 1,
    timed: 1,
    usd: 0,
    subscriptionUsd: 0,
    inputTokens: null,
    outputTokens: null,
    durationMs: 60_000,
    ...changes,
  };
}

const finding = { severity: 'high', source: 'reviewer', raisedBy: ['codex'] } as const;

const COUNTS: Counts = {
  loops: [
    { state: 'approved', approvedBy: 'review', rounds: 1, landed: true, count: 6 },
    { state: 'approved', approvedBy: 'review', rounds: 3, landed: false, count: 2 },
    { state: 'approved', approvedBy: 'person', rounds: 3, landed: false, count: 1 },
    { state: 'needs_human', approvedBy: null, rounds: 3, landed: false, count: 2 },
  ],
  firstReviews: [
    { passed: true, count: 6 },
    { passed: false, count: 5 },
  ],
  findings: [
    { ...finding, category: 'logic', status: 'fixed', count: 12 },
    { ...finding, category: 'security', status: 'refuted', count: 3 },
    { ...finding, category: 'testing', status: 'open', count: 1 },
  ],
  categoryDays: [{ day: '2026-01-29', category: 'logic', count: 16 }],
  sessions: [
    session({ count: 18, timed: 18, usd: 4.5, inputTokens: 900_000, outputTokens: 20_000, durationMs: 18 * 90_000 }),
    session({ outcome: 'no-verdict', count: 2, timed: 2 }),
    session({ agent: 'claude', role: 'author', outcome: null, estimated: true, usd: 2.25, count: 11, timed: 0, durationMs: null }),
  ],
  escalations: [
    { reason: 'max-rounds', count: 2 },
    { reason: 'gates-red', count: 1 },
  ],
};

test('a project is told on one screen, from its tasks to what people were asked', () => {
  assert.deepEqual(statsLines(analyticsOf(COUNTS, EVER), WIDE), [
    'So far: 11 tasks',
    '  ✓ 9 approved, 1 of them by a person; 6 landed',
    '  2 needs_human',
    '  1.7 rounds until an approval; 55 % of first reviews passed',
    '',
    '16 findings: 12 fixed, 3 refuted, 1 open',
    `  logic     12  ${'█'.repeat(40)}`,
    `  security   3  ${'█'.repeat(10)}`,
    `  testing    1  ${'█'.repeat(3)}`,
    "  About 4 h 00 m of a person's time saved; assumed: 20 m for a high one",
    '',
    'Reviewers',
    '  codex  20 reviews, 16 findings, 19 % refuted, 10 % without a verdict',
    '',
    '$6.75 spent, $2.25 of it estimated',
    '  31 sessions, 1 m 24 s each, 920 k tokens',
    '  codex $4.50, claude $2.25',
    '',
    'A person was asked 3 times: max-rounds 2, gates-red 1',
  ]);
});

test('a project in which nothing happened says only that', () => {
  const nothing = analyticsOf(NOTHING_COUNTED, EVER);
  assert.deepEqual(statsLines(nothing, WIDE), ['So far: no tasks were started.']);
  assert.deepEqual(statsLines(nothing, { ...WIDE, days: 1 }), ['Today: no tasks were started.']);
  assert.deepEqual(statsLines(nothing, { ...WIDE, days: 30 }), ['Last 30 days: no tasks were started.']);
});

test('no line is wider than a narrow terminal, whatever agents are called', () => {
  const long = {
    ...COUNTS,
    sessions: COUNTS.sessions.map((one) => ({ ...one, agent: `${one.agent}-${'with-a-name-'.repeat(8)}\u001b[2J` })),
  };
  const numbers: Analytics = analyticsOf(long, EVER);
  for (const width of [40, 60, 80]) {
    const lines = statsLines(numbers, { ...WIDE, io: { color: false, width } });
    for (const line of lines) assert.ok(textWidth(line) <= width, `${width}: ${line}`);
    assert.ok(!lines.join('').includes('\u001b'));
  }
});
