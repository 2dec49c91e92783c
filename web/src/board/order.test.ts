import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { aCard } from '../review/example.ts';
import { matches } from './filter.ts';
import { byColumn, byRun, doneTodayWords, facts, waitingForYou } from './order.ts';

function loop(id: number, given: Partial<ListedLoop> = {}): ListedLoop {
  return {
    id,
    uid: `u${id}`,
    title: `Task ${id}`,
    kind: 'implement',
    group: null,
    state: 'refining',
    needsYou: false,
    driven: false,
    wantsWork: false,
    waiting: null,
    waitingUntil: null,
    escalation: null,
    choices: [],
    why: null,
    next: null,
    rounds: 1,
    maxRounds: 3,
    blocking: 0,
    trend: null,
    finalVerdict: null,
    approvedBy: null,
    approver: null,
    phase: null,
    agent: null,
    phaseStartedAt: null,
    spendUsd: 0,
    spendEstimated: false,
    ceilingUsd: null,
    landed: false,
    branch: `volley/${id}`,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: `2026-01-02T00:00:0${id}Z`,
    card: null,
    ...given,
  };
}

const ids = (loops: readonly ListedLoop[]): number[] => loops.map(({ id }) => id);

test('the oldest question comes first', () => {
  const loops = [
    loop(1, { needsYou: true, updatedAt: '2026-01-05T00:00:00Z' }),
    loop(2, { needsYou: true, updatedAt: '2026-01-03T00:00:00Z' }),
    loop(3),
  ];
  assert.deepEqual(ids(waitingForYou(loops)), [2, 1]);
  assert.deepEqual(ids(byColumn(loops).you), [2, 1]);
});

test('a comment makes no question new', () => {
  const asked = loop(1, { needsYou: true, updatedAt: '2026-01-09T00:00:00Z', card: { ...aCard, restsSince: '2026-01-02T00:00:00Z' } });
  const younger = loop(2, { needsYou: true, updatedAt: '2026-01-03T00:00:00Z', card: { ...aCard, restsSince: '2026-01-03T00:00:00Z' } });
  assert.deepEqual(ids(waitingForYou([younger, asked])), [1, 2]);
});

test('a card at work keeps its place whatever happens to it', () => {
  const before = byColumn([loop(1), loop(2)]).review;
  const after = byColumn([loop(1, { updatedAt: '2026-01-09T00:00:00Z' }), loop(2)]).review;
  assert.deepEqual(ids(before), ids(after));
});

test('what ended last is the first that is done', () => {
  const done = byColumn([loop(1, { state: 'approved' }), loop(2, { state: 'merged' })]).done;
  assert.deepEqual(ids(done), [2, 1]);
});

test('runs are told apart, and what belongs to none comes last', () => {
  const runs = byRun([loop(1), loop(2, { group: 'a' }), loop(3, { group: 'b', needsYou: true }), loop(4, { group: 'a', state: 'merged' })]);
  assert.deepEqual(
    runs.map(({ name, loops, done, needYou }) => [name, ids(loops), done, needYou]),
    [
      ['a', [2, 4], 1, 0],
      ['b', [3], 0, 1],
      [null, [1], 0, 0],
    ],
  );
});

test('the bar counts who works, what waits for its turn, and what ended today', () => {
  const loops = [
    loop(1, { driven: true, phase: 'review' }),
    loop(2, { state: 'queued' }),
    loop(3, { state: 'merged', updatedAt: '2026-01-04T10:00:00Z' }),
    loop(4, { state: 'merged' }),
  ];
  assert.deepEqual(facts(loops, '2026-01-04T00:00:00.000Z'), { working: 1, queued: 1, doneToday: 1 });
});

test('a filter looks for each of its words, in whatever a card says', () => {
  const one = loop(7, { title: 'Stream settlement exports', group: 'October', agent: 'codex' });
  assert.ok(matches(one, ''));
  assert.ok(matches(one, 'SETTLE codex'));
  assert.ok(matches(one, '#7 october refining'));
  assert.ok(!matches(one, 'settlement gemini'));
});

test('what was done today is a number once something older is there, and at least that before', () => {
  const today = '2026-10-05T00:00:00.000Z';
  assert.equal(doneTodayWords(60, { today, back: '2026-10-05T07:00:00.000Z' }), '60+');
  assert.equal(doneTodayWords(60, { today, back: '2026-10-04T07:00:00.000Z' }), '60');
  assert.equal(doneTodayWords(3, { today, back: null }), '3');
});
