import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  append,
  author,
  awaited,
  committed,
  fix,
  loseReview,
  makeLoop,
  makePanel,
  makeRaised,
  review,
  reviewPanel,
  step,
} from '../../test/support/loops.ts';
import type { ReviewSession } from './action.ts';
import { choicesOf } from './choices.ts';
import { decide } from './decide.ts';
import type { Event } from './event.ts';
import type { Loop } from './loop.ts';
import type { Policy } from './policy.ts';
import { plainAgent } from './settings.ts';
import type { AgentSpec } from './settings.ts';

const person = { by: 'Test Person', reason: null, agent: null, ceilingUsd: null } as const;
const retry: Event = { type: 'overridden', override: 'retry', by: 'Test Person', reason: null, verdict: null, review: false };

/** A loop whose first review, by these agents, is due. */
function due(members: readonly string[], given: { readonly fallback?: string[]; readonly quorum?: Policy['quorum'] } = {}): Loop {
  const { fallback = [], quorum = 'all' } = given;
  return author(makeLoop({ settings: makePanel(members, { roles: { fallback }, policy: { quorum } }) }), committed('1'));
}

/** The sessions that the loop starts next. */
function sessions(loop: Loop): readonly ReviewSession[] {
  const action = decide(loop);
  return action.do === 'review' ? action.sessions : [];
}

/** Who takes which seat next. */
function asked(loop: Loop): Readonly<Record<string, string>> {
  return Object.fromEntries(sessions(loop).map(({ member, agent }) => [member, agent]));
}

/** Every lost member is asked once more and is lost again. */
function twice(loop: Loop, given: Parameters<typeof reviewPanel>[1]): Loop {
  const once = reviewPanel(loop, given);
  return decide(once).do === 'review' && once.rounds.length === loop.rounds.length ? loseReview(once, 'crashed') : once;
}

test('all members of a panel are asked at once', () => {
  assert.deepEqual(sessions(due(['beta', 'gamma'])), [
    { member: 'beta', agent: 'beta', attempt: 1, repair: false },
    { member: 'gamma', agent: 'gamma', attempt: 1, repair: false },
  ]);
});

test('a round is judged when the last member has answered, not before', () => {
  const half = reviewPanel(due(['beta', 'gamma']), { beta: {} });
  assert.deepEqual([half.rounds.length, half.state, awaited(half)], [0, 'self_reviewing', ['gamma']]);
  assert.equal(reviewPanel(half, { gamma: {} }).rounds.length, 1);
});

test('in whatever order the members answer, the round is the same', () => {
  const said = {
    beta: { raised: [makeRaised({ severity: 'low' })] },
    gamma: { raised: [makeRaised({ file: 'b.ts', description: 'Tests are missing.' })] },
  };
  const loop = due(['beta', 'gamma']);
  const [one, other] = [reviewPanel(loop, said), reviewPanel(loop, { gamma: said.gamma, beta: said.beta })];
  assert.deepEqual(other, one);
  assert.deepEqual(
    one.rounds[0]?.reviews.map(({ member }) => member),
    ['beta', 'gamma'],
  );
});

test('an approval of a panel carries the proofs of all members', () => {
  const { approval } = review(due(['beta', 'gamma']));
  assert.deepEqual(approval?.by === 'review' ? approval.proofs.map(({ agent }) => agent) : null, ['beta', 'gamma']);
});

test('how many members must approve is the quorum', () => {
  const lost = (quorum: Policy['quorum'], ...names: readonly string[]): string | undefined => {
    const given = Object.fromEntries(['beta', 'gamma', 'delta'].map((name) => [name, names.includes(name) ? ('crashed' as const) : {}]));
    const loop = twice(due(['beta', 'gamma', 'delta'], { quorum }), given);
    return loop.rounds[0]?.verdict ?? step(loop).escalation?.reason;
  };
  assert.deepEqual([lost('all'), lost('all', 'delta')], ['approved', 'no-verdict']);
  assert.deepEqual([lost('majority', 'delta'), lost('majority', 'gamma', 'delta')], ['approved', 'no-verdict']);
  assert.deepEqual([lost('any', 'gamma', 'delta'), lost('any', 'beta', 'gamma', 'delta')], ['approved', 'no-verdict']);
});

test('a majority of two is both', () => {
  const loop = twice(due(['beta', 'gamma'], { quorum: 'majority' }), { beta: {}, gamma: 'crashed' });
  assert.equal(step(loop).escalation?.reason, 'no-verdict');
});

