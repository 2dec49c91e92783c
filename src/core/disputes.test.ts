import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  append,
  arbitrate,
  author,
  committed,
  dispute,
  fix,
  headOf,
  loseReview,
  makeLoop,
  makePanel,
  makeRaised,
  makeSession,
  makeSettings,
  makeTask,
  review,
  reviewPanel,
  rule,
  step,
  tokenOf,
} from '../../test/support/loops.ts';
import { choicesOf } from './choices.ts';
import { decide } from './decide.ts';
import { arbiterOf } from './disputes.ts';
import type { Event } from './event.ts';
import type { RaisedFinding } from './finding.ts';
import type { Loop } from './loop.ts';
import type { Roles, Settings } from './settings.ts';

const person = { by: 'Test Person', reason: null, agent: null, ceilingUsd: null } as const;
const OTHER = makeRaised({ file: 'b.ts', description: 'Tests are missing.' });

/** A loop whose first review raised this. */
function rejected(raised: readonly RaisedFinding[] = [makeRaised()], settings: Settings = makeSettings()): Loop {
  return review(author(makeLoop({ settings }), committed('1')), { raised });
}

function failArbiter(loop: Loop, reason: 'agent-failed' | 'timed-out' | 'over-budget'): Loop {
  const started = step(loop);
  const outcome = { kind: 'failed', reason, message: 'it broke' } as const;
  return append(started, { type: 'arbitrated', token: tokenOf(started), outcome, session: null });
}

/** Who rules, with these roles. */
function arbiter(roles: Partial<Roles>): string | null {
  return arbiterOf(makeLoop({ settings: makePanel(roles.reviewer ?? ['beta'], { roles }) }));
}

test('after the fix is committed the arbiter rules on the disputes, before gates and review', () => {
  const gates = [{ name: 'test', run: 'npm test', cwd: '.', paths: [], network: false }];
  let loop = author(makeLoop({ settings: makeSettings({ gates }) }), committed('1'));
  const gated = (one: Loop): Loop => append(step(one), { type: 'gated', token: step(one).seq, tree: one.head?.tree ?? '', results: [] });
  loop = dispute(review(gated(loop), { raised: [makeRaised()] }), ['29.1'], '2');
  assert.deepEqual(decide(loop), { do: 'arbitrate', round: 1, findingIds: ['29.1'], agent: 'beta', why: 'the fixer disputes 29.1' });
  assert.equal(step(loop).state, 'refining');
  assert.equal(decide(arbitrate(loop, { '29.1': 'upheld' })).do, 'gates');
});

test('the configured arbiter rules', () => {
  assert.equal(arbiter({ arbiter: 'gamma', fallback: ['delta'] }), 'gamma');
});

test('without one, an agent rules that neither fixes nor reviews', () => {
  assert.equal(arbiter({ fallback: ['alpha', 'beta', 'delta'] }), 'delta');
  assert.equal(arbiter({ author: 'gamma' }), 'gamma');
});

test('without such an agent the reviewer rules, even if it is the fixer too', () => {
  assert.equal(arbiter({}), 'beta');
  assert.equal(arbiter({ reviewer: ['alpha', 'beta'] }), 'beta');
  assert.equal(arbiter({ reviewer: ['alpha'] }), 'alpha');
});

test('static analysis rules on nothing, so a person is asked', () => {
  assert.equal(arbiter({ reviewer: ['builtin'] }), null);
  const loop = step(dispute(rejected([makeRaised()], makePanel(['builtin'])), ['29.1']));
  assert.equal(loop.escalation?.reason, 'disputed');
  assert.deepEqual(choicesOf(loop), ['fix-manually', 'accept', 'uphold', 'refute', 'cancel']);
});

test('what is refuted is closed, and the same head is approved without another review', () => {
  const loop = step(arbitrate(dispute(rejected(), ['29.1']), { '29.1': 'refuted' }));
  assert.deepEqual([loop.state, loop.rounds.length, loop.findings[0]?.status], ['approved', 1, 'refuted']);
  assert.equal(loop.approval?.by === 'review' ? loop.approval.proof.head : null, headOf('1').commit);
  assert.deepEqual(loop.findings[0]?.ruling, {
    ruling: 'refuted',
    by: 'beta',
    person: false,
    note: 'it is refuted',
    from: null,
    remembered: true,
  });
});

