import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskOrder } from '../../../src/core/task-order.ts';
import { previewOutput } from '../../../src/core/task-output.ts';
import { makeSettings, makeTask } from '../../../test/support/loops.ts';
import { BLANK, forgetStarted, leadWords, useTaskDraft } from './task-draft.ts';
import { fieldMistake, orderOf } from './task-order.ts';
import { previewWords } from './task-words.ts';

test('a task without words is no task yet', () => {
  assert.equal(orderOf(BLANK), null);
  assert.equal(orderOf({ ...BLANK, text: '  ' }), null);
});

test('words alone are built and reviewed, and leave everything else to the configuration', () => {
  assert.deepEqual(orderOf({ ...BLANK, text: 'Add keys\n' }), { text: 'Add keys', kind: 'implement', autoReview: true });
  assert.equal(orderOf({ ...BLANK, text: 'Add keys', unreviewed: true })?.autoReview, false);
});

test('a review needs no words, and looks at the current branch where none is named', () => {
  assert.deepEqual(orderOf({ ...BLANK, what: 'branch' }), { kind: 'review', fix: false, change: { kind: 'branch', branch: 'HEAD' } });
  assert.deepEqual(orderOf({ ...BLANK, what: 'working-tree', fix: true }), { kind: 'review', fix: true, change: { kind: 'working-tree' } });
});

test('all that can be said is an order that the server takes', () => {
  const order = orderOf({
    ...BLANK,
    text: 'Add keys',
    author: 'claude',
    reviewers: ['codex'],
    rounds: '2',
    ceiling: '1.5',
    group: ' October ',
    after: '#4, 12',
  });
  assert.deepEqual(order, {
    text: 'Add keys',
    kind: 'implement',
    autoReview: true,
    author: 'claude',
    reviewer: ['codex'],
    maxRounds: 2,
    ceilingUsd: 1.5,
    group: 'October',
    dependsOn: [4, 12],
  });
  assert.ok(TaskOrder.safeParse(order).success);
});

test('rounds and a ceiling that cannot be are said at their field, and nothing is ordered', () => {
  assert.equal(fieldMistake('rounds', '0'), 'A whole number from 1 to 100.');
  assert.equal(fieldMistake('rounds', '2.5'), 'A whole number from 1 to 100.');
  assert.equal(fieldMistake('ceiling', '-1'), 'An amount of dollars, 0 or more.');
  assert.deepEqual([fieldMistake('rounds', ''), fieldMistake('rounds', '3'), fieldMistake('ceiling', '0.5')], [null, null, null]);
  assert.equal(orderOf({ ...BLANK, text: 'Add numbers', rounds: '0' }), null);
});

test('what a task waits for is named by numbers, and anything else is said at its field', () => {
  const rule = 'Numbers of tasks, like #219, #220.';
  for (const text of ['the login task', '#4, login', '0', '#', '4.5', '-4', '#4-#7']) assert.equal(fieldMistake('after', text), rule, text);
  for (const text of ['', '#4', '4 12', '#4, #12,']) assert.equal(fieldMistake('after', text), null, text);
  assert.equal(orderOf({ ...BLANK, text: 'Add numbers', after: '#4, login' }), null);
  assert.deepEqual(orderOf({ ...BLANK, text: 'Add numbers', after: '#4, 12 #4' })?.dependsOn, [4, 12]);
});

test('what was started is forgotten, and what was written since is not', () => {
  const started = { ...BLANK, text: 'Add numbers' };
  useTaskDraft.setState({ draft: { ...started, text: 'Add numbers, and more' } });
  forgetStarted(started);
  assert.equal(useTaskDraft.getState().draft.text, 'Add numbers, and more');
  useTaskDraft.setState({ draft: { ...started } });
  forgetStarted(started);
  assert.deepEqual(useTaskDraft.getState().draft, BLANK);
});

type Changes = NonNullable<Parameters<typeof makeSettings>[0]>;

function told(settings: Changes, task: Parameters<typeof makeTask>[0] = {}): string {
  return previewWords(previewOutput({ task: makeTask(task), settings: makeSettings(settings), notes: [] })).replace(/ No ceiling\.$/, '');
}

test('the sentence before a start says what the order does, and no more', () => {
  const unasked = { autoReview: false, autoIterate: false };
  assert.equal(told({}), 'Alpha builds it, beta reviews it, alpha answers, up to 3 rounds.');
  assert.equal(told(unasked), 'Alpha builds it, nobody reviews it until you ask for that.');
  assert.equal(told({ autoIterate: false }), 'Alpha builds it, beta reviews it once.');
  assert.equal(told({ review: { enabled: false, context: 'diff' } }), 'Alpha builds it, nobody reviews it: reviews are switched off.');
  assert.equal(told({ autoIterate: false }, { kind: 'review' }), 'Beta reviews it once.');
  assert.equal(
    told({ roles: { reviewer: ['beta', 'gamma'] } }, { kind: 'review', fix: true }),
    'Beta, gamma review it, alpha answers, up to 3 rounds.',
  );
});

test('gates are promised only where they run, and what is waited for is said', () => {
  const gates = [{ name: 'test', run: 'npm test', cwd: '.', paths: [], network: false }];
  assert.match(told({ gates, policy: { ceilingUsd: { loop: 2, run: null, day: null } } }), /rounds\. Gate: test\. At most \$2\.00\.$/);
  assert.doesNotMatch(told({ gates, autoIterate: false }, { kind: 'review' }), /Gate/);
  assert.match(told({}, { dependsOn: [4] }), /^Alpha builds it, beta reviews it, .* It begins once #4 is done\.$/);
});

test('the words above the field promise a review only where one is ordered', () => {
  assert.match(leadWords(BLANK), /another reviews it/);
  assert.match(leadWords({ ...BLANK, unreviewed: true }), /Nobody reviews it until you ask/);
  assert.doesNotMatch(leadWords({ ...BLANK, what: 'branch' }), /builds|asked/);
});