test('no quorum outvotes a finding', () => {
  for (const quorum of ['any', 'majority', 'all'] as const) {
    const loop = reviewPanel(due(['beta', 'gamma', 'delta'], { quorum }), { beta: {}, gamma: { raised: [makeRaised()] }, delta: {} });
    assert.equal(loop.rounds[0]?.verdict, 'changes_requested', quorum);
    assert.deepEqual(
      loop.rounds[0]?.reviews.map(({ stance }) => stance),
      ['approved', 'changes_requested', 'approved'],
    );
  }
});

test('static analysis beside others is not counted, but its findings block', () => {
  const alone = twice(due(['builtin', 'beta'], { quorum: 'any' }), { builtin: {}, beta: 'crashed' });
  assert.equal(step(alone).escalation?.reason, 'no-verdict');
  assert.equal(twice(due(['builtin', 'beta']), { builtin: 'crashed', beta: {} }).rounds[0]?.verdict, 'approved');
  assert.equal(
    reviewPanel(due(['builtin', 'beta']), { builtin: { raised: [makeRaised()] }, beta: {} }).rounds[0]?.verdict,
    'changes_requested',
  );
});

test('static analysis alone is a reviewer like any other', () => {
  assert.equal(review(due(['builtin'])).rounds[0]?.verdict, 'approved');
});

test('a lost member beside a blocking finding is shown, nothing more', () => {
  const loop = twice(due(['beta', 'gamma']), { beta: { raised: [makeRaised()] }, gamma: 'timed-out' });
  const [round] = loop.rounds;
  assert.deepEqual([round?.verdict, round?.lost.map(({ member }) => member)], ['changes_requested', ['gamma']]);
  assert.deepEqual(round?.notes, ['Round 1: gamma gave no answer that counts (crashed).']);
  assert.equal(decide(loop).do, 'fix');
});

test('a lost member is asked once more and then replaced, while the others’ answers are kept', () => {
  let loop = reviewPanel(due(['beta', 'gamma'], { fallback: ['delta'] }), { beta: {}, gamma: 'crashed' });
  assert.deepEqual(asked(loop), { gamma: 'gamma' });
  loop = reviewPanel(loop, { gamma: 'crashed' });
  assert.deepEqual(asked(loop), { gamma: 'delta' });
  loop = reviewPanel(loop, { gamma: {} });
  assert.deepEqual(
    loop.rounds[0]?.reviews.map(({ member, agent }) => [member, agent]),
    [
      ['beta', 'beta'],
      ['gamma', 'delta'],
    ],
  );
});

test('the same fallback does not sit twice, nor does a member sit for another', () => {
  const loop = loseReview(loseReview(due(['beta', 'gamma'], { fallback: ['gamma', 'delta'] }), 'crashed'), 'crashed');
  assert.deepEqual(asked(loop), { beta: 'delta' });
});

test('a fallback that was lost for one member is not tried for the next', () => {
  let loop = reviewPanel(due(['beta', 'gamma'], { fallback: ['delta'] }), { beta: 'crashed', gamma: 'crashed' });
  loop = reviewPanel(loop, { beta: 'crashed', gamma: 'crashed' });
  loop = step(reviewPanel(loop, { beta: 'crashed' }));
  assert.equal(loop.escalation?.reason, 'no-verdict');
});

test('without enough answers going on without the lost one is offered, if an answer that counts is there', () => {
  const some = step(twice(due(['beta', 'gamma']), { beta: {}, gamma: 'crashed' }));
  assert.deepEqual(choicesOf(some), ['fix-manually', 'accept', 'retry', 'reassign', 'continue-without', 'cancel']);
  const none = step(twice(due(['beta', 'gamma']), { beta: 'crashed', gamma: 'crashed' }));
  assert.ok(!choicesOf(none).includes('continue-without'));
  const uncounted = step(twice(due(['builtin', 'gamma']), { builtin: {}, gamma: 'crashed' }));
  assert.ok(!choicesOf(uncounted).includes('continue-without'));
});

test('going on without the lost member approves with the rest, and the round says so', () => {
  const asking = step(twice(due(['beta', 'gamma']), { beta: {}, gamma: 'crashed' }));
  const loop = append(asking, { type: 'decided', choice: 'continue-without', ...person });
  assert.deepEqual([loop.rounds[0]?.verdict, loop.rounds[0]?.without], ['approved', ['gamma']]);
  assert.equal(step(loop).state, 'approved');
});

