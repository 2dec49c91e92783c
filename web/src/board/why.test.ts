import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Card } from '../../../src/core/card.ts';
import { whyBeyond } from './why.ts';

const CARD: Card = {
  seq: 9,
  author: 'claude',
  fixer: 'claude',
  reviewers: ['codex'],
  turns: [],
  gates: [],
  dependsOn: [],
  now: null,
  asks: null,
  question: null,
  restsSince: null,
  stake: null,
  choices: [],
  raiseToUsd: null,
  overrides: [],
  canLand: false,
  review: 'refused',
};

function beyond(question: string | null, why: string | null): string | null {
  return whyBeyond({ why, card: { ...CARD, question } });
}

test('the finding that is in the way is said, without how many there are', () => {
  assert.equal(
    beyond(
      'Two findings still block after round 3. One more round, or yours?',
      'after 3 review rounds 2 blocking findings remain, among them 16.2: A crash locks this key for 24 hours.',
    ),
    'A crash locks this key for 24 hours.',
  );
});

test('what the question quotes is not said again, and what comes behind it is', () => {
  const question = 'The fixer asks: Should refunds share the key space?';
  assert.equal(
    beyond(question, 'the fixer asks about 12.1: Should refunds share the key space? If they do, one key names both.'),
    'If they do, one key names both.',
  );
  assert.equal(beyond(question, 'the fixer asks about 12.1: Should refunds share the key space?'), null);
});

test('what says the question in other words is left out', () => {
  assert.equal(beyond('The gate test is still red after three fixes. Try again?', 'test failed after 3 fix(es)'), null);
  assert.equal(beyond('This loop has used its $2.00. Let it finish round 2?', '$2.00 of $2.00 are spent'), null);
  assert.equal(beyond('It is built and nobody has reviewed it. Have it reviewed?', 'implemented, not reviewed'), null);
});

test('what broke is said', () => {
  assert.equal(
    beyond('Something broke, and nothing was lost. Try again?', 'the gate could not be started: too many files are open'),
    'The gate could not be started: too many files are open',
  );
});

test('why a loop asks stands for a question that is missing, and is not said twice', () => {
  assert.equal(beyond(null, 'the forge does not answer at all'), null);
  assert.equal(beyond('Try again?', null), null);
});
