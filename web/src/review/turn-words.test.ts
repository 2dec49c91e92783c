import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCard as card, aLoop as loop, aRound } from './example.ts';
import { turnWords } from './turn-words.ts';

const at = '2026-01-01T00:00:00.000Z';
const round = aRound({});

const phase = (what: string) => ({ do: what, agents: ['codex'], startedAt: at, why: 'round 1 of 3 is due' });

test('the words of a review at work name its round', () => {
  const { state, turn, title } = turnWords(loop({ phase: phase('review') }), null);
  assert.equal(state, 'Round 1/3 — Reviewing…');
  assert.equal(turn, 'reviewer');
  assert.equal(title, 'codex is reading the change');
});

test('a later review checks the answers to the one before', () => {
  const turns = [
    { kind: 'review' as const, round: 1, count: 6 },
    { kind: 'fix' as const, round: 1, count: 6 },
  ];
  const words = turnWords(loop({ phase: phase('review'), rounds: [round], card: { ...card, turns } }), null);
  assert.equal(words.state, 'Round 2/3 — Reviewing…');
  assert.equal(words.title, 'codex is checking the six answers');
});

test('a fix at work is the author addressing feedback', () => {
  const words = turnWords(loop({ phase: phase('fix'), rounds: [round], card: { ...card, now: 'claude answers 1 finding' } }), null);
  assert.equal(words.state, 'Round 1/3 — Author addressing feedback…');
  assert.equal(words.title, 'claude answers 1 finding');
  assert.equal(words.turn, 'author');
});

test('between a fix and the next review it is re-requested', () => {
  assert.equal(turnWords(loop({ phase: phase('gates'), rounds: [round] }), null).state, 'Round 2/3 — Re-requesting review…');
  assert.equal(turnWords(loop({ state: 'refining', rounds: [round], head: 'h' }), null).state, 'Round 2/3 — Re-requesting review…');
});

test('a question counts from when it was asked, not from the last word about it', () => {
  const asked = { ...card, question: 'One more round?', restsSince: '2025-12-31T00:00:00.000Z' };
  assert.equal(turnWords(loop({ card: asked }), null).since, '2025-12-31T00:00:00.000Z');
});

test('the last round without an approval needs a person, in yellow', () => {
  const escalation = { reason: 'max-rounds' as const, why: 'three rounds', choices: [] };
  const asked = { ...card, asks: 'Max rounds reached', question: 'Two findings still block. One more round, or yours?' };
  const words = turnWords(loop({ state: 'needs_human', escalation, rounds: [round, round, round], card: asked }), null);
  assert.equal(words.state, 'Max rounds reached — needs human review');
  assert.equal(words.aside, 'round 3/3');
  assert.equal(words.turn, 'you');
});

test('an approval by a person says so', () => {
  const words = turnWords(loop({ state: 'approved', approval: { by: 'person', name: 'Ada', reason: 'behind a flag' } }), 3);
  assert.equal(words.state, 'Approved');
  assert.equal(words.title, 'Ada approved it');
  assert.equal(words.text, 'behind a flag');
});