test('a member that a person went on without sits again in the next round', () => {
  let loop = step(twice(due(['beta', 'gamma']), { beta: { raised: [makeRaised({ severity: 'low' })] }, gamma: 'crashed' }));
  loop = append(loop, { type: 'decided', choice: 'continue-without', ...person });
  loop = append(step(loop), { type: 'overridden', override: 'takeover', by: 'Test Person', reason: null, verdict: null, review: false });
  loop = append(loop, { type: 'moved', head: { commit: 'theirs', tree: 'tree-theirs' }, descends: true });
  loop = append(loop, { type: 'overridden', override: 'handback', by: 'Test Person', reason: null, verdict: null, review: false });
  assert.deepEqual(asked(loop), { beta: 'beta', gamma: 'gamma' });
});

test('a member that tampered never sits again, in no round', () => {
  let loop = reviewPanel(due(['beta', 'gamma'], { fallback: ['delta'] }), { beta: 'tampered', gamma: {} });
  assert.deepEqual(asked(loop), { beta: 'delta' });
  loop = reviewPanel(loop, { beta: { raised: [makeRaised()] } });
  assert.deepEqual(asked(fix(loop, committed('2'))), { beta: 'delta', gamma: 'gamma' });
});

test('a tripwire that voids a review counts as tampering whatever the answer says', () => {
  const loop = review(due(['beta']), { proof: { tripwire: { before: 'a', after: 'b' } } });
  assert.deepEqual([loop.tampered, loop.rounds], [['beta'], []]);
});

test('a panel that lost a member to tampering asks a person, and that outranks other losses', () => {
  const loop = step(twice(due(['beta', 'gamma', 'delta']), { beta: 'tampered', gamma: {}, delta: 'crashed' }));
  assert.equal(loop.escalation?.reason, 'tampered');
  assert.deepEqual(choicesOf(loop), ['fix-manually', 'accept', 'reassign', 'continue-without', 'cancel']);
});

test('a foreign call on the result channel is no verdict, not tampering', () => {
  const loop = reviewPanel(due(['beta']), { beta: 'foreign-call' });
  assert.deepEqual([loop.tampered, asked(loop)], [[], { beta: 'beta' }]);
});

test('what two members raise is one finding, with the worst severity, both names and both wordings', () => {
  const loop = reviewPanel(due(['beta', 'gamma']), {
    beta: { raised: [makeRaised({ severity: 'medium' })] },
    gamma: { raised: [makeRaised({ severity: 'critical', line: 4, description: 'The greeting is empty here.' })] },
  });
  const [finding, ...others] = loop.findings;
  assert.equal(others.length, 0);
  assert.deepEqual([finding?.severity, finding?.raisedBy.toSorted()], ['critical', ['beta', 'gamma']]);
  assert.deepEqual([finding?.description, finding?.also], ['The greeting is empty here.', ['The greeting is empty.']]);
  assert.deepEqual(
    loop.rounds[0]?.reviews.map(({ findingIds }) => findingIds),
    [['29.1'], ['29.1']],
  );
});

test('a merged finding is about security if any member says so', () => {
  const loop = reviewPanel(due(['beta', 'gamma']), {
    beta: { raised: [makeRaised({ severity: 'critical' })] },
    gamma: { raised: [makeRaised({ severity: 'low', category: 'security' })] },
  });
  assert.deepEqual(
    loop.findings.map(({ severity, category }) => [severity, category]),
    [['critical', 'security']],
  );
});

test('the severity of a finding is that of the newest round that raised it', () => {
  let loop = reviewPanel(due(['beta', 'gamma']), { beta: { raised: [makeRaised({ severity: 'critical' })] }, gamma: {} });
  loop = fix(loop, committed('2'));
  loop = reviewPanel(loop, {
    beta: { raised: [makeRaised({ severity: 'low' })] },
    gamma: { raised: [makeRaised({ severity: 'medium' })] },
  });
  assert.deepEqual([loop.findings[0]?.severity, loop.rounds[1]?.verdict], ['medium', 'changes_requested']);
});

test('a discussion that one member asks for goes before the findings of the others', () => {
  const loop = reviewPanel(due(['beta', 'gamma']), {
    beta: { raised: [makeRaised()] },
    gamma: { reading: { claim: 'needs_discussion', summary: 'Which zone?' } },
  });
  assert.deepEqual([loop.rounds[0]?.verdict, loop.rounds[0]?.why], ['needs_discussion', 'gamma asks for a discussion']);
  assert.deepEqual([step(loop).escalation?.reason, step(loop).escalation?.why], ['needs-discussion', 'gamma: Which zone?']);
});

test('retry asks the lost member again and keeps the answers that count', () => {
  const asking = step(twice(due(['beta', 'gamma']), { beta: {}, gamma: 'crashed' }));
  for (const event of [retry, { type: 'decided', choice: 'retry', ...person } as const]) {
    const loop = append(asking, event);
    assert.deepEqual(asked(loop), { gamma: 'gamma' });
    assert.equal(reviewPanel(loop, { gamma: {} }).rounds[0]?.verdict, 'approved');
  }
});