test('what is refuted beside something that still blocks leaves the round rejected', () => {
  const loop = arbitrate(dispute(rejected([makeRaised(), OTHER]), ['29.1']), { '29.1': 'refuted' });
  assert.deepEqual([loop.rounds[0]?.verdict, loop.rounds[0]?.blockingIds], ['changes_requested', ['29.2']]);
  assert.equal(decide(loop).do, 'fix');
});

test('what is refuted with a new commit goes to the next review', () => {
  const loop = arbitrate(dispute(rejected(), ['29.1'], '2'), { '29.1': 'refuted' });
  const action = decide(loop);
  assert.ok(action.do === 'review' && action.round === 2);
  assert.equal(loop.approval, null);
});

test('what was refuted stays closed when it is raised again about the same code', () => {
  const loop = arbitrate(dispute(rejected([makeRaised(), OTHER]), ['29.1'], '2'), { '29.1': 'refuted' });
  const again = review(loop, { raised: [makeRaised()], changed: { 'b.ts': [3] } });
  assert.deepEqual([again.rounds[1]?.verdict, again.findings[0]?.status], ['approved', 'refuted']);
});

test('what is upheld while the code is as it was goes to the fixer again in the same round, with the ruling', () => {
  const loop = arbitrate(dispute(rejected(), ['29.1']), { '29.1': 'upheld' });
  const action = decide(loop);
  assert.ok(action.do === 'fix' && action.round === 1 && action.cause === 'review');
  assert.deepEqual([loop.findings[0]?.status, loop.findings[0]?.ruling?.note], ['persisting', 'it is upheld']);
});

test('what the arbiter says nothing about stands', () => {
  const loop = arbitrate(dispute(rejected(), ['29.1']), {});
  assert.deepEqual([loop.findings[0]?.status, loop.findings[0]?.ruling?.ruling], ['persisting', 'upheld']);
});

test('the arbiter rules on what is disputed alone', () => {
  const loop = arbitrate(dispute(rejected([makeRaised(), OTHER]), ['29.1']), { '29.1': 'upheld', '29.2': 'refuted' });
  assert.equal(loop.findings[1]?.status, 'open');
});

test('what is disputed again after it was upheld goes to a person', () => {
  const upheld = arbitrate(dispute(rejected(), ['29.1']), { '29.1': 'upheld' });
  const loop = step(dispute(upheld, ['29.1']));
  assert.deepEqual(
    [loop.escalation?.reason, loop.escalation?.why],
    ['disputed', 'the fixer disputes 29.1, which was upheld before: line 3 is never empty'],
  );
});

test('a dispute about security goes to no arbiter but to a person', () => {
  const loop = step(dispute(rejected([makeRaised({ category: 'security' })]), ['29.1']));
  assert.deepEqual(
    [loop.escalation?.reason, loop.escalation?.why],
    ['disputed', 'the fixer disputes 29.1, which is about security: line 3 is never empty'],
  );
});

test('a dispute of a person’s finding goes to a person', () => {
  const loop = step(dispute(rejected([makeRaised({ source: 'person', raisedBy: ['Test Person'] })]), ['29.1']));
  assert.equal(loop.escalation?.reason, 'disputed');
  assert.match(loop.escalation?.why ?? '', /which a person raised: /);
});

test('the arbiter rules on its disputes before a person is asked about the others', () => {
  const loop = dispute(rejected([makeRaised({ category: 'security' }), OTHER]), ['29.1', '29.2']);
  const action = decide(loop);
  assert.deepEqual(action.do === 'arbitrate' ? action.findingIds : null, ['29.2']);
  const ruled = step(arbitrate(loop, { '29.1': 'refuted', '29.2': 'refuted' }));
  assert.deepEqual([ruled.escalation?.reason, ruled.findings[0]?.status], ['disputed', 'disputed']);
});

test('a dispute of what does not block goes to nobody', () => {
  const loop = dispute(rejected([makeRaised(), makeRaised({ ...OTHER, severity: 'low' })]), ['29.2'], '2');
  assert.equal(decide(loop).do, 'review');
});

test('an arbiter that fails is tried once more, then its fallback, then a person is asked', () => {
  let loop = dispute(rejected([makeRaised()], makeSettings({ roles: { arbiter: 'beta', fallback: ['gamma'] } })), ['29.1']);
  const asked: string[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const action = decide(loop);
    asked.push(action.do === 'arbitrate' ? action.agent : action.do);
    loop = failArbiter(loop, 'timed-out');
  }
  assert.deepEqual(asked, ['beta', 'beta', 'gamma']);
  assert.deepEqual([step(loop).escalation?.reason, step(loop).findings[0]?.status], ['disputed', 'disputed']);
});

