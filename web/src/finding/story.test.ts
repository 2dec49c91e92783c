import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FindingStep } from '../../../src/core/view.ts';
import { storyLine, storyOf } from './story.ts';

const FINDING = { provenance: 'original' as const, status: 'open' as const, firstRound: 1, raisedBy: ['codex'], blocking: true };

function step(seq: number, what: FindingStep['what'], rest: Partial<FindingStep> = {}): FindingStep {
  return {
    seq,
    at: '2026-11-16T08:00:00.000Z',
    round: 1,
    what,
    status: 'open',
    severity: 'high',
    blocking: true,
    file: 'a.ts',
    line: 1,
    by: [],
    commit: null,
    note: '',
    ...rest,
  };
}

const words = (story: ReturnType<typeof storyOf>): string => story.steps.map(({ verb, rest }) => `${verb} ${rest}`.trim()).join(' → ');

const REOPENED = [
  step(5, 'raised', { by: ['codex'] }),
  step(7, 'answered', { by: ['claude'], commit: 'b7d02aa9f00', note: 'fixed: done' }),
  step(11, 'status', { round: 2, status: 'fixed' }),
  step(15, 'raised-again', { round: 3, status: 'reopened', by: ['gemini'] }),
  step(15, 'status', { round: 3, status: 'reopened' }),
];

test('a finding that was fixed and came back tells its rounds and its commit, and ends with whoever is asked', () => {
  const story = storyOf({ ...FINDING, status: 'reopened' }, REOPENED, true);
  assert.equal(words(story), 'Raised in round 1 by codex → fixed in b7d02aa → reopened in round 3');
  assert.deepEqual(story.beats, ['asked', 'answered', 'settled', 'asked', 'you']);
});

test('a dispute waits for a person where one is asked', () => {
  const history = [
    step(5, 'raised'),
    step(7, 'answered', { by: ['claude'], status: 'disputed', note: 'disputed: no' }),
    step(7, 'status', { status: 'disputed' }),
  ];
  const story = storyOf({ ...FINDING, provenance: 'late', status: 'disputed', firstRound: 2 }, history, true);
  assert.equal(words(story), 'Raised in round 1 on unchanged lines → disputed by claude → waits for a person');
  assert.deepEqual(story.beats, ['asked', 'answered', 'you']);
});

test('what a fix made says on which lines', () => {
  const story = storyOf(
    { ...FINDING, provenance: 'fix-induced', blocking: false },
    [step(9, 'raised', { round: 3, commit: '9c41e7a0000' })],
    true,
  );
  assert.equal(words(story), 'New in round 3, on lines that 9c41e7a changed');
  assert.deepEqual(story.beats, ['asked']);
});

test('an answer that no review has confirmed is no fix', () => {
  const answered = REOPENED.slice(0, 2);
  assert.equal(words(storyOf(FINDING, answered, false)), 'Raised in round 1 by codex → answered in b7d02aa');
  const persists = [...answered, step(11, 'raised-again', { round: 2, status: 'persisting' })];
  assert.equal(
    words(storyOf({ ...FINDING, status: 'persisting' }, persists, false)),
    'Raised in round 1 by codex → answered in b7d02aa → persists in round 2',
  );
});

test('rulings are told with who ruled, and a settled finding in one line', () => {
  const history = [
    step(5, 'raised'),
    step(8, 'ruled', { status: 'refuted', by: ['Ann'], note: 'refuted: it is tested' }),
    step(8, 'status', { status: 'refuted' }),
  ];
  const story = storyOf({ ...FINDING, status: 'refuted', blocking: false }, history, true);
  assert.equal(storyLine(story), 'raised in round 1, refuted by Ann');
  assert.deepEqual(story.beats, ['asked', 'settled']);
});

test('before its history is known, a finding tells when it was raised', () => {
  assert.equal(words(storyOf(FINDING, [], false)), 'Raised in round 1 by codex');
});