test('reassigning replaces the lost member alone', () => {
  const asking = step(twice(due(['beta', 'gamma']), { beta: {}, gamma: 'crashed' }));
  const loop = append(asking, { type: 'decided', choice: 'reassign', ...person, agent: 'alpha' });
  assert.deepEqual([loop.roles.reviewer, asked(loop)], [['beta', 'alpha'], { alpha: 'alpha' }]);
  assert.equal(reviewPanel(loop, { alpha: {} }).rounds[0]?.verdict, 'approved');
});

test('a member of the panel cannot take another seat of it', () => {
  const asking = step(twice(due(['beta', 'gamma']), { beta: {}, gamma: 'crashed' }));
  assert.throws(() => append(asking, { type: 'decided', choice: 'reassign', ...person, agent: 'beta' }), /beta sits on the panel already/);
});

test('after an interruption only the members run again that had not answered', () => {
  const half = reviewPanel(due(['beta', 'gamma', 'delta']), { gamma: {}, delta: 'crashed' });
  const loop = append(half, { type: 'interrupted', token: half.current?.token ?? 0, why: 'the process died', session: null });
  assert.deepEqual(sessions(loop), [
    { member: 'beta', agent: 'beta', attempt: 1, repair: false },
    { member: 'delta', agent: 'delta', attempt: 2, repair: false },
  ]);
  const { rounds } = reviewPanel(loop, { beta: {}, delta: {} });
  assert.deepEqual(
    rounds[0]?.reviews.map(({ member }) => member),
    ['beta', 'gamma', 'delta'],
  );
});

test('an interruption books the reservations of the sessions that it ended, not of those that had answered', () => {
  const panel = makePanel(['beta', 'gamma'], { policy: { ceilingUsd: { loop: 5, run: null, day: null } } });
  const paid = (name: string): AgentSpec => plainAgent({ name, driver: 'command', run: ['x'], model: 'm', sessionUsd: 1 });
  const settings = { ...panel, agents: { ...panel.agents, beta: paid('beta'), gamma: paid('gamma') } };
  const half = reviewPanel(author(makeLoop({ settings }), committed('1')), { gamma: {} });
  const loop = append(half, { type: 'interrupted', token: half.current?.token ?? 0, why: 'the process died', session: null });
  assert.deepEqual([loop.spend.usd, loop.spend.estimated], [1, true]);
});

test('a new head takes all seats anew', () => {
  const half = reviewPanel(due(['beta', 'gamma']), { gamma: {} });
  const loop = append(half, { type: 'moved', head: { commit: 'theirs', tree: 'tree-theirs' }, descends: true });
  assert.deepEqual(asked(loop), { beta: 'beta', gamma: 'gamma' });
});

test('an answer that counts only beside a blocking finding is tried again when another member makes that finding milder', () => {
  let loop = fix(reviewPanel(due(['beta', 'gamma']), { beta: { raised: [makeRaised()] }, gamma: {} }), committed('2'));
  const said = { changed: { 'elsewhere.ts': [1] } };
  loop = reviewPanel(loop, {
    beta: { ...said, reading: { mayApprove: false, channel: 'text' } },
    gamma: { ...said, raised: [makeRaised({ severity: 'low' })] },
  });
  assert.deepEqual([loop.rounds.length, asked(loop)], [1, { beta: 'beta' }]);
  assert.equal(reviewPanel(loop, { beta: said }).rounds[1]?.verdict, 'approved');
  const lost = step(reviewPanel(loop, { beta: { ...said, reading: { mayApprove: false, channel: 'text' } } }));
  assert.equal(lost.escalation?.reason, 'no-verdict');
  assert.deepEqual(asked(append(lost, { type: 'decided', choice: 'retry', ...person })), { beta: 'beta' });
});

test('static analysis takes the seat of nobody beside others', () => {
  const settings = makePanel(['beta', 'gamma']);
  const agents = { ...settings.agents, builtin: plainAgent({ name: 'builtin', driver: 'builtin' }) };
  const roles = { ...settings.roles, fallback: ['builtin'] };
  let loop = author(makeLoop({ settings: { ...settings, agents, roles } }), committed('1'));
  loop = loseReview(reviewPanel(loop, { beta: 'crashed', gamma: {} }), 'crashed');
  const action = decide(loop);
  assert.ok(action.do === 'escalate' && action.reason === 'no-verdict', JSON.stringify(action));
});
