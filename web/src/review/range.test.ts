import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWhole, nextRound, rangeOffers, rangePoints, rangeText, rangeWords, readRange, WHOLE } from './range.ts';

const head = { commit: 'c'.repeat(40), tree: 't' };
const fix = {
  startedAt: null,
  endedAt: null,
  spendUsd: null,
  estimated: false,
  transcripts: [],
  agent: 'claude',
  summary: null,
  commits: ['f'.repeat(40)],
  resolutions: [],
  sentBack: false,
  fixed: 1,
  disputed: 0,
  needsPerson: 0,
};

test('an address without a range means the whole change, and the other way round', () => {
  assert.deepEqual(readRange(undefined), WHOLE);
  assert.equal(rangeText(WHOLE), undefined);
  assert.ok(isWhole(readRange('nonsense')));
});

test('a range survives the address', () => {
  for (const text of ['seen', 'round-1..head', 'base..round-2', `round-1..${'a'.repeat(40)}`])
    assert.equal(rangeText(readRange(text)), text);
});

test('a range is told in words', () => {
  assert.equal(rangeWords(WHOLE), 'the whole change');
  assert.equal(rangeWords(readRange('round-1..head')), 'round 1 to now');
  assert.equal(rangeWords(readRange('base..round-2')), 'the change up to round 2');
  assert.equal(rangeWords(readRange(`round-1..${'ab'.repeat(20)}`)), 'round 1 to abababa');
});

test('the menu offers each fix by itself and from each round to now', () => {
  const offers = rangeOffers(
    [
      { round: 1, head, fix },
      { round: 2, head: { commit: 'd'.repeat(40), tree: 'u' }, fix },
    ],
    'f'.repeat(40),
  );
  assert.deepEqual(
    offers.map(({ label, range }) => [label, rangeText(range)]),
    [
      ['Round 1 to round 2', 'round-1..round-2'],
      ['Round 1 to now', 'round-1..head'],
      ['Round 2 to its fix', `round-2..${'f'.repeat(40)}`],
    ],
  );
});

test('one may look between any two points', () => {
  assert.deepEqual(rangePoints([{ round: 1 }, { round: 2 }]), ['base', 'round-1', 'round-2', 'head']);
});

test('one steps through what each round saw, up to the whole change', () => {
  const rounds = ['a', 'b', 'c'].map((commit, index) => ({ round: index + 1, head: { commit, tree: 't' } }));
  const life = { rounds, head: 'c' };
  assert.deepEqual(nextRound(WHOLE, life, -1), { from: 'base', to: 'round-2' });
  assert.deepEqual(nextRound({ from: 'round-1', to: 'round-2' }, life, -1), { from: 'base', to: 'round-1' });
  assert.equal(nextRound({ from: 'base', to: 'round-1' }, life, -1), null);
  assert.deepEqual(nextRound({ from: 'base', to: 'round-2' }, life, 1), WHOLE);
  assert.equal(nextRound('seen', life, 1), null);
});
