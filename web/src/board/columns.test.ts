import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopState } from '../../../src/core/loop-state.ts';
import { FINISHED, OPEN, rallyEnd, standingOf } from './columns.ts';

const loop = { needsYou: false, landed: false, driven: true, phase: 'review' };

test('every state has a column and a word', () => {
  for (const state of LoopState.options) assert.notEqual(standingOf({ ...loop, state }).word, '', state);
  assert.equal(OPEN.length + FINISHED.length, LoopState.options.length);
});

test('whatever waits for a person is in the first column', () => {
  assert.deepEqual(standingOf({ ...loop, state: 'self_review_failed', needsYou: true }), {
    column: 'you',
    turn: 'you',
    word: 'Changes requested',
  });
});

test('what failed stays red although it waits for a person', () => {
  const standing = standingOf({ ...loop, state: 'failed', needsYou: true });
  assert.deepEqual([standing.column, standing.turn], ['you', 'failed']);
});

test('an approved loop whose work was taken is landed', () => {
  assert.equal(standingOf({ ...loop, state: 'approved', landed: true }).word, 'Landed');
});

test('a state of a newer server is shown under its own name', () => {
  assert.equal(standingOf({ ...loop, state: 'being_polished' }).word, 'being polished');
});

test('the line runs into whoever is at work, and waits where nobody drives it', () => {
  assert.equal(rallyEnd({ ...loop, state: 'implementing' }), 'live-author');
  assert.equal(rallyEnd({ ...loop, state: 'self_reviewing' }), 'live-review');
  assert.equal(rallyEnd({ ...loop, state: 'refining' }), 'live-fix');
  assert.equal(rallyEnd({ ...loop, state: 'refining', driven: false }), 'wait');
  assert.equal(rallyEnd({ ...loop, state: 'needs_human', needsYou: true }), 'you');
  assert.equal(rallyEnd({ ...loop, state: 'approved' }), 'ok');
  assert.equal(rallyEnd({ ...loop, state: 'cancelled' }), null);
});
