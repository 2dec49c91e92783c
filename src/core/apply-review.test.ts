import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  append,
  author,
  committed,
  fix,
  loseReview,
  makeLoop,
  makePanel,
  makeRaised,
  makeSession,
  makeSettings,
  review,
  reviewPanel,
  rule,
  step,
  tokenOf,
} from '../../test/support/loops.ts';
import type { ReviewSession } from './action.ts';
import { choicesOf } from './choices.ts';
import { decide } from './decide.ts';
import { NoVerdict } from './event.ts';
import type { Loop } from './loop.ts';
import type { ReviewReading } from './review.ts';
import { plainAgent } from './settings.ts';

const person = { by: 'Test Person', reason: null, agent: null, ceilingUsd: null } as const;

/** A loop whose first review is due, with one fallback. */
function due(): Loop {
  return author(makeLoop({ settings: makeSettings({ roles: { fallback: ['gamma'] } }) }), committed('1'));
}

/** The one session that the loop starts next. */
function session(loop: Loop): ReviewSession | undefined {
  const action = decide(loop);
  return action.do === 'review' ? action.sessions[0] : undefined;
}

function verdictOf(reading: Partial<ReviewReading>, severity: 'high' | 'low' | null = null): string | undefined {
  const loop = review(due(), { reading, raised: severity === null ? [] : [makeRaised({ severity })] });
  return loop.rounds[0]?.verdict ?? loop.seats[0]?.attempts[0]?.reason;
}

const SPECIAL: readonly NoVerdict[] = ['tampered', 'too-large', 'over-budget', 'limited', 'logged-out'];
const LADDER = NoVerdict.options.filter((reason) => !SPECIAL.includes(reason));

for (const reason of LADDER) {
  test(`${reason} spends no round and leads to the same reviewer, its fallback, and then a person`, () => {
    let loop = due();
    const asked: (string | undefined)[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      asked.push(session(loop)?.agent);
      assert.equal(session(loop)?.attempt, attempt);
      loop = loseReview(loop, reason);
    }
    assert.deepEqual([asked, loop.rounds, loop.finalVerdict], [['beta', 'beta', 'gamma'], [], null]);
    assert.equal(step(loop).escalation?.reason, 'no-verdict');
  });
}

test('a reviewer that is limited is not asked again at once: its fallback is, and then the loop waits and spends nothing', () => {
  const first = loseReview(due(), 'limited');
  assert.equal(session(first)?.agent, 'gamma');
  const second = loseReview(first, 'limited');
  assert.deepEqual([second.waiting?.for, second.waiting?.agent, second.rounds], ['rate-limit', 'gamma', []]);
  assert.equal(decide(second).do, 'rest');
  const woken = append(second, { type: 'woken' });
  assert.deepEqual([woken.waiting, session(woken)?.agent, session(woken)?.attempt], [null, 'beta', 1]);
});

test('what is too large for a reviewer is not tried on it again', () => {
  const loop = loseReview(due(), 'too-large');
  assert.equal(session(loop)?.agent, 'gamma');
  assert.equal(step(loseReview(loop, 'too-large')).escalation?.reason, 'no-verdict');
});

test('a reviewer that tampered is replaced at once, and a fallback that tampered asks a person', () => {
  const loop = loseReview(due(), 'tampered');
  assert.equal(session(loop)?.agent, 'gamma');
  assert.equal(step(loseReview(loop, 'tampered')).escalation?.reason, 'tampered');
});

test('an attempt that was lost otherwise after tampering asks about no verdict', () => {
  assert.equal(step(loseReview(loseReview(due(), 'tampered'), 'crashed')).escalation?.reason, 'no-verdict');
});

test('a reviewer is told what was wrong where it can mend that, and only with an answer to quote', () => {
  const repairs = NoVerdict.options.filter((reason) => session(loseReview(due(), reason, 'LGTM'))?.repair === true);
  assert.deepEqual(repairs, ['unreadable', 'text-approval', 'no-finding']);
  assert.equal(session(loseReview(due(), 'unreadable', null))?.repair, false);
});

