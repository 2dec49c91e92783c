import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, author, committed, fix, makeLoop, makeRaised, makeSettings, review, step, tokenOf } from '../../test/support/loops.ts';
import { decide } from './decide.ts';
import type { Event, WorkOutcome } from './event.ts';
import type { Loop } from './loop.ts';
import { nextCommand } from './next-command.ts';
import { refusal } from './refusal.ts';
import { waitingWords } from './waiting.ts';

const UNTIL = '2026-01-29T15:00:00.000Z';
const LIMITED: WorkOutcome = { kind: 'failed', reason: 'limited', message: 'usage limit reached', partial: null, until: UNTIL };
const LOGGED_OUT: WorkOutcome = { kind: 'failed', reason: 'logged-out', message: 'the token is not valid', partial: null };

function asked(loop: Loop): string | null {
  const action = decide(loop);
  return action.do === 'author' || action.do === 'fix' ? action.agent : null;
}

test('an author that is limited waits until then, without a failure, and goes on as itself', () => {
  const loop = author(makeLoop(), LIMITED);
  assert.deepEqual([decide(loop).do, loop.waiting?.for, loop.waiting?.until, loop.author.failures], ['rest', 'rate-limit', UNTIL, 0]);
  assert.deepEqual([loop.state, nextCommand(loop)], ['implementing', `volley work ${loop.id}`]);
  assert.equal(asked(append(loop, { type: 'woken' })), 'alpha');
});

test('an agent that is not logged in waits for that, with the command that does it', () => {
  const loop = author(makeLoop(), LOGGED_OUT);
  assert.deepEqual([loop.waiting?.for, loop.waiting?.until], ['login', null]);
  assert.match(nextCommand(loop) ?? '', /^volley login \S+ && volley work \d+$/);
});

test('a fallback steps in at once, and only where it is limited too the loop waits', () => {
  const settings = makeSettings({ roles: { fallback: ['gamma'] } });
  const first = author(makeLoop({ settings }), LIMITED);
  assert.deepEqual([first.waiting, asked(first)], [null, 'gamma']);
  const second = author(first, LIMITED);
  assert.deepEqual([second.waiting?.for, asked(append(second, { type: 'woken' }))], ['rate-limit', 'gamma']);
});

test('a fixer that is limited waits and spends no round', () => {
  const blocked = review(author(makeLoop(), committed('1')), { raised: [makeRaised({ severity: 'high' })] });
  const loop = fix(blocked, LIMITED);
  assert.deepEqual([loop.waiting?.for, loop.rounds.length, asked(append(loop, { type: 'woken' }))], ['rate-limit', 1, 'alpha']);
});

test('an agent that failed is not paid again because its fallback is limited', () => {
  const crashed: WorkOutcome = { kind: 'failed', reason: 'agent-failed', message: 'It crashed.', partial: null };
  let loop = makeLoop({ settings: makeSettings({ roles: { fallback: ['gamma'] } }) });
  for (const outcome of [crashed, crashed, LIMITED]) loop = author(loop, outcome);
  assert.deepEqual([loop.waiting?.for, asked(append(loop, { type: 'woken' }))], ['rate-limit', 'gamma']);
});

test('a person who speaks ends the wait', () => {
  const loop = author(makeLoop(), LIMITED);
  const by = { by: 'Test Person', reason: null, verdict: null, review: false } as const;
  assert.equal(append(loop, { type: 'overridden', override: 'retry', ...by }).waiting, null);
  assert.equal(append(loop, { type: 'overridden', override: 'cancel', ...by }).state, 'cancelled');
});

test('a full disk is waited for between two actions, spends no round, and is said', () => {
  const full: Event = { type: 'postponed', for: 'disk', until: UNTIL, why: 'the disk is full' };
  const started = step(makeLoop());
  assert.equal(refusal(started, full), 'nothing is about to be done');
  const stopped = append(started, { type: 'interrupted', token: tokenOf(started), why: 'the disk is full', session: null });
  const loop = append(stopped, full);
  assert.deepEqual(
    [decide(loop).do, loop.state, loop.rounds.length, nextCommand(loop)],
    ['rest', 'implementing', 0, `volley work ${loop.id}`],
  );
  assert.equal(loop.waiting === null ? '' : waitingWords(loop.waiting), `the disk is full; it is tried again at ${UNTIL}`);
  assert.equal(asked(append(loop, { type: 'woken' })), 'alpha');
  assert.equal(refusal(loop, full), 'nothing is about to be done');
});
