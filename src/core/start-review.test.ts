import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  append,
  author,
  committed,
  loseReview,
  makeLoop,
  makeRaised,
  makeSettings,
  review,
  step,
  tokenOf,
} from '../../test/support/loops.ts';
import type { Override } from './event.ts';
import type { Loop } from './loop.ts';
import { reviewStart } from './start-review.ts';

const BUILT = author(makeLoop(), committed('1'));

function over(loop: Loop, override: Override): Loop {
  return append(loop, { type: 'overridden', override, by: 'P', reason: null, verdict: null, review: false });
}

/** The loop once its author is done, wherever that is. */
function builtFrom(loop: Loop): Loop {
  if (loop.head !== null) return loop;
  const started = loop.current === null ? step(loop) : loop;
  const done = { outcome: committed('1'), summary: null, taskComplete: true, session: null };
  return append(started, { type: 'authored', token: tokenOf(started), ...done });
}

test('what rests unreviewed is ordered, with a fixer where blocking reviews go on to one', () => {
  for (const autoIterate of [true, false]) {
    const settings = makeSettings({ autoReview: false, autoIterate });
    const rested = step(author(makeLoop({ settings }), committed('1')));
    assert.equal(rested.state, 'pending_self_review');
    assert.deepEqual(reviewStart(rested), { kind: 'order', fix: autoIterate });
  }
  assert.deepEqual(reviewStart(step(over(BUILT, 'skip'))), { kind: 'order', fix: true });
});

test('what goes there by itself is left alone', () => {
  for (const loop of [makeLoop(), step(makeLoop()), BUILT, step(BUILT), review(BUILT, { raised: [makeRaised()] })])
    assert.deepEqual(reviewStart(loop), { kind: 'under-way' });
});

test('what would rest unreviewed once it is implemented is told to go on, with a fixer only where there was to be one', () => {
  for (const autoIterate of [true, false]) {
    const queued = makeLoop({ settings: makeSettings({ autoReview: false, autoIterate }) });
    for (const loop of [queued, step(queued), author(queued, committed('1'))]) {
      const start = reviewStart(loop);
      assert.deepEqual(start, { kind: 'edit', edit: { autoReview: true, autoIterate } });
      if (start.kind !== 'edit') continue;
      const wished = append(loop, { type: 'edited', by: 'P', reason: null, edit: start.edit });
      assert.deepEqual(reviewStart(wished), { kind: 'under-way' });
      const reviewed = review(builtFrom(wished), { raised: [makeRaised()] });
      assert.equal(step(reviewed).state, autoIterate ? 'refining' : 'self_review_failed');
    }
  }
});

test('what was to be skipped is ordered before it rests too', () => {
  assert.deepEqual(reviewStart(over(BUILT, 'skip')), { kind: 'order', fix: true });
});

test('what is over, asks, or lies with a person is refused with the reason', () => {
  const approved = step(review(BUILT));
  const alone = makeSettings({ autoIterate: false });
  const rejected = step(review(author(makeLoop({ settings: alone }), committed('1')), { raised: [makeRaised()] }));
  const improved = over(rejected, 'improve');
  const off = makeSettings({ review: { enabled: false, context: 'diff' } });
  const refused: [Loop, RegExp][] = [
    [approved, /^it is approved$/],
    [append(approved, { type: 'landed', onto: 'main', commit: 'commit-1', by: 'P' }), /^its work has landed on main$/],
    [over(BUILT, 'cancel'), /^it was cancelled$/],
    [over(BUILT, 'takeover'), /^P took it over$/],
    [step(loseReview(loseReview(BUILT, 'empty'), 'empty')), /^it asks a person: no reviewer gave a verdict/],
    [rejected, /^its review asked for changes: round 1/],
    [append(BUILT, { type: 'failed', message: 'the disk is gone', stack: null }), /^it failed: the disk is gone$/],
    [step(author(makeLoop({ settings: off }), committed('1'))), /^reviews are switched off for it$/],
    [makeLoop({ settings: off }), /^reviews are switched off for it$/],
    [review(BUILT), /^it is approved$/],
    [improved, /^somebody ordered an improvement that is not reviewed$/],
  ];
  for (const [loop, why] of refused) {
    const start = reviewStart(loop);
    assert.equal(start.kind, 'refused', loop.state);
    if (start.kind === 'refused') assert.match(start.why, why);
  }
});
