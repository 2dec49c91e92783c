import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amplitude, newestTurns, rallyDrawing, rallySlots, rallyWords } from './rally-geometry.ts';
import type { RallyEnd, RallyTurn } from './rally-geometry.ts';

const start: RallyTurn = { kind: 'start', count: 0 };
const review = (count: number): RallyTurn => ({ kind: 'review', count });
const fix = (count: number): RallyTurn => ({ kind: 'fix', count });

function draw(turns: readonly RallyTurn[], end: RallyEnd | null) {
  return rallyDrawing({ turns, end, slots: 7, width: 214, height: 42 });
}

test('more findings are further from the net, up to its edge', () => {
  assert.equal(amplitude(0), 0);
  assert.ok(amplitude(2) > amplitude(1));
  assert.equal(amplitude(100), 1);
});

test('a review is above the net, a fix below it, and nothing blocking is on it', () => {
  const { mid, points } = draw([start, review(3), fix(3), review(0)], 'ok');
  assert.deepEqual(
    points.map(({ y }) => Math.sign(y - mid)),
    [0, -1, 1, 0],
  );
});

test('turns have the same distance from each other, and the last slot is at the right edge', () => {
  const { points, head, ticks } = draw([start, review(1)], 'live-fix');
  assert.equal(points[0]?.x, 8);
  assert.equal(points[1]?.x, 41);
  assert.equal(head?.x, 74);
  assert.deepEqual(ticks, [107, 140, 173, 206]);
});

test('who works is on the side of their turn, and what is settled on the net', () => {
  const at = (end: RallyEnd): number => Math.sign((draw([start], end).head?.y ?? NaN) - 21);
  assert.deepEqual([at('live-review'), at('live-fix'), at('live-author'), at('you'), at('ok'), at('wait')], [-1, 1, 0, 0, 0, 0]);
});

test('a failed one ends where it is', () => {
  const { head, tail, answered } = draw([start, review(4), fix(4)], 'failed');
  assert.deepEqual([head, tail, answered], [null, null, null]);
});

test('an area that crosses the net is cut there', () => {
  const { asked, answered } = draw([start, review(2), fix(2)], null);
  assert.equal(asked, 'M8 21L8 21L41 11.6L57.5 21L74 21L74 21Z');
  assert.equal(answered, 'M8 21L8 21L41 21L57.5 21L74 30.4L74 21Z');
});

test('a line on the net has no areas', () => {
  const { asked, answered } = draw([start], 'live-author');
  assert.deepEqual([asked, answered], [null, null]);
});

test('there is room for every round that is allowed, and for all that happened', () => {
  assert.equal(rallySlots(3, 1), 7);
  assert.equal(rallySlots(1, 6), 7);
  assert.equal(rallySlots(0, 0), 3);
});

test('of very many turns the newest are drawn', () => {
  assert.deepEqual(newestTurns([start, review(1), fix(1), review(2)], 2), [fix(1), review(2)]);
});

test('a rally can be read as a sentence', () => {
  assert.equal(rallyWords({ turns: [start], end: 'live-author', maxRounds: 3 }), 'No review yet of 3; the author is at work.');
  assert.equal(
    rallyWords({ turns: [start, review(1)], end: 'live-fix', maxRounds: 3 }),
    '1 review of 3: 1 finding blocked; they are being answered.',
  );
  assert.equal(
    rallyWords({ turns: [start, review(5), fix(5), review(3), fix(3), review(2)], end: 'you', maxRounds: 3 }),
    '3 reviews of 3: 5, 3, then 2 findings blocked; it waits for you.',
  );
});