test('a fallback is not told of the mistakes of the reviewer before it', () => {
  const loop = loseReview(loseReview(due(), 'unreadable', 'LGTM'), 'unreadable', 'LGTM');
  assert.deepEqual([session(loop)?.agent, session(loop)?.repair], ['gamma', false]);
});

test('a rejection without any finding gets one repair session, then the fallback', () => {
  let loop = review(due(), { reading: { claim: 'changes_requested' } });
  assert.deepEqual(session(loop), { member: 'beta', agent: 'beta', attempt: 2, repair: true });
  assert.equal(loop.seats[0]?.attempts[0]?.answer, 'what it said');
  loop = review(loop, { reading: { claim: 'changes_requested' } });
  assert.equal(session(loop)?.agent, 'gamma');
});

test('a repaired answer makes the round', () => {
  const loop = review(review(due(), { reading: { claim: 'changes_requested' } }), { raised: [makeRaised()] });
  assert.deepEqual([loop.rounds[0]?.verdict, loop.rounds[0]?.round], ['changes_requested', 1]);
});

test('what a reading comes to follows from its findings, whatever it claims', () => {
  assert.equal(verdictOf({ claim: 'approved' }, 'high'), 'changes_requested');
  assert.equal(verdictOf({ claim: null }, 'high'), 'changes_requested');
  assert.equal(verdictOf({ claim: 'needs_discussion' }, 'high'), 'needs_discussion');
  assert.equal(verdictOf({ claim: 'changes_requested' }, 'low'), 'approved');
  assert.equal(verdictOf({ claim: null }, 'low'), 'unreadable');
  assert.equal(verdictOf({ claim: 'changes_requested' }), 'no-finding');
});

test('plain text rejects and asks, but nothing that it says approves', () => {
  const text = { channel: 'text', mayApprove: false } as const;
  assert.equal(verdictOf({ ...text, claim: 'changes_requested' }, 'high'), 'changes_requested');
  assert.equal(verdictOf({ ...text, claim: 'needs_discussion' }), 'needs_discussion');
  assert.equal(verdictOf({ ...text, claim: 'approved' }), 'text-approval');
  assert.equal(verdictOf({ ...text, claim: 'changes_requested' }, 'low'), 'text-approval');
});

test('a rejection of which nothing blocks is an approval that keeps the claim', () => {
  const [round] = review(due(), { raised: [makeRaised({ severity: 'low' })] }).rounds;
  assert.deepEqual([round?.verdict, round?.reviews[0].reading.claim], ['approved', 'changes_requested']);
  assert.match(round?.why ?? '', /claimed a rejection, but nothing it named blocks/);
});

test('an intent that is not served is a finding of its own, in later rounds too', () => {
  let loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised()] });
  loop = review(fix(loop, committed('2')), { reading: { claim: 'approved', intentSatisfied: false, interpretedIntent: 'greet' } });
  const finding = loop.findings[1];
  assert.deepEqual(
    [finding?.severity, finding?.category, finding?.tag, loop.rounds[1]?.verdict],
    ['high', 'logic', 'spec-intent-mismatch', 'changes_requested'],
  );
});

test('a session that used up its money asks a person at once, without a round, a retry or a fallback', () => {
  const loop = step(loseReview(due(), 'over-budget'));
  assert.deepEqual([loop.escalation?.reason, loop.escalation?.why, loop.rounds.length], ['ceiling', 'over-budget', 0]);
  assert.deepEqual(choicesOf(loop), ['fix-manually', 'accept', 'raise-ceiling', 'cancel']);
});

test('with a raised ceiling the review runs again as if it had not begun', () => {
  const asking = step(loseReview(due(), 'over-budget'));
  const loop = append(asking, { type: 'decided', choice: 'raise-ceiling', ...person, ceilingUsd: 5 });
  assert.deepEqual(session(loop), { member: 'beta', agent: 'beta', attempt: 1, repair: false });
});

