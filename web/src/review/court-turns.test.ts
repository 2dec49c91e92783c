import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoundSummary } from '../../../src/core/view.ts';
import { between, courtEnd, courtTurns, raisedWords, turnOf } from './court-turns.ts';
import { aLoop, aRound } from './example.ts';

const build = { startedAt: null, endedAt: null, spendUsd: 0.71, estimated: false, transcripts: [], agent: 'claude', iterations: 4 };
const fix: NonNullable<RoundSummary['fix']> = {
  startedAt: null,
  endedAt: null,
  spendUsd: 0.42,
  estimated: false,
  transcripts: [],
  agent: 'claude',
  summary: null,
  commits: ['b7d02aa'.padEnd(40, '0')],
  resolutions: [],
  sentBack: false,
  fixed: 4,
  disputed: 1,
  needsPerson: 0,
};

test('each turn says who had it and what it came to', () => {
  const rounds = [aRound({ round: 1, findings: 6, blocking: 5, fix }), aRound({ round: 2, findings: 0, blocking: 0, verdict: 'approved' })];
  const turns = courtTurns({ loop: aLoop({ build }), rounds });
  assert.deepEqual(
    turns.map(({ kind, count, word, details }) => [kind, count, word, details.join(' · ')]),
    [
      ['start', 0, 'in 4 iterations', '$0.71'],
      ['review', 5, 'changes requested', 'codex · 6 raised, 5 block'],
      ['fix', 5, '4 fixed, 1 disputed', 'b7d02aa · $0.42'],
      ['review', 0, 'approved', 'codex · nothing found'],
    ],
  );
});

test('a turn shows what it is about, and two show what lies between them', () => {
  const rounds = [aRound({ round: 1, fix }), aRound({ round: 2 })];
  const turns = courtTurns({ loop: aLoop({ build }), rounds });
  const [start, first, answer, second] = turns;
  assert.deepEqual(first?.range, { from: 'base', to: 'round-1' });
  assert.deepEqual(answer?.range, { from: 'round-1', to: 'round-2' });
  assert.ok(start !== undefined && first !== undefined && second !== undefined);
  assert.deepEqual(between(second, first, turns), { from: 'round-1', to: 'round-2' });
  assert.deepEqual(between(start, second, turns), { from: 'base', to: 'round-2' });
});

test('what blocks is no part of what was raised', () => {
  const words = (findings: number, blocking: number): string => raisedWords({ findings, blocking });
  assert.equal(words(1, 2), '1 raised, 2 block in all');
  assert.equal(words(0, 1), 'nothing new, 1 blocks');
  assert.equal(words(3, 0), '3 raised, none blocks');
  assert.equal(words(0, 0), 'nothing found');
});

test('a range is about one turn: the one that was chosen, or the newest', () => {
  const turns = courtTurns({ loop: aLoop({ build }), rounds: [aRound({ round: 1 })] });
  const [start, review] = turns;
  assert.deepEqual(start?.range, review?.range);
  assert.equal(turnOf('base..round-1', turns, null), review);
  assert.equal(turnOf('base..round-1', turns, start?.sentence ?? null), start);
  assert.equal(turnOf(undefined, turns, null), undefined);
});

test('whoever is at work has a turn of their own, to which nothing can be compared', () => {
  const phase = { do: 'review', agents: ['codex'], startedAt: '', why: '' };
  const turns = courtTurns({ loop: aLoop({ phase }), rounds: [aRound({ round: 1, fix })] });
  const last = turns.at(-1);
  assert.equal(last?.sentence, 'Round 2 of 3: codex is reviewing now.');
  assert.equal(last?.point, null);
});

test('the line runs into whoever has the turn', () => {
  assert.equal(courtEnd(aLoop({ phase: { do: 'fix', agents: [], startedAt: '', why: '' } })), 'live-fix');
  assert.equal(courtEnd(aLoop({ needsYou: true })), 'you');
  assert.equal(courtEnd(aLoop({ state: 'failed' })), 'failed');
  assert.equal(courtEnd(aLoop({ approval: { by: 'person', name: 'Ada', reason: null } })), 'ok');
  assert.equal(courtEnd(aLoop({})), 'wait');
});

test('what blocks from an earlier round without being raised again makes no negative number', () => {
  const [, review] = courtTurns({ loop: aLoop({ build }), rounds: [aRound({ round: 2, findings: 1, blocking: 2 })] });
  assert.equal(review?.details.join(' · ').includes('2 block'), true);
  assert.doesNotMatch(`${review?.details.join(' ')} ${review?.sentence}`, /-\d/);
});
