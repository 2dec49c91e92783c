import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aLoop, aRound } from './example.ts';
import { historySteps } from './history-steps.ts';

const at = (minute: number): string => new Date(minute * 60_000).toISOString();
const session = {
  agent: 'claude',
  role: 'author' as const,
  startedAt: at(1),
  endedAt: at(2),
  exit: 'completed' as const,
  exitCode: 0,
  usage: null,
  reservedUsd: null,
  costBasis: null,
  transcript: 'task-1-2-author.log',
  model: null,
  billing: null,
  confinement: null,
  network: null,
};
const result = { name: 'test', passed: false, exitCode: 1, timedOut: false, output: '', reran: false, redBefore: false, durationMs: 2000 };

test('what happened is told in its order, each step with where to look', () => {
  const loop = aLoop({
    build: { startedAt: at(1), endedAt: at(2), spendUsd: 0.5, estimated: false, transcripts: [], agent: 'claude', iterations: 1 },
    decisions: [{ at: at(9), by: 'Ada', what: 'one more round', reason: 'nearly there', round: 1 }],
  });
  const review = { startedAt: at(4), endedAt: at(5), spendUsd: null, estimated: false, transcripts: ['task-1-4-reviewer.log'] };
  const rounds = [aRound({ round: 1, at: at(5), review })];
  const reviewer = { ...session, role: 'reviewer' as const, agent: 'codex', transcript: 'task-1-4-reviewer.log' };
  const gates = [{ seq: 3, at: at(3), tree: 't', results: [result] }];
  const steps = historySteps({ loop, rounds, sessions: [session, reviewer], gates });
  assert.deepEqual(
    steps.map(({ title, links }) => [title, links.map(({ label, range, drawer }) => `${label} ${range ?? drawer ?? ''}`).join(', ')]),
    [
      ['Iteration 1', 'Session session:task-1-2-author.log'],
      ['Built in 1 iteration', 'Diff base..round-1'],
      ['Gates red: test', 'Output gates:3'],
      ['Round 1: changes requested', 'Diff base..round-1, Proof proof:1, Session session:task-1-4-reviewer.log'],
      ['Ada: one more round', ''],
    ],
  );
  assert.equal(steps.at(-1)?.text, 'nearly there');
});

test('a review by several agents has a link to each', () => {
  const review = { startedAt: null, endedAt: null, spendUsd: null, estimated: false, transcripts: ['a', 'b', 'c'] };
  const sessions = ['codex', 'codex', 'gemini'].map((agent, index) => ({
    ...session,
    role: 'reviewer' as const,
    agent,
    transcript: 'abc'[index] ?? '',
  }));
  const [step] = historySteps({ loop: aLoop({}), rounds: [aRound({ review })], sessions, gates: [] });
  assert.deepEqual(
    step?.links.slice(2).map(({ label }) => label),
    ['codex 1', 'codex 2', 'gemini'],
  );
});

test('an approval stands at its own time, not at that of the landing or of a comment after it', () => {
  const loop = aLoop({
    state: 'approved',
    ending: { state: 'approved', why: 'nothing blocks' },
    endedAt: at(10),
    landed: { onto: 'main', commit: 'c'.repeat(40), at: at(2000) },
    decisions: [{ at: at(20), by: 'Ada', what: 'a word', reason: 'later', round: 1 }],
    updatedAt: at(3000),
  });
  const steps = historySteps({ loop, rounds: [], sessions: [], gates: [] });
  assert.deepEqual(
    steps.map((step) => [step.title, step.at]),
    [
      ['approved', at(10)],
      ['Ada: a word', at(20)],
      ['Landed on main', at(2000)],
    ],
  );
});

test('what has landed is told also while somebody has taken it over since', () => {
  const loop = aLoop({ landed: { onto: 'main', commit: 'c'.repeat(40), at: at(5) } });
  assert.deepEqual(
    historySteps({ loop, rounds: [], sessions: [], gates: [] }).map(({ title }) => title),
    ['Landed on main'],
  );
});