test('an arbiter that used up its money asks for more, and rules then', () => {
  const asking = step(failArbiter(dispute(rejected(), ['29.1']), 'over-budget'));
  assert.equal(asking.escalation?.reason, 'ceiling');
  const loop = append(asking, { type: 'decided', choice: 'raise-ceiling', ...person, ceilingUsd: 5 });
  assert.deepEqual([decide(loop).do, loop.arbiter.failures], ['arbitrate', 0]);
});

test('an approval by a ruling needs the quorum too: where a member was lost, a person is asked', () => {
  let loop = author(makeLoop({ settings: makePanel(['beta', 'gamma']) }), committed('1'));
  loop = loseReview(reviewPanel(loop, { beta: { raised: [makeRaised()] }, gamma: 'crashed' }), 'crashed');
  loop = arbitrate(dispute(loop, ['29.1']), { '29.1': 'refuted' });
  const action = decide(loop);
  assert.ok(action.do === 'escalate' && action.reason === 'no-verdict');
  assert.deepEqual([loop.approval, choicesOf(step(loop)).includes('continue-without')], [null, true]);
});

test('a question that the fixer leaves to a person is asked before the arbiter rules', () => {
  const resolutions = [
    { findingId: '29.1', status: 'disputed' as const, note: 'no', places: [] },
    { findingId: '29.2', status: 'needs_person' as const, note: 'which framework?', places: [] },
  ];
  const loop = step(fix(rejected([makeRaised(), OTHER]), { kind: 'unchanged' }, resolutions));
  assert.deepEqual([loop.escalation?.reason, loop.escalation?.why], ['needs-discussion', 'the fixer asks about 29.2: which framework?']);
});

test('a person refutes or upholds all open disputes with one word', () => {
  const asking = step(dispute(rejected([makeRaised({ category: 'security' })]), ['29.1']));
  const refuted = step(append(asking, { type: 'decided', choice: 'refute', ...person }));
  assert.deepEqual([refuted.state, refuted.findings[0]?.ruling?.person], ['approved', true]);
  const upheld = append(asking, { type: 'decided', choice: 'uphold', ...person });
  assert.deepEqual([decide(upheld).do, upheld.findings[0]?.status], ['fix', 'persisting']);
});

test('a person’s ruling closes the escalation that it answers', () => {
  const disputed = step(dispute(rejected([makeRaised({ category: 'security' })]), ['29.1']));
  assert.equal(step(rule(disputed, '29.1', 'refute')).state, 'approved');
  const upheld = rule(disputed, '29.1', 'uphold');
  assert.deepEqual([upheld.escalation, decide(upheld).do], [null, 'fix']);
});

test('an escalation stays open while something that it asks about blocks', () => {
  const both = [makeRaised({ category: 'security' }), makeRaised({ ...OTHER, category: 'security' })];
  const disputed = step(dispute(rejected(both), ['29.1', '29.2']));
  const loop = rule(disputed, '29.1', 'refute');
  assert.equal(loop.escalation?.reason, 'disputed');
  assert.equal(step(rule(loop, '29.2', 'accept')).state, 'approved');
});

test('a person who accepts the last blocking finding ends the question about used up rounds', () => {
  const asking = step(rejected([makeRaised()], makeSettings({ policy: { maxRounds: 1 } })));
  assert.equal(asking.escalation?.reason, 'max-rounds');
  const loop = step(rule(asking, '29.1', 'accept'));
  assert.deepEqual([loop.state, loop.approval?.by, loop.finalVerdict], ['approved', 'review', 'APPROVED']);
});

test('a question that is not about findings is not answered by a ruling', () => {
  const fixing = step(rejected());
  const asking = append(fixing, { type: 'checkout-lost', token: tokenOf(fixing), why: 'the folder is gone' });
  assert.equal(rule(asking, '29.1', 'refute').escalation?.reason, 'checkout-missing');
});

test('a loop at rest after a blocking review is approved once nothing blocks any more', () => {
  const resting = step(rejected([makeRaised(), OTHER], makeSettings({ autoIterate: false })));
  assert.equal(resting.state, 'self_review_failed');
  const once = rule(resting, '29.1', 'refute');
  assert.equal(once.state, 'self_review_failed');
  assert.equal(step(rule(once, '29.2', 'accept')).state, 'approved');
});

