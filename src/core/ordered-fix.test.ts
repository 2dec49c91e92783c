import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, author, committed, makeLoop, makeRaised, makeSettings, review } from '../../test/support/loops.ts';
import { decide } from './decide.ts';
import type { Loop } from './loop.ts';
import { fixerOf, fixLimitMs } from './ordered-fix.ts';
import { Settings } from './settings.ts';

const IMPROVING = makeSettings({ autoIterate: false, improve: { fixer: 'gamma', timeoutMs: 1000 } });

function rejected(settings = IMPROVING): Loop {
  return review(author(makeLoop({ settings }), committed('1')), { raised: [makeRaised()] });
}

function improved(loop: Loop, withReview = false): Loop {
  const order = { override: 'improve', by: 'Test Person', reason: null, verdict: null, review: withReview } as const;
  return append(loop, { type: 'overridden', ...order });
}

for (const withReview of [false, true]) {
  test(`a fix that a person orders ${withReview ? 'with a review' : 'alone'} has an agent and a limit of its own`, () => {
    const loop = improved(rejected(), withReview);
    const action = decide(loop);
    assert.deepEqual(action.do === 'fix' && [action.cause, action.agent], ['order', 'gamma']);
    assert.equal(fixLimitMs(loop, 'order'), 1000);
  });
}

test('who ordered a fix is told, be it a person or an agent', () => {
  assert.equal(decide(improved(rejected())).why, 'Test Person asked for it');
  const order = { override: 'refine', reason: 'Do it so.', verdict: null, review: false } as const;
  const byAgent = append(improved(rejected()), { type: 'overridden', ...order, by: 'tester (agent, over MCP)' });
  assert.equal(decide(byAgent).why, 'tester (agent, over MCP) asked for it');
});

test('fixes of the loop itself keep the fixer and the limit of the loop', () => {
  const loop = rejected(makeSettings({ improve: IMPROVING.improve }));
  const action = decide(loop);
  assert.deepEqual(action.do === 'fix' && [action.cause, action.agent], ['review', 'alpha']);
  assert.equal(fixLimitMs(loop, 'review'), loop.settings.policy.timeoutsMs.fix);
  assert.equal(fixerOf(improved(rejected()), 'gates'), 'alpha');
});

test('a fixer whom a person chose is not put aside', () => {
  const loop = improved(rejected());
  assert.equal(fixerOf({ ...loop, roles: { ...loop.roles, fixer: 'beta' } }, 'order'), 'beta');
});

test('a loop that was frozen before there was such a setting is as it was', () => {
  const { improve: _improve, ...old } = makeSettings();
  assert.deepEqual(Settings.parse(old).improve, { fixer: null, timeoutMs: null });
});
