import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  append,
  arbitrate,
  author,
  committed,
  dispute,
  fix,
  loseReview,
  makeDelta,
  makeLoop,
  makePanel,
  makeRaised,
  makeSettings,
  review,
  reviewPanel,
  rule,
  step,
  tokenOf,
} from '../../test/support/loops.ts';
import { decide } from './decide.ts';
import type { Loop } from './loop.ts';
import type { Settings } from './settings.ts';

const person = { by: 'Test Person', reason: null, agent: null, ceilingUsd: null } as const;
const retry = { type: 'overridden', override: 'retry', by: 'Test Person', reason: null, verdict: null, review: false } as const;
const handback = { type: 'overridden', override: 'handback', by: 'Test Person', reason: null, verdict: null, review: false } as const;

test('a loop whose reviewer may not approve ends, although every finding is refuted', () => {
  let loop = author(makeLoop(), committed('1'));
  for (let turn = 1; turn <= 10 && decide(loop).do === 'review'; turn += 1) {
    const raised = [makeRaised({ file: `${turn}.ts`, description: `Number ${turn} is wrong.` })];
    loop = dispute(review(loop, { raised, reading: { channel: 'text', mayApprove: false } }), [`29.${turn}`]);
    loop = arbitrate(loop, { [`29.${turn}`]: 'refuted' });
  }
  assert.notEqual(decide(loop).do, 'review');
});

test('a loop with a lost member ends, although every finding is refuted', () => {
  let loop = author(makeLoop({ settings: makePanel(['beta', 'gamma']) }), committed('1'));
  for (let turn = 1; turn <= 10 && decide(loop).do === 'review'; turn += 1) {
    const raised = [makeRaised({ file: `${turn}.ts`, description: `Number ${turn} is wrong.` })];
    loop = loseReview(reviewPanel(loop, { beta: { raised }, gamma: 'crashed' }), 'crashed');
    loop = arbitrate(dispute(loop, [`29.${turn}`]), { [`29.${turn}`]: 'refuted' });
  }
  assert.notEqual(decide(loop).do, 'review');
});

test('an intent that was refuted and is not served by other code blocks again', () => {
  let loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised()], reading: { intentSatisfied: false } });
  const [intent = ''] = loop.findings.filter(({ tag }) => tag === 'spec-intent-mismatch').map(({ id }) => id);
  loop = arbitrate(dispute(loop, [intent], '2'), { [intent]: 'refuted' });
  loop = review(loop, { reading: { claim: 'changes_requested', intentSatisfied: false }, proof: { diffSha256: 'e'.repeat(64) } });
  assert.equal(loop.rounds[1]?.verdict, 'changes_requested');
});

test('a finding that the fix brought is not relaxed because another member puts it elsewhere', () => {
  let loop = author(makeLoop({ settings: makePanel(['beta', 'gamma']) }), committed('1'));
  loop = fix(reviewPanel(loop, { beta: { raised: [makeRaised()] }, gamma: {} }), committed('2'));
  const at = (line: number) => ({
    raised: [makeRaised({ line, severity: 'medium', description: 'The index may be negative.' })],
    changed: { 'a.ts': [3, 20] },
  });
  assert.equal(reviewPanel(loop, { beta: at(20), gamma: { changed: { 'a.ts': [3, 20] } } }).rounds[1]?.verdict, 'changes_requested');
  assert.equal(reviewPanel(loop, { beta: at(20), gamma: at(12) }).rounds[1]?.verdict, 'changes_requested');
});

test('a late security finding is not relaxed because a later round calls it something else', () => {
  const late = { file: 'far.ts', line: 90, severity: 'medium', description: 'The name is not escaped.' } as const;
  let loop = fix(review(author(makeLoop(), committed('1')), { raised: [makeRaised()] }), committed('2'));
  loop = fix(review(loop, { raised: [makeRaised({ ...late, category: 'security' })] }), committed('3'));
  assert.equal(review(loop, { raised: [makeRaised({ ...late, category: 'logic' })] }).rounds[2]?.verdict, 'changes_requested');
});