test('a finding that is reopened on an approved loop takes the approval back and rests with the choices', () => {
  const task = makeTask({ kind: 'review', source: { kind: 'branch', branch: 'x' } });
  const resting = step(review(makeLoop({ task }), { raised: [makeRaised()] }));
  const approved = step(rule(resting, '29.1', 'accept'));
  assert.equal(approved.state, 'approved');
  const loop = rule(approved, '29.1', 'reopen');
  assert.deepEqual([loop.state, loop.approval, loop.finalVerdict], ['self_review_failed', null, 'CHANGES_REQUESTED']);
  assert.deepEqual(choicesOf(loop), ['refine', 'accept', 'cancel']);
  assert.equal(decide(append(loop, { type: 'decided', choice: 'refine', ...person })).do, 'fix');
});

test('a person’s own approval stands although a finding is reopened', () => {
  const resting = step(rejected([makeRaised(), OTHER], makeSettings({ autoIterate: false })));
  const accepted = step(append(rule(resting, '29.1', 'refute'), { type: 'decided', choice: 'accept', ...person }));
  const loop = rule(accepted, '29.1', 'reopen');
  assert.deepEqual([loop.state, loop.approval?.by], ['approved', 'person']);
});

test('a ruling that leaves nothing blocking supersedes the running fix, whose result is refused', () => {
  const fixing = step(rejected());
  const token = tokenOf(fixing);
  const loop = rule(fixing, '29.1', 'refute');
  assert.deepEqual([loop.current, step(loop).state], [null, 'approved']);
  const late: Event = { type: 'fixed', token, outcome: committed('2'), summary: null, resolutions: [], strayed: [], session: null };
  assert.throws(() => append(loop, late), /superseded/);
});

test('a ruling beside something that blocks lets the running fix go on', () => {
  const fixing = step(rejected([makeRaised(), OTHER]));
  const loop = rule(fixing, '29.1', 'refute');
  assert.deepEqual(loop.current, fixing.current);
  assert.equal(decide(fix(loop, committed('2'))).do, 'review');
});

test('a ruling during a review counts when the review ends', () => {
  const reviewing = step(fix(rejected(), committed('2')));
  const ruled = rule(reviewing, '29.1', 'refute');
  assert.deepEqual(ruled.current, reviewing.current);
  const loop = review(ruled, { raised: [makeRaised()] });
  assert.deepEqual([loop.findings[0]?.status, loop.rounds[1]?.verdict], ['refuted', 'approved']);
});

test('a person’s reason to uphold reaches the fixer as guidance', () => {
  const disputed = step(dispute(rejected([makeRaised({ category: 'security' })]), ['29.1']));
  const loop = append(disputed, {
    type: 'ruled',
    findingId: '29.1',
    ruling: 'uphold',
    by: 'Test Person',
    reason: 'names come from outside',
  });
  assert.deepEqual(loop.guidance, [{ by: 'Test Person', text: 'names come from outside' }]);
});

test('a ruling that makes no sense is refused in words', () => {
  const gates = [{ name: 'test', run: 'npm test', cwd: '.', paths: [], network: false }];
  const red = { name: 'test', passed: false, exitCode: 1, timedOut: false, output: '', reran: true, redBefore: false, durationMs: 1 };
  const gating = step(author(makeLoop({ settings: makeSettings({ gates }) }), committed('1')));
  const gated = append(gating, { type: 'gated', token: tokenOf(gating), tree: headOf('1').tree, results: [red] });
  const refuted = rule(rejected(), '29.1', 'refute');
  assert.throws(() => rule(rejected(), '29.7', 'refute'), /there is no finding 29\.7/);
  assert.throws(() => rule(rejected(), '29.1', 'uphold'), /nobody disputes 29\.1/);
  assert.throws(() => rule(rejected(), '29.1', 'reopen'), /29\.1 is open/);
  assert.throws(() => rule(refuted, '29.1', 'refute'), /29\.1 is refuted already/);
  assert.throws(() => rule(rule(rejected(), '29.1', 'accept'), '29.1', 'accept'), /29\.1 is accepted already/);
  assert.throws(() => rule(gated, '29.1', 'refute'), /29\.1 is a gate; it closes when the gate passes/);
});