test('where one member of a panel used up its money, the answers of the others are kept', () => {
  let loop = author(makeLoop({ settings: makePanel(['beta', 'gamma']) }), committed('1'));
  loop = step(reviewPanel(loop, { beta: 'over-budget', gamma: {} }));
  assert.equal(loop.escalation?.reason, 'ceiling');
  loop = append(loop, { type: 'decided', choice: 'raise-ceiling', ...person, ceilingUsd: 5 });
  assert.deepEqual(session(loop)?.member, 'beta');
  assert.equal(reviewPanel(loop, { beta: {} }).rounds[0]?.verdict, 'approved');
});

test('an author and a fixer that used up their money are nobody’s failure', () => {
  const outcome = { kind: 'failed', reason: 'over-budget', message: 'its $2.00 are used up', partial: 'refs/volley/29/partial-1' } as const;
  const authored = step(author(makeLoop(), outcome));
  assert.deepEqual(
    [authored.escalation?.reason, authored.escalation?.why, authored.author.failures],
    ['ceiling', 'its $2.00 are used up', 0],
  );
  const fixed = step(fix(review(due(), { raised: [makeRaised()] }), outcome));
  assert.deepEqual([fixed.escalation?.reason, fixed.fixer.failures], ['ceiling', 0]);
  const again = append(fixed, { type: 'decided', choice: 'raise-ceiling', ...person, ceilingUsd: 5 });
  assert.equal(decide(again).do, 'fix');
});

test('what a review session spent is booked, whatever became of it', () => {
  const beta = plainAgent({ name: 'beta', driver: 'command', run: ['b'], model: 'm' });
  const settings = makeSettings();
  const started = step(author(makeLoop({ settings: { ...settings, agents: { ...settings.agents, beta } } }), committed('1')));
  const usage = { inputTokens: 1, outputTokens: 1, costUsd: 0.5, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null };
  const lost = { kind: 'no-verdict', reason: 'crashed', detail: 'it fell over', answer: null } as const;
  const loop = append(started, {
    type: 'reviewed',
    token: tokenOf(started),
    member: 'beta',
    agent: 'beta',
    outcome: lost,
    session: makeSession('beta', { usage }),
  });
  assert.equal(loop.spend.usd, 0.5);
});

test('retry after all were lost begins the ladder anew', () => {
  const asking = step(loseReview(loseReview(loseReview(due(), 'crashed'), 'crashed'), 'crashed'));
  const loop = append(asking, { type: 'decided', choice: 'retry', ...person });
  assert.deepEqual(session(loop), { member: 'beta', agent: 'beta', attempt: 1, repair: false });
});

test('a rejection that names nothing gets its repair session, although the engine has a finding of its own', () => {
  const own = makeRaised({ source: 'engine', category: 'security', tag: 'agent-settings', file: '.claude/settings.json', line: 1 });
  let loop = review(due(), { raised: [{ ...own, raisedBy: ['volley'] }, makeRaised()] });
  loop = fix(rule(loop, '29.1', 'accept'), committed('2'));
  loop = review(loop, { raised: [{ ...own, raisedBy: ['volley'] }], reading: { claim: 'changes_requested' } });
  assert.deepEqual(session(loop), { member: 'beta', agent: 'beta', attempt: 2, repair: true });
  assert.deepEqual([loop.rounds.length, loop.seats[0]?.attempts[0]?.reason], [1, 'no-finding']);
});

test('what the engine found is a finding of its round, and nobody’s word', () => {
  const own = makeRaised({ source: 'engine', category: 'security', file: '.mcp.json', raisedBy: ['volley'] });
  const [round] = review(due(), { raised: [own], reading: { claim: 'approved' } }).rounds;
  assert.deepEqual([round?.findingIds, round?.blockingIds, round?.reviews[0].findingIds], [['29.1'], ['29.1'], []]);
  assert.doesNotMatch(round?.why ?? '', /not raised again/);
});
