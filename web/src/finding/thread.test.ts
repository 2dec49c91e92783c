import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FindingStep } from '../../../src/core/view.ts';
import { threadOf } from './thread.ts';

function step(minute: number, what: FindingStep['what'], rest: Partial<FindingStep>): FindingStep {
  return {
    seq: minute,
    at: `2026-11-16T08:${minute}:00.000Z`,
    round: 1,
    what,
    status: 'open',
    severity: 'high',
    blocking: true,
    file: null,
    line: null,
    by: [],
    commit: null,
    note: '',
    ...rest,
  };
}

const COMMENT = {
  at: '2026-11-16T08:12:00.000Z',
  by: 'Ann',
  text: 'This one blocks.',
  file: null,
  line: null,
  lineEnd: null,
  findingId: '3.1',
};

test('answers, rulings and comments stand in the order in which they were said', () => {
  const thread = threadOf(
    {
      id: '3.1',
      resolution: { findingId: '3.1', status: 'disputed', note: 'Redacted: see client.ts.', places: [{ file: 'client.ts', line: 88 }] },
      ruling: null,
    },
    {
      history: [
        step(10, 'answered', { by: ['claude'], note: 'fixed: done' }),
        step(14, 'answered', { by: ['claude'], note: 'disputed: Redacted: s…', round: 2 }),
        step(16, 'ruled', { by: ['gemini'], note: 'upheld: it is not' }),
        step(18, 'ruled', { by: ['Ann'], note: 'accepted' }),
      ],
      comments: [COMMENT, { ...COMMENT, findingId: null, text: 'of another' }],
      agents: ['claude', 'gemini'],
    },
  );
  assert.deepEqual(
    thread.map(({ by, is, does, text }) => [by, is, does, text]),
    [
      ['claude', 'fixer', '', 'done'],
      ['Ann', 'person', '', 'This one blocks.'],
      ['claude', 'fixer', 'disputes this', 'Redacted: see client.ts.'],
      ['gemini', 'arbiter', 'upheld this', 'it is not'],
      ['Ann', 'person', 'accepted this', ''],
    ],
  );
  assert.deepEqual(thread[2]?.places, [{ file: 'client.ts', line: 88 }]);
});

test('before its history is known, a finding tells the last answer and the last ruling', () => {
  const thread = threadOf(
    {
      id: '3.1',
      resolution: { findingId: '3.1', status: 'needs_person', note: 'No exact fix.', places: [] },
      ruling: { ruling: 'refuted', by: 'Ann', person: true, note: 'Wrong.', from: null, remembered: false },
    },
    { history: [], comments: [], agents: [] },
  );
  assert.deepEqual(
    thread.map(({ does, text }) => [does, text]),
    [
      ['leaves this to a person', 'No exact fix.'],
      ['refuted this', 'Wrong.'],
    ],
  );
});
