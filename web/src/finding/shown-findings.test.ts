import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FindingOutput } from '../../../src/core/output.ts';
import { NO_FILTER, filterChoices, groupFindings, neighbour, shownFindings } from './shown-findings.ts';

function finding(number: number, given: Partial<FindingOutput> = {}): FindingOutput {
  return {
    type: 'finding',
    v: 1,
    id: `3.${number}`,
    status: 'open',
    provenance: 'original',
    source: 'reviewer',
    severity: 'high',
    category: 'logic',
    file: 'a.ts',
    line: 1,
    lineEnd: null,
    description: 'It is wrong.',
    impact: null,
    suggestion: null,
    applicable: false,
    blocking: true,
    firstRound: 1,
    lastRound: 1,
    anchor: 'exact',
    movedFrom: null,
    snippet: null,
    also: [],
    resolution: null,
    ruling: null,
    raisedBy: ['codex'],
    flags: [],
    ...given,
  };
}

const ids = (findings: readonly FindingOutput[]): string => findings.map(({ id }) => id.slice(2)).join(' ');

const SOME = [
  finding(1, { file: 'b.ts', line: 9 }),
  finding(2, { file: 'b.ts', line: 2, status: 'fixed', blocking: false }),
  finding(3, { file: 'a.ts', line: 40, severity: 'low', blocking: false, raisedBy: ['gemini'], firstRound: 2, lastRound: 3 }),
  finding(4, { file: null, line: null, category: 'testing' }),
  finding(5, { file: 'gone.ts', line: 1, severity: 'suggestion', blocking: false }),
  finding(6, { file: 'a.ts', line: null, severity: 'critical' }),
];

test('findings come in the order of the diff: the whole change, its files by their lines, then files that it does not have', () => {
  assert.equal(ids(shownFindings(SOME, { ...NO_FILTER, showing: 'all' }, ['b.ts', 'a.ts'])), '4 2 1 6 3 5');
});

test('settled findings are shown only among all', () => {
  assert.equal(ids(shownFindings(SOME, NO_FILTER, ['b.ts', 'a.ts'])), '4 1 6 3 5');
});

test('a filter lets through what it names, each kind by itself', () => {
  const shown = (given: Partial<typeof NO_FILTER>): string => ids(shownFindings(SOME, { ...NO_FILTER, ...given }, ['b.ts', 'a.ts']));
  assert.equal(shown({ severities: ['low', 'critical'] }), '6 3');
  assert.equal(shown({ reviewers: ['gemini'] }), '3');
  assert.equal(shown({ categories: ['testing'] }), '4');
  assert.equal(shown({ rounds: [2] }), '3');
  assert.equal(shown({ rounds: [1], severities: ['low'] }), '');
});

test('groups go from the worst on, and in each what blocks comes first and what is settled last', () => {
  const groups = groupFindings([...SOME, finding(7, { blocking: false })]);
  assert.deepEqual(
    groups.map(({ severity, findings, blocking }) => `${severity} ${blocking}: ${ids(findings)}`),
    ['critical 1: 6', 'high 2: 1 4 7 2', 'low 0: 3', 'suggestion 0: 5'],
  );
});

test('choices are counted among what is open or among all', () => {
  const open = filterChoices(SOME, { showing: 'open' });
  assert.deepEqual([open.open, open.all, open.nits], [5, 6, 1]);
  assert.deepEqual(
    [...open.severities],
    [
      ['critical', 1],
      ['high', 2],
      ['low', 1],
      ['suggestion', 1],
    ],
  );
  assert.deepEqual(
    [...open.rounds],
    [
      [1, 4],
      [2, 1],
      [3, 1],
    ],
  );
  assert.equal(filterChoices(SOME, { showing: 'all' }).severities.get('high'), 3);
});

test('next and previous go round, and begin at an end where none is current', () => {
  const shown = [finding(1), finding(2), finding(3)];
  assert.equal(neighbour(shown, 1, 1)?.id, '3.2');
  assert.equal(neighbour(shown, 3, 1)?.id, '3.1');
  assert.equal(neighbour(shown, 1, -1)?.id, '3.3');
  assert.equal(neighbour(shown, null, 1)?.id, '3.1');
  assert.equal(neighbour(shown, 99, -1)?.id, '3.3');
  assert.equal(neighbour([], 1, 1), undefined);
});
