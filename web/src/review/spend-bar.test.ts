import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ceilingShare, segments, spendParts } from './spend-bar.ts';

const turn = (spendUsd: number | null, estimated = false) => ({ startedAt: null, endedAt: null, spendUsd, estimated, transcripts: [] });
const fix = (spendUsd: number | null) => ({
  ...turn(spendUsd),
  agent: 'claude',
  summary: null,
  commits: [],
  resolutions: [],
  sentBack: false,
  fixed: 0,
  disputed: 0,
  needsPerson: 0,
});
const spend = { usd: 2, estimated: false, ceilingUsd: 4, subscriptionUsd: 0 };
const loop = { build: { ...turn(1), agent: 'claude', iterations: 4 }, spend };
const rounds = [
  { round: 1, review: turn(0.5), fix: fix(0.25) },
  { round: 2, review: turn(0.25, true), fix: null },
];

test('each turn is a part of the bar, as wide as its share of the ceiling', () => {
  assert.deepEqual(segments({ loop, rounds }), [
    { turn: 'author', share: 0.25, estimated: false },
    { turn: 'reviewer', share: 0.125, estimated: false },
    { turn: 'author', share: 0.0625, estimated: false },
    { turn: 'reviewer', share: 0.0625, estimated: true },
  ]);
});

test('without a ceiling the bar is all that was spent', () => {
  const [first] = segments({ loop: { ...loop, spend: { ...spend, ceilingUsd: null } }, rounds });
  assert.equal(first?.share, 0.5);
});

test('what nobody measured is not told as nothing', () => {
  assert.deepEqual(spendParts({ loop: { ...loop, build: null }, rounds: [{ round: 1, review: turn(null), fix: null }] }), []);
  assert.deepEqual(spendParts({ loop, rounds }), [
    { what: 'built', usd: 1, estimated: false },
    { what: 'round 1', usd: 0.75, estimated: false },
    { what: 'round 2', usd: 0.25, estimated: true },
  ]);
});

test('a ceiling of nothing has no share', () => {
  assert.equal(ceilingShare({ usd: 1, ceilingUsd: 0 }), null);
  assert.equal(ceilingShare({ usd: 1, ceilingUsd: 4 }), 0.25);
});
