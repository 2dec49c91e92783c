import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { frameSeq, lastSeq, positionUpTo } from './live-seq.ts';

const position = fc.nat(1_000_000_000_000);
const index = fc.nat(7);
const place = fc.tuple(position, index);

test('frames are numbered in the order of their entries, and within one in its own', () => {
  fc.assert(
    fc.property(place, place, (one, other) => {
      const isBefore = one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
      assert.equal(frameSeq(...one) < frameSeq(...other), isBefore);
    }),
  );
});

test('whoever goes on behind a frame reads from the entry that made it, unless that was its last', () => {
  fc.assert(
    fc.property(position, index, (at, nth) => {
      assert.equal(positionUpTo(frameSeq(at, nth)), nth === 7 ? at : at - 1);
      assert.equal(positionUpTo(lastSeq(at)), at);
    }),
  );
});

test('behind 0 comes everything, and what nobody numbered is a bug', () => {
  assert.equal(positionUpTo(0), -1);
  assert.throws(() => frameSeq(1, 8), /no frame 8/);
});