test('neither a cancelled loop nor work that has landed is ruled on', () => {
  const cancelled = append(rejected(), {
    type: 'overridden',
    override: 'cancel',
    by: 'Test Person',
    reason: null,
    verdict: null,
    review: false,
  });
  assert.throws(() => rule(cancelled, '29.1', 'refute'), /the loop was cancelled/);
  const approved = step(rule(step(rejected()), '29.1', 'accept'));
  const landed = append(approved, { type: 'landed', onto: 'main', commit: 'commit-1', by: 'Test Person' });
  assert.throws(() => rule(landed, '29.1', 'reopen'), /the work has landed on main/);
});

test('a refutation that is taken back blocks again', () => {
  const refuted = step(rule(rejected([makeRaised()], makeSettings({ autoIterate: false })), '29.1', 'refute'));
  assert.equal(refuted.state, 'approved');
  const loop = rule(refuted, '29.1', 'uphold');
  assert.deepEqual([loop.state, loop.findings[0]?.status], ['self_review_failed', 'persisting']);
});

test('a remembered refutation can be forgotten once, and the loop goes on as it did', () => {
  const refuted = rule(rejected(), '29.1', 'refute');
  const forget: Event = { type: 'forgotten', findingId: '29.1', by: 'Test Person', reason: null };
  const loop = append(refuted, forget);
  assert.deepEqual([loop.findings[0]?.status, loop.findings[0]?.ruling?.remembered], ['refuted', false]);
  assert.throws(() => append(loop, forget), /nothing is remembered of 29\.1/);
});

const broken = { kind: 'failed', reason: 'agent-failed', message: 'it broke', partial: null } as const;

test('a fallback that made the fix does not rule on its own dispute, nor does it stand in for the arbiter', () => {
  const agents = (roles: Partial<Roles>): readonly string[] => {
    let loop = fix(fix(rejected([makeRaised()], makePanel(['beta'], { roles: { fallback: ['helper'], ...roles } })), broken), broken);
    loop = step(loop);
    const agent = loop.current?.action.do === 'fix' ? loop.current.action.agent : '';
    const resolutions = [{ findingId: '29.1', status: 'disputed' as const, note: 'no', places: [] }];
    const session = makeSession(agent, { role: 'fixer' });
    loop = append(loop, {
      type: 'fixed',
      token: tokenOf(loop),
      outcome: { kind: 'unchanged' },
      summary: null,
      resolutions,
      strayed: [],
      session,
    });
    const asked = [agent];
    for (let action = decide(loop); action.do === 'arbitrate'; action = decide(loop)) {
      asked.push(action.agent);
      loop = failArbiter(loop, 'agent-failed');
    }
    return asked;
  };
  assert.deepEqual(agents({}), ['helper', 'beta', 'beta']);
  assert.deepEqual(agents({ arbiter: 'helper' }), ['helper', 'beta', 'beta']);
  assert.deepEqual(agents({ arbiter: 'gamma' }), ['helper', 'gamma', 'gamma']);
});

test('what a person brought back and the fixer disputes goes to a person, not to the arbiter', () => {
  const approved = step(arbitrate(dispute(rejected(), ['29.1']), { '29.1': 'refuted' }));
  const reopened = append(rule(approved, '29.1', 'reopen'), { type: 'decided', choice: 'refine', ...person });
  const loop = step(dispute(reopened, ['29.1']));
  assert.deepEqual(
    [loop.escalation?.reason, loop.escalation?.why],
    ['disputed', 'the fixer disputes 29.1, which was reopened before: line 3 is never empty'],
  );
});

test('an arbiter that failed before a person ruled is asked about the next dispute', () => {
  const next = makeRaised({ file: 'c.ts', line: 90, description: 'A division by zero when the total is nought.' });
  const failed = (): Loop => {
    const loop = dispute(rejected([makeRaised()], makeSettings({ roles: { arbiter: 'gamma' } })), ['29.1'], '2');
    return step(failArbiter(failArbiter(loop, 'agent-failed'), 'agent-failed'));
  };
  assert.equal(failed().escalation?.reason, 'disputed');
  for (const ruled of [append(failed(), { type: 'decided', choice: 'refute', ...person }), rule(failed(), '29.1', 'refute')]) {
    const action = decide(dispute(review(ruled, { raised: [next] }), ['29.2'], '3'));
    assert.deepEqual([action.do, action.do === 'arbitrate' ? action.findingIds : null], ['arbitrate', ['29.2']]);
  }
});
