import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loseReview, makeLoop, makeRaised, makeSettings, makeTask, review, rule, step } from '../../test/support/loops.ts';
import type { Loop } from './loop.ts';
import { answerStop, isSettled, NO_STOPS, StopMemory } from './stop-hook.ts';

const TASK = makeTask({ kind: 'review', source: { kind: 'working-tree' } });

function reviewing(id: number, maxRounds = 3): Loop {
  return makeLoop({ id, task: TASK, settings: makeSettings({ autoIterate: false, policy: { maxRounds } }) });
}

const approved = (id: number): Loop => step(review(reviewing(id)));
const rejected = (id: number, maxRounds?: number): Loop => step(review(reviewing(id, maxRounds), { raised: [makeRaised()] }));

/** What comes of stops one after the other, each with the change of this key and its review. */
function stopAll(stops: readonly (readonly [key: string, loop: Loop])[]): {
  readonly memory: StopMemory;
  readonly answers: readonly ReturnType<typeof answerStop>['answer'][];
} {
  let memory = NO_STOPS;
  const answers = stops.map(([key, loop]) => {
    const judged = answerStop(memory, { key, loop, isUnchanged: false, report: 'the report' });
    ({ memory } = judged);
    return judged.answer;
  });
  return { memory: StopMemory.parse(memory), answers };
}

test('an agent may stop with what is approved, and nothing is said', () => {
  const { answers, memory } = stopAll([['a', approved(1)]]);
  assert.deepEqual([answers, memory.reviews, memory.blocks], [[{}], [{ key: 'a', task: 1 }], 0]);
});

test('what is rejected holds the agent back with the report, and says which time it is', () => {
  const [answer] = stopAll([['a', rejected(1)]]).answers;
  assert.equal(answer?.decision, 'block');
  assert.match(
    answer?.reason ?? '',
    /^Volley reviewed this change \(task 1\).* time 1 of 3\.\n\nthe report\n\n.*volley finding 1\.1 refute/,
  );
});

test('after as many times as the policy has rounds it is let go, and the person is told', () => {
  const { answers, memory } = stopAll([
    ['a', rejected(1, 2)],
    ['b', rejected(2, 2)],
    ['c', rejected(3, 2)],
  ]);
  assert.deepEqual([answers.map(({ decision }) => decision), memory.blocks], [['block', 'block', undefined], 0]);
  assert.match(answers[2]?.systemMessage ?? '', /held the agent back 2 times .* not approved: 1 finding blocks \(volley findings 3\)/);
});

test('whoever was let go is held back again for another change, and not for the same', () => {
  const { answers, memory } = stopAll([
    ['a', rejected(1, 1)],
    ['a', rejected(1, 1)],
    ['a', rejected(1, 1)],
    ['b', rejected(2, 1)],
    ['b', rejected(2, 1)],
  ]);
  assert.deepEqual(
    answers.map(({ decision }) => decision),
    ['block', undefined, undefined, 'block', undefined],
  );
  assert.match(answers[2]?.systemMessage ?? '', /^The agent stopped, and its change is still not approved: 1 finding blocks/);
  assert.equal(memory.released, 'b');
});

test('a review that passes begins the count anew', () => {
  const { memory } = stopAll([
    ['a', rejected(1)],
    ['b', rejected(2)],
    ['c', approved(3)],
    ['d', rejected(4)],
  ]);
  assert.equal(memory.blocks, 1);
});

test('a change that was left as it is is told so', () => {
  const { answer } = answerStop(NO_STOPS, { key: 'a', loop: rejected(1), isUnchanged: true, report: '' });
  assert.match(answer.reason ?? '', /^Nothing has changed since Volley rejected this change \(task 1\)/);
});

test('a finding that a person refuted no longer holds anybody back', () => {
  const loop = rule(rejected(1), '1.1', 'refute');
  assert.deepEqual(stopAll([['a', loop.ending === null ? step(loop) : loop]]).answers, [{}]);
});

test('a review without a verdict never holds an agent back, and is said', () => {
  let loop = reviewing(1);
  while (loop.escalation === null) loop = loop.current === null ? step(loop) : loseReview(loop, 'empty');
  const [answer] = stopAll([['a', loop]]).answers;
  assert.deepEqual([answer?.decision, isSettled(loop)], [undefined, false]);
  assert.match(answer?.systemMessage ?? '', /^The agent stopped, but its change is not approved: .* \(volley show 1\)\.$/);
});

test('only what rests in an ending is settled, and a failure is none', () => {
  const failed: Loop = { ...approved(1), ending: { state: 'failed', why: 'the disk is gone' } };
  assert.deepEqual([reviewing(1), failed, approved(1), rejected(1)].map(isSettled), [false, false, true, true]);
});

test('a long session is remembered by its newest reviews alone, and a long report is cut', () => {
  const { memory } = stopAll(Array.from({ length: 100 }, (_, at) => [`key ${at}`, approved(at + 1)] as const));
  assert.deepEqual([memory.reviews.length, memory.reviews.at(-1)?.task], [20, 100]);
  const { answer } = answerStop(NO_STOPS, { key: 'a', loop: rejected(1), isUnchanged: false, report: 'x'.repeat(100_000) });
  assert.ok((answer.reason ?? '').length < 9000);
  assert.match(answer.reason ?? '', /… volley findings 1 shows all of it\./);
});
