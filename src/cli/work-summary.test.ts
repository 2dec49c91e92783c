import assert from 'node:assert/strict';
import { test } from 'node:test';
import { author, committed, makeLoop, makeRaised, makeSettings, review, step } from '../../test/support/loops.ts';
import type { Loop } from '../core/loop.ts';
import { workSummary } from './work-summary.ts';

function approved(id: number): Loop {
  return step(review(author(makeLoop({ id }), committed('1'))));
}

function capped(id: number): Loop {
  const settings = makeSettings({ policy: { maxRounds: 1 } });
  return step(review(author(makeLoop({ id, settings }), committed('1')), { raised: [makeRaised()] }));
}

test('several tasks are summed up by kind, with one command for all that can be landed', () => {
  assert.deepEqual(workSummary([approved(7), capped(4), approved(1), makeLoop({ id: 5 })], 1, { color: false, width: 100 }), [
    '5 tasks: 2 approved, 1 needs you, 1 stopped, 1 with an error',
    '  volley land 1 7',
    '  volley work 5',
    '  volley decide 4 one-more-round  after 1 review round 1 blocking finding remains, 4.1: The g…',
  ]);
});

test('several that ask do so in the plural, on lines that fit, with commands that are whole', () => {
  assert.deepEqual(workSummary([capped(1), capped(2)], 0, { color: false, width: 40 }), [
    '2 tasks: 2 need you',
    '  volley decide 1 one-more-round  after…',
    '  volley decide 2 one-more-round  after…',
  ]);
});
