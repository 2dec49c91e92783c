import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { hasMovedOn, isAsLookedAt, offeredNow, standsWords, watchOn } from './moved.ts';

const CHOICES = [{ choice: 'refute', label: 'Refute…', text: 'They no longer count.', needs: null }];

function listed(seq: number, changes: Record<string, unknown> = {}, state = 'needs_human'): ListedLoop {
  const card = {
    seq,
    question: 'Who is right?',
    now: null,
    choices: CHOICES,
    overrides: ['cancel'],
    turns: [],
    raiseToUsd: null,
    author: null,
    canLand: false,
    review: 'refused',
    ...changes,
  };
  // Only what is looked at.
  return { id: 14, state, blocking: 1, rounds: 1, needsYou: state === 'needs_human', landed: false, card } as unknown as ListedLoop;
}

const AT_WORK = listed(17, { question: null, now: 'codex reviews', choices: [] }, 'self_reviewing');

test('a loop moved on where there is something else to decide about, not where its journal only grew', () => {
  assert.equal(hasMovedOn(listed(12), listed(13)), false);
  assert.equal(hasMovedOn(listed(12), AT_WORK), true);
  // Asked the same again, after another round.
  assert.equal(hasMovedOn(listed(12), listed(20, { turns: [{ kind: 'review', round: 1, count: 1 }] })), true);
});

test('a loop that moved on stays so when it asks the same again, until somebody goes on with it', () => {
  const proposal = { seq: 12 };
  const begun = { of: proposal, seen: listed(12), moved: false };
  assert.equal(watchOn(begun, proposal, listed(13)).moved, false);
  const moved = watchOn(begun, proposal, AT_WORK);
  assert.equal(moved.moved, true);
  assert.equal(watchOn(moved, proposal, listed(20)).moved, true);
  assert.deepEqual(watchOn(moved, { seq: 20 }, listed(20)), { of: { seq: 20 }, seen: listed(20), moved: false });
});

test('what is as old as what was looked at, or older, is no news', () => {
  assert.deepEqual(
    [11, 12, 13].map((seq) => isAsLookedAt(listed(seq), { seq: 12 })),
    [true, true, false],
  );
  assert.equal(isAsLookedAt(listed(13), {}), true);
});

test('the same deed is found among what is offered now, with what it is said about', () => {
  const refute = { deed: { kind: 'choice', choice: 'refute', needs: null } } as const;
  // What was an answer may be done at any time as well.
  const cancel = { deed: { kind: 'choice', choice: 'cancel', needs: null } } as const;
  assert.equal(offeredNow(refute, AT_WORK), null);
  assert.deepEqual([offeredNow(refute, listed(20))?.seq, offeredNow(cancel, AT_WORK)?.seq], [20, 17]);
});

test('where a loop stands is said in a word and a sentence', () => {
  assert.equal(standsWords(AT_WORK), 'Reviewing. codex reviews');
  assert.equal(standsWords(listed(12)), 'Needs you. Who is right?');
});