test('reassigning two lost members to one agent does not make the panel smaller', () => {
  let loop = author(makeLoop({ settings: makePanel(['beta', 'gamma', 'delta']) }), committed('1'));
  loop = step(loseReview(reviewPanel(loop, { beta: 'crashed', gamma: 'crashed', delta: {} }), 'crashed'));
  loop = append(loop, { type: 'decided', choice: 'reassign', ...person, agent: 'alpha' });
  assert.equal(loop.roles.reviewer.length, 3);
});

test('a ruling never leaves an approval beside an open question', () => {
  const failed = { kind: 'failed', reason: 'agent-failed', message: 'it broke', partial: null } as const;
  const rejected = review(author(makeLoop(), committed('1')), { raised: [makeRaised()] });
  const loop = rule(step(fix(fix(rejected, failed), failed)), '29.1', 'refute');
  assert.ok(loop.escalation === null || loop.approval === null, `${loop.escalation?.reason} beside ${loop.approval?.by}`);
});

test('handing back after a ruling does not bring a question back that the ruling answered', () => {
  let loop = step(dispute(review(author(makeLoop(), committed('1')), { raised: [makeRaised({ category: 'security' })] }), ['29.1']));
  loop = rule(append(loop, { type: 'decided', choice: 'fix-manually', ...person }), '29.1', 'refute');
  assert.equal(append(loop, handback).escalation, null);
});

test('a ruling on a loop that a person accepted leaves the approval in that name', () => {
  const resting = step(
    review(author(makeLoop({ settings: makeSettings({ autoIterate: false }) }), committed('1')), { raised: [makeRaised()] }),
  );
  const accepted = step(append(resting, { type: 'decided', choice: 'accept', ...person }));
  assert.equal(rule(accepted, '29.1', 'refute').approval?.by, 'person');
});

/** A loop that round 2 approved, because a fix changed the line that round 1 was not content with. */
function approvedOnce(): Loop {
  const loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised({ line: 4 })] });
  return review(fix(loop, committed('2')), { changed: { 'a.ts': [4] } });
}

/** What a review sees after a fix of line 51, which is all that changed since head 2. */
const ONLY_ELSEWHERE = [makeDelta('commit-1', { 'a.ts': [4, 51] }), makeDelta('commit-2', { 'a.ts': [51] })];

test('what a person brings back is not closed by a change that was made before', () => {
  let loop = rule(step(approvedOnce()), '29.1', 'reopen');
  loop = fix(append(loop, { type: 'decided', choice: 'refine', ...person }), committed('3'));
  loop = review(loop, { deltas: ONLY_ELSEWHERE });
  assert.deepEqual([loop.findings[0]?.status, loop.rounds[2]?.verdict], ['persisting', 'changes_requested']);
});

test('what a person brings back while a review runs is not closed by a change that was made before', () => {
  const other = makeRaised({ file: 'b.ts', line: 9, description: 'Tests are missing for the parser.' });
  let loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised()] });
  loop = step(fix(review(fix(loop, committed('2')), { raised: [other], changed: { 'a.ts': [3], 'b.ts': [9] } }), committed('3')));
  const deltas = [makeDelta('commit-1', { 'a.ts': [3], 'b.ts': [9] }), makeDelta('commit-2', { 'b.ts': [9] })];
  loop = review(rule(loop, '29.1', 'reopen'), { deltas: [...deltas, makeDelta('commit-3', {})] });
  assert.deepEqual([loop.findings[0]?.status, loop.rounds[2]?.blockingIds], ['persisting', ['29.1']]);
});

test('what an arbiter upholds is not closed by the very change that came with the dispute', () => {
  let loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised()] });
  loop = arbitrate(dispute(loop, ['29.1'], '2'), { '29.1': 'upheld' });
  loop = review(loop, { deltas: [makeDelta('commit-1', { 'a.ts': [3] }), makeDelta('commit-2', {})] });
  assert.deepEqual([loop.findings[0]?.status, loop.rounds[1]?.verdict], ['persisting', 'changes_requested']);
});

/** A loop whose code two reviews rejected in a channel that may not approve. */
function rejectedTwiceAsText(settings: Settings): Loop {
  const given = { raised: [makeRaised()], reading: { mayApprove: false, channel: 'text' } } as const;
  const once = step(review(author(makeLoop({ settings }), committed('1')), given));
  return step(review(append(once, retry), given));
}

