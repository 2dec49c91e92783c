import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedFinding } from '../../../src/api/contract/loops.ts';
import type { FindingStep } from '../../../src/core/view.ts';
import { aFinding, aFix, aRound } from './example.ts';
import { commentsAt, findingsAt } from './findings-at.ts';

const head = (commit: string): { commit: string; tree: string } => ({ commit, tree: 't' });
const rounds = [
  aRound({ round: 1, head: head('c1'), fix: aFix({ commits: ['c2'], endedAt: '2026-01-02T00:00:00.000Z' }) }),
  aRound({ round: 2, head: head('c2'), fix: aFix({ commits: ['c3'], endedAt: '2026-01-03T00:00:00.000Z' }) }),
  aRound({ round: 3, head: head('c3'), fix: aFix({ commits: ['c4'], endedAt: '2026-01-04T00:00:00.000Z' }) }),
];
const lived = { rounds, loop: { base: 'b0', start: head('b1') } };

const step = (more: Partial<FindingStep>): FindingStep => ({
  seq: 1,
  at: '2026-01-01T00:00:00.000Z',
  round: 1,
  what: 'raised',
  status: 'open',
  severity: 'high',
  blocking: true,
  file: 'a.ts',
  line: 10,
  by: ['codex'],
  commit: 'c1',
  note: '',
  ...more,
});

const persisting: ListedFinding = aFinding({
  id: '1.1',
  status: 'fixed',
  blocking: false,
  line: 31,
  lineEnd: 33,
  lastRound: 2,
  snippet: 'x',
  history: [
    step({}),
    step({ seq: 2, what: 'answered', commit: 'c2', note: 'fixed: done' }),
    step({ seq: 3, round: 2, what: 'raised-again', commit: 'c2', line: 20, status: 'persisting', severity: 'critical' }),
    step({ seq: 4, round: 3, what: 'status', commit: 'c3', line: 31, status: 'fixed', blocking: false }),
  ],
});
const late = aFinding({ id: '1.2', line: 5, history: [step({ seq: 4, round: 3, commit: 'c3', line: 5 })] });

test('a finding has the line, the severity and the status that it had at the commit', () => {
  const [first] = findingsAt([persisting], 'c1', lived).findings;
  assert.deepEqual([first?.line, first?.lineEnd, first?.anchor, first?.status, first?.severity], [10, null, 'exact', 'open', 'high']);
  const [second] = findingsAt([persisting], 'c2', lived).findings;
  assert.deepEqual([second?.line, second?.status, second?.severity, second?.blocking], [20, 'persisting', 'critical', true]);
  assert.equal(second?.history?.length, 3);
});

test('what was raised later is not there, and is counted', () => {
  const { findings, later } = findingsAt([persisting, late], 'c1', lived);
  assert.deepEqual(
    findings.map(({ id }) => id),
    ['1.1'],
  );
  assert.equal(later, 1);
});

test('where nobody knows the line at the commit a finding has none', () => {
  const open = aFinding({ line: 12, history: [step({})] });
  const [then] = findingsAt([open], 'c2', lived).findings;
  assert.deepEqual([then?.file, then?.line, then?.anchor], ['a.ts', null, 'unplaced']);
  const [unheard] = findingsAt([open], 'elsewhere', lived).findings;
  assert.equal(unheard?.line, null);
});

test('what the last review saw has the lines to which it followed them', () => {
  const [then] = findingsAt([persisting], 'c3', lived).findings;
  assert.deepEqual([then?.line, then?.lineEnd, then?.status], [31, 33, 'fixed']);
});

test('the words of a later raise, answer or ruling are not told of an earlier round', () => {
  const resolution = { findingId: '1.1', status: 'fixed' as const, note: 'done', places: [] };
  const [then] = findingsAt([{ ...persisting, resolution }], 'c1', lived).findings;
  assert.deepEqual([then?.resolution, then?.snippet, then?.lastRound], [null, null, 1]);
});

test('comments stand at their lines only in the commit that they were written about', () => {
  const comment = { by: 'me', text: 'hm', file: 'a.ts', line: 4, lineEnd: null, findingId: null };
  const early = { ...comment, at: '2026-01-01T12:00:00.000Z' };
  const after = { ...comment, at: '2026-01-02T12:00:00.000Z' };
  const answer = { ...comment, at: '2026-01-05T00:00:00.000Z', findingId: '1.1' };
  assert.deepEqual(
    commentsAt([early, after, answer], 'c1', lived).map(({ line }) => line),
    [4, 4],
  );
  assert.deepEqual(
    commentsAt([early, after], 'c2', lived).map(({ line }) => line),
    [null, 4],
  );
});

test('what comes before all rounds has neither findings nor comments, unless a round reviewed it', () => {
  const early = { by: 'me', text: 'hm', file: 'a.ts', line: 4, lineEnd: null, findingId: null, at: '2026-01-01T12:00:00.000Z' };
  for (const commit of ['b0', 'b1']) {
    assert.deepEqual(findingsAt([persisting, aFinding({})], commit, lived), { findings: [], later: 2 });
    assert.deepEqual(commentsAt([early], commit, lived), []);
  }
  const found = findingsAt([persisting], 'c1', { rounds, loop: { base: 'b0', start: head('c1') } });
  assert.equal(found.findings.length, 1);
});
