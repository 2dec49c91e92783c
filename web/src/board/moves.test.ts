import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Card } from '../../../src/core/card.ts';
import { isGrave } from '../decide/deed.ts';
import { dropWords, movesOf, movesTo, offersOf } from './moves.ts';

const none: Card = {
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
const asked: Card = {
  ...none,
  choices: [
    { choice: 'one-more-round', label: 'One more round', text: 'Continue with 1 more review round', needs: null },
    { choice: 'accept', label: 'Accept…', text: 'Accept the findings and go on', needs: null },
    { choice: 'cancel', label: 'Cancel…', text: 'Cancel the loop', needs: null },
  ],
  overrides: ['cancel', 'takeover', 'verdict'],
};

test('a loop about which nothing more is known cannot be moved', () => {
  assert.deepEqual(movesOf({ state: 'refining', rounds: 1, card: null }), []);
});

test('what is asked comes first, and nothing is offered twice', () => {
  const moves = movesOf({ state: 'needs_human', rounds: 3, card: asked });
  assert.deepEqual(
    moves.map(({ label, to }) => [label, to]),
    [
      ['One more round', 'review'],
      ['Accept…', 'done'],
      ['Cancel…', 'done'],
      ['Take over', 'you'],
    ],
  );
});

test('what cannot be undone is asked about', () => {
  const moves = movesOf({ state: 'needs_human', rounds: 3, card: asked });
  assert.deepEqual(
    moves.filter(({ deed }) => isGrave(deed)).map(({ label }) => label),
    ['Accept…', 'Cancel…'],
  );
});

test('a build that is tried again goes back to where it is built', () => {
  const [move] = movesOf({ state: 'failed', rounds: 0, card: { ...none, overrides: ['retry'] } });
  assert.equal(move?.to, 'building');
});

test('what rests unreviewed can be moved into review', () => {
  const [move] = movesOf({ state: 'pending_self_review', rounds: 0, card: { ...none, review: 'order' } });
  assert.deepEqual([move?.to, move?.deed.kind], ['review', 'review']);
});

test('what is not built yet stays where it is when its review is wished for', () => {
  const moves = movesOf({ state: 'queued', rounds: 0, card: { ...none, review: 'edit', overrides: ['cancel'] } });
  assert.deepEqual(
    moves.map(({ label, to }) => [label, to]),
    [
      ['Review it when built', null],
      ['Cancel…', 'done'],
    ],
  );
  assert.deepEqual(movesTo(moves, 'review', 'building'), []);
});

test('a review that comes later does not go on with what waits for somebody', () => {
  const card: Card = { ...none, review: 'edit', overrides: ['retry'] };
  assert.deepEqual(
    offersOf({ state: 'implementing', rounds: 0, card }).map(({ label }) => label),
    ['Retry'],
  );
});

test('a drop is named by its best move and how many others there are', () => {
  const moves = movesOf({ state: 'needs_human', rounds: 3, card: asked });
  assert.equal(dropWords(moves), 'One more round or 3 more');
  assert.equal(dropWords(moves.slice(1, 2)), 'Accept');
});

test('what is approved or ready offers to be landed before anything else', () => {
  const card: Card = { ...none, canLand: true, review: 'order', overrides: ['retry'] };
  assert.deepEqual(
    offersOf({ state: 'ready_for_human_review', rounds: 1, card }).map(({ label, to }) => [label, to]),
    [
      ['Land it…', 'done'],
      ['Review it', 'review'],
      ['Retry', 'review'],
    ],
  );
});

test('skipping a review and marking ready lead to a person', () => {
  const moves = movesOf({ state: 'refining', rounds: 1, card: { ...none, overrides: ['skip', 'ready'] } });
  assert.deepEqual(
    moves.map(({ to }) => to),
    ['you', 'you'],
  );
});

test('a column shows what leads into it, and never where a card is already', () => {
  const moves = movesOf({ state: 'needs_human', rounds: 3, card: asked });
  assert.deepEqual(
    movesTo(moves, 'done', 'you').map(({ label }) => label),
    ['Accept…', 'Cancel…'],
  );
  assert.deepEqual(movesTo(moves, 'you', 'you'), []);
});

test('what failed offers to be tried again, and what is taken over to be handed back', () => {
  const labels = (overrides: Card['overrides']): string[] =>
    offersOf({ state: 'failed', rounds: 1, card: { ...none, overrides } }).map(({ label }) => label);
  assert.deepEqual(labels(['retry', 'cancel', 'takeover']), ['Retry']);
  assert.deepEqual(labels(['handback', 'cancel']), ['Hand back']);
  assert.deepEqual(labels(['takeover', 'cancel']), ['Take over']);
});