test('a round that is open again is reviewed, and no older round of the same code speaks in its place', () => {
  for (const settings of [makeSettings({ autoIterate: false }), makeSettings({ policy: { maxRounds: 1 } })]) {
    const loop = rule(rejectedTwiceAsText(settings), '29.1', 'refute');
    const action = decide(loop);
    assert.deepEqual([action.do, action.do === 'review' ? action.round : null, loop.approval], ['review', 2, null]);
  }
});

test('a fix whose checkout was lost is not made up for once its last finding is refuted', () => {
  const fixing = step(review(author(makeLoop(), committed('1')), { raised: [makeRaised()] }));
  const lost = append(fixing, { type: 'checkout-lost', token: tokenOf(fixing), why: 'the folder is gone' });
  const loop = step(append(rule(lost, '29.1', 'refute'), { type: 'decided', choice: 'continue', ...person }));
  assert.deepEqual([loop.state, loop.approval?.by], ['approved', 'review']);
});

test('the reason of a round tells what blocks after a ruling, and its fix stays known', () => {
  const raised = [makeRaised(), makeRaised({ file: 'b.ts', description: 'Tests are missing.' })];
  let loop = review(author(makeLoop({ settings: makeSettings({ policy: { maxRounds: 1 } }) }), committed('1')), { raised });
  loop = rule(step(loop), '29.1', 'refute');
  assert.equal(loop.rounds[0]?.why, '1 blocking finding');
  const reopened = rule(step(rule(loop, '29.2', 'accept')), '29.2', 'reopen');
  assert.deepEqual([reopened.rounds[0]?.why, reopened.rounds[0]?.verdict], ['1 blocking finding', 'changes_requested']);
});

test('a fix that an arbiter sent back stays known, and the fixer is asked again', () => {
  let loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised()] });
  loop = arbitrate(dispute(loop, ['29.1']), { '29.1': 'upheld' });
  assert.deepEqual([loop.rounds[0]?.fix?.summary, loop.rounds[0]?.fix?.sentBack, decide(loop).do], ['mended', true, 'fix']);
});

test('a finding that is upheld is held at the lines where its code lies now', () => {
  const first = review(author(makeLoop(), committed('1')), { raised: [makeRaised({ line: 20 })] });
  const disputed = dispute(first, ['29.1'], '2');
  const action = decide(disputed);
  assert.ok(action.do === 'arbitrate');
  const started = append(disputed, { type: 'started', action });
  const above = { oldStart: 0, oldCount: 0, newStart: 1, newCount: 30 };
  const ruled = append(started, {
    type: 'arbitrated',
    token: started.current?.token ?? 0,
    outcome: { kind: 'rulings', rulings: [{ findingId: '29.1', ruling: 'upheld', note: 'it holds' }] },
    deltas: [{ from: first.head?.commit ?? '', files: [{ path: 'a.ts', oldPath: null, status: 'modified', hunks: [above] }] }],
    session: null,
  });
  const [finding] = ruled.findings;
  assert.deepEqual([finding?.line, finding?.origin], [50, { commit: ruled.head?.commit, file: 'a.ts', line: 50, lineEnd: null }]);
});

test('a mild remark near a blocking finding does not take its place', () => {
  const grave = makeRaised({ severity: 'critical', description: '`rate` returns undefined for an unknown level, and the caller crashes.' });
  const other = makeRaised({ file: 'b.ts', description: 'Digits are expected here.' });
  const mild = makeRaised({
    severity: 'suggestion',
    category: 'documentation',
    description: '`rate` has no documentation for an unknown level.',
  });
  const fixed = fix(review(author(makeLoop(), committed('1')), { raised: [grave, other] }), committed('2'));
  const loop = review(fixed, { raised: [mild], reading: { claim: 'approved' }, changed: { 'b.ts': [3] } });
  assert.equal(loop.rounds[1]?.verdict, 'changes_requested');
  assert.ok(loop.findings.some(({ severity, status }) => severity === 'critical' && status === 'persisting'));
});

