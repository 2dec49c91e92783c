import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSettings, makeTask } from '../../test/support/loops.ts';
import { dryRunSteps } from './dry-run.ts';
import { stepWords } from './step-words.ts';

function told(changes: Parameters<typeof makeSettings>[0], task: Parameters<typeof makeTask>[0] = {}): readonly string[] {
  return dryRunSteps(makeTask(task), makeSettings(changes)).map(({ action }) => stepWords(action, ['test']));
}

test('every step of a task is said in words for people', () => {
  const gates = [{ name: 'test', run: 'npm test', cwd: '.', paths: [], network: false }];
  assert.deepEqual(told({ gates, policy: { maxRounds: 2 } }), [
    'alpha builds it',
    'the gate test runs',
    'round 1: beta reviews it',
    'alpha answers what was found',
    'the gate test runs',
    'round 2: beta reviews it',
    'you are asked: max rounds reached',
  ]);
});

test('how it ends is said without the names of states', () => {
  const last = (changes: Parameters<typeof makeSettings>[0]): string | undefined => told(changes).at(-1);
  assert.equal(last({ autoReview: false, autoIterate: false }), 'it rests, built and not reviewed, until you ask for a review');
  assert.equal(last({ autoIterate: false }), 'it rests with what was found, and you decide');
  assert.equal(last({ review: { enabled: false, context: 'diff' } }), 'it is ready for you to read, without a review');
});

test('a task that waits for others is told as it goes once they are done', () => {
  assert.deepEqual(told({}, { dependsOn: [4] }), told({}));
});