test('what was refuted closes only what says the same, not what another member says beside it', () => {
  const length = makeRaised({ severity: 'medium', description: 'The user input is run without any check of its length.' });
  const root = makeRaised({ severity: 'critical', description: 'The user input is run as root, so anybody can delete every file.' });
  const hash = { codeHash: 'same code' };
  let loop = author(makeLoop({ settings: makePanel(['beta', 'gamma']) }), committed('1'));
  const elsewhere = makeRaised({ file: 'b.ts', description: 'Digits are expected here.' });
  loop = reviewPanel(loop, { beta: { raised: [{ ...length, ...hash }] }, gamma: { raised: [elsewhere] } });
  const id = loop.findings.find(({ description }) => description === length.description)?.id ?? '';
  loop = arbitrate(dispute(loop, [id], '2'), { [id]: 'refuted' });
  const changed = { 'b.ts': [3] };
  loop = reviewPanel(loop, { beta: { raised: [{ ...length, ...hash }], changed }, gamma: { raised: [{ ...root, ...hash }], changed } });
  const fates = Object.fromEntries(loop.findings.map(({ severity, status }) => [severity, status]));
  assert.deepEqual([loop.rounds[1]?.verdict, fates['medium'], fates['critical']], ['changes_requested', 'refuted', 'open']);
});

test('a gate that is disputed stays red, and nobody rules on it', () => {
  const red = { name: 't', passed: false, exitCode: 1, timedOut: false, output: '', reran: true, redBefore: false, durationMs: 1 };
  const settings = makeSettings({ gates: [{ name: 't', run: 't', cwd: '.', paths: [], network: false }] });
  let loop = author(makeLoop({ settings }), committed('1'));
  loop = append(loop, { type: 'started', action: decide(loop) });
  loop = append(loop, { type: 'gated', token: loop.current?.token ?? 0, tree: loop.head?.tree ?? '', results: [red] });
  const action = decide(dispute(loop, ['29.1']));
  assert.ok(action.do === 'fix' && action.again, JSON.stringify(action));
});

test('what has landed is not taken back by upholding what was refuted', () => {
  const rejected = step(
    review(author(makeLoop({ settings: makeSettings({ autoIterate: false }) }), committed('1')), { raised: [makeRaised()] }),
  );
  const approved = step(rule(rejected, '29.1', 'refute'));
  const landed = append(approved, { type: 'landed', onto: 'main', commit: approved.head?.commit ?? '', by: 'Test Person' });
  assert.throws(() => rule(landed, '29.1', 'uphold'), /the work has landed on main/);
});

test('an approval that lost its ground while a person had the loop does not come back with it', () => {
  const blocked = review(author(makeLoop(), committed('1')), { raised: [makeRaised({ severity: 'critical' })] });
  const approved = step(rule(blocked, '29.1', 'refute'));
  const taken = append(approved, { ...handback, override: 'takeover' });
  assert.deepEqual([append(taken, handback).state, append(taken, handback).approval?.by], ['approved', 'review']);
  const back = append(rule(taken, '29.1', 'uphold'), handback);
  assert.deepEqual([back.state, back.finalVerdict, back.approval], ['self_review_failed', 'CHANGES_REQUESTED', null]);
  assert.equal(back.ending?.why, 'round 1: 1 blocking finding');
});

test('a finding that is refuted and raised again about the same code under other commits ends in a question', () => {
  let loop = author(makeLoop({ settings: makeSettings({ roles: { arbiter: 'gamma' } }) }), committed('1'));
  for (let turn = 1; turn <= 10 && decide(loop).do === 'review'; turn += 1) {
    loop = review(loop, { raised: [makeRaised({ codeHash: `h${turn}` })] });
    if (decide(loop).do !== 'fix') break;
    const outcome = { ...committed('1'), head: { commit: `same-${turn}`, tree: 'tree-1' } };
    loop = fix(loop, outcome, [{ findingId: '29.1', status: 'disputed', note: 'it is never empty', places: [] }]);
    loop = arbitrate(loop, { '29.1': 'refuted' });
  }
  assert.deepEqual(decide(loop), {
    do: 'escalate',
    reason: 'oscillating',
    why: '29.1 came back 2 times after it was settled; 29.1: The greeting is empty.',
  });
});
