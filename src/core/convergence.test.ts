import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  append,
  author,
  committed,
  dispute,
  fix,
  makeFinding,
  makeLoop,
  makeRaised,
  makeSettings,
  review,
  rule,
  step,
} from '../../test/support/loops.ts';
import { convergenceNotes, isBlocking, trendOf } from './convergence.ts';
import { decide } from './decide.ts';
import type { Event } from './event.ts';
import type { Finding, RaisedFinding, Severity } from './finding.ts';
import type { Loop } from './loop.ts';
import type { Policy } from './policy.ts';
import { DEFAULT_POLICY } from './policy.ts';

const person = { by: 'Test Person', reason: null, agent: null, ceilingUsd: null } as const;
const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'suggestion'];

/** The mildest severity at which such a finding blocks. */
function limit(finding: Partial<Finding>, policy: Partial<Policy> = {}): Severity | undefined {
  return SEVERITIES.findLast((severity) => isBlocking(makeFinding('29.1', { ...finding, severity }), { ...DEFAULT_POLICY, ...policy }));
}

/** A loop that was rejected for one finding and fixed, so that round 2 is due. */
function fixedOnce(settings: Parameters<typeof makeSettings>[0] = {}, raised: Partial<RaisedFinding> = {}): Loop {
  const loop = author(makeLoop({ settings: makeSettings(settings) }), committed('1'));
  return fix(review(loop, { raised: [makeRaised(raised)] }), committed('2'));
}

const LATE = { file: 'far.ts', line: 90, description: 'The loop never ends on an empty list.' } as const;

test('a finding blocks from medium, or from where the policy says', () => {
  assert.equal(limit({}), 'medium');
  assert.equal(limit({}, { blockAt: 'low' }), 'low');
  assert.equal(limit({}, { blockAt: 'critical' }), 'critical');
});

test('a finding outside of the change blocks from high, or from where the policy says if that is higher', () => {
  assert.equal(limit({ place: 'outside' }), 'high');
  assert.equal(limit({ place: 'outside' }, { blockAt: 'suggestion' }), 'high');
  assert.equal(limit({ place: 'outside' }, { blockAt: 'critical' }), 'critical');
});

test('a late finding blocks from high under the ratchet, and as any other without it', () => {
  assert.equal(limit({ provenance: 'late' }), 'high');
  assert.equal(limit({ provenance: 'late' }, { blockAt: 'critical' }), 'critical');
  assert.equal(limit({ provenance: 'late' }, { convergence: 'strict' }), 'medium');
});

test('a finding that the fix brought is not relaxed', () => {
  assert.equal(limit({ provenance: 'fix-induced' }), 'medium');
});

test('a finding about security is never relaxed', () => {
  assert.equal(limit({ provenance: 'late', category: 'security' }), 'medium');
});

test('a late finding that came back after its fix is not relaxed', () => {
  assert.equal(limit({ provenance: 'late', status: 'reopened', firm: true }), 'medium');
  assert.equal(limit({ provenance: 'late', status: 'persisting', firm: true }), 'medium');
});

test('only what reviewers raise is relaxed', () => {
  for (const source of ['engine', 'forge', 'gate'] as const) assert.equal(limit({ provenance: 'late', source }), 'medium', source);
});

test('what a person asked for blocks, however mild it is and wherever it lies', () => {
  assert.equal(limit({ provenance: 'late', source: 'person', place: 'outside' }), 'suggestion');
});

test('what is fixed, refuted or accepted does not block, however grave it is', () => {
  for (const status of ['fixed', 'refuted', 'accepted'] as const) assert.equal(limit({ status }), undefined, status);
  for (const status of ['open', 'persisting', 'reopened', 'disputed'] as const) assert.equal(limit({ status }), 'medium', status);
});

test('a medium finding that could have been raised before is kept as a follow-up, and the change is approved', () => {
  const loop = review(fixedOnce(), { raised: [makeRaised({ ...LATE, severity: 'medium' })] });
  assert.equal(loop.rounds[1]?.verdict, 'approved');
  assert.deepEqual([loop.findings[1]?.provenance, loop.findings[1]?.status], ['late', 'open']);
  assert.deepEqual(loop.rounds[1]?.notes, ['Round 2: 1 late finding (29.2) below high was kept as a follow-up.']);
});

test('the same finding blocks without the ratchet', () => {
  const loop = review(fixedOnce({ policy: { convergence: 'strict' } }), { raised: [makeRaised({ ...LATE, severity: 'medium' })] });
  assert.equal(loop.rounds[1]?.verdict, 'changes_requested');
});

test('a late finding that is high blocks', () => {
  const loop = review(fixedOnce(), { raised: [makeRaised({ ...LATE, severity: 'high' })] });
  assert.deepEqual(loop.rounds[1]?.blockingIds, ['29.2']);
});

test('a medium finding within three lines of what the fix changed blocks, one line further away it does not', () => {
  const raised = (line: number): Loop => review(fixedOnce(), { raised: [makeRaised({ ...LATE, file: 'a.ts', line, severity: 'medium' })] });
  const [near, far] = [raised(6), raised(7)];
  assert.deepEqual([near.findings[1]?.provenance, near.rounds[1]?.verdict], ['fix-induced', 'changes_requested']);
  assert.deepEqual([far.findings[1]?.provenance, far.rounds[1]?.verdict], ['late', 'approved']);
});

test('a late finding that is fixed and comes back blocks', () => {
  const raised = [makeRaised({ ...LATE, severity: 'medium' }), makeRaised({ description: 'Something grave is wrong here.', line: 40 })];
  let loop = review(fixedOnce({ policy: { maxRounds: 4 } }), { raised });
  loop = fix(loop, committed('3'));
  loop = review(loop, {
    raised: [makeRaised({ description: 'Another grave thing.', file: 'b.ts' })],
    changed: { 'far.ts': [90], 'a.ts': [40] },
  });
  assert.equal(loop.findings.find(({ id }) => id === '29.3')?.status, 'fixed');
  loop = review(fix(loop, committed('4')), { raised: [makeRaised({ ...LATE, severity: 'medium' })], changed: { 'b.ts': [3] } });
  assert.deepEqual(loop.rounds[3]?.blockingIds, ['29.3']);
  assert.deepEqual(loop.rounds[3]?.notes, ['Round 4: 1 finding (29.3) came back after a fix.']);
});

test('a finding that outlives two fixes while rounds are left goes to a person, by its name', () => {
  let loop = fixedOnce({ policy: { maxRounds: 4 } });
  loop = fix(review(loop, { raised: [makeRaised()] }), committed('3'));
  loop = step(review(loop, { raised: [makeRaised()] }));
  assert.equal(loop.escalation?.reason, 'stuck-finding');
  assert.equal(loop.escalation?.why, '29.1 outlived 2 fixes; 29.1: The greeting is empty.');
});

test('in the last round a stuck finding is part of the reason max-rounds', () => {
  const loop = step(review(fix(review(fixedOnce(), { raised: [makeRaised()] }), committed('3')), { raised: [makeRaised()] }));
  assert.equal(loop.escalation?.reason, 'max-rounds');
  assert.match(loop.escalation?.why ?? '', /^after 3 review rounds 1 blocking finding remains, .*; 29\.1 outlived 2 fixes$/);
});

test('a finding that nobody raises again but nothing can have fixed outlives a fix too', () => {
  let loop = fixedOnce({ policy: { maxRounds: 4 } });
  loop = fix(review(loop, { changed: { 'b.ts': [1] } }), committed('3'));
  loop = step(review(loop, { changed: { 'b.ts': [1] } }));
  assert.equal(loop.escalation?.reason, 'stuck-finding');
});

test('one more round for a stuck finding goes to the fixer, and its count starts anew', () => {
  let loop = fixedOnce({ policy: { maxRounds: 5 } });
  loop = step(review(fix(review(loop, { raised: [makeRaised()] }), committed('3')), { raised: [makeRaised()] }));
  loop = append(loop, { type: 'decided', choice: 'one-more-round', ...person });
  loop = review(fix(loop, committed('4')), { raised: [makeRaised()] });
  assert.equal(loop.findings[0]?.survived, 1);
  assert.equal(decide(loop).do, 'fix');
});

/** Rounds 1 to 5: raised, fixed, back, fixed, back; something else keeps the loop going in between. */
function swinging(maxRounds: number): Loop {
  const other = (n: number): RaisedFinding =>
    makeRaised({ file: `other-${n}.ts`, description: `A different thing is wrong in part ${n}.` });
  let loop = fixedOnce({ policy: { maxRounds } });
  loop = fix(review(loop, { raised: [other(1)] }), committed('3'));
  loop = fix(review(loop, { raised: [makeRaised()], changed: { 'a.ts': [3], 'other-1.ts': [3] } }), committed('4'));
  loop = fix(review(loop, { raised: [other(2)] }), committed('5'));
  return review(loop, { raised: [makeRaised()], changed: { 'a.ts': [3], 'other-2.ts': [3] } });
}

test('a finding that is reopened for the second time is oscillation', () => {
  const loop = swinging(6);
  assert.equal(loop.findings[0]?.reopenings, 2);
  const asked = step(loop);
  assert.equal(asked.escalation?.reason, 'oscillating');
  assert.equal(asked.escalation?.why, '29.1 came back 2 times after it was settled; 29.1: The greeting is empty.');
});

test('one more round for an oscillating finding goes to the fixer, and its count starts anew', () => {
  const loop = append(step(swinging(7)), { type: 'decided', choice: 'one-more-round', ...person });
  assert.deepEqual([loop.findings[0]?.reopenings, decide(loop).do], [0, 'fix']);
});

test('in the last round an oscillating finding is part of the reason max-rounds', () => {
  const asked = step(swinging(5));
  assert.equal(asked.escalation?.reason, 'max-rounds');
  assert.match(asked.escalation?.why ?? '', /; 29\.1 came back 2 times after it was settled$/);
});

test('a fix that brings back the code of an earlier round says which', () => {
  let loop = review(fixedOnce(), { raised: [makeRaised({ description: 'Now it is the other way round.', line: 4 })] });
  loop = fix(loop, { kind: 'committed', head: { commit: 'commit-3', tree: 'tree-1' }, commits: ['commit-3'], files: [], skipped: [] });
  const asked = step(loop);
  assert.equal(asked.escalation?.reason, 'oscillating');
  assert.match(asked.escalation?.why ?? '', /again as round 1 reviewed it \(commit-1\), not as round 2 did \(commit-2\)/);
});

test('a fix that leaves the reviewed tree as it was makes no progress', () => {
  const loop = author(makeLoop(), committed('1'));
  const same = { ...committed('2'), head: { commit: 'commit-2', tree: 'tree-1' } };
  assert.equal(step(fix(review(loop, { raised: [makeRaised()] }), same)).escalation?.reason, 'no-progress');
});

test('the trend compares the blocking findings of the last two rounds and stops nothing', () => {
  const rounds = (...counts: readonly number[]): { blockingIds: string[] }[] =>
    counts.map((count) => ({ blockingIds: Array.from({ length: count }, String) }));
  assert.equal(trendOf(rounds(2)), null);
  assert.equal(trendOf(rounds(1, 3, 2)), 'converging');
  assert.equal(trendOf(rounds(3, 2, 2)), 'plateau');
  assert.equal(trendOf(rounds(3, 1, 2)), 'diverging');
  const many = ['b', 'c', 'd'].map((name) => makeRaised({ file: `${name}.ts`, description: `The part ${name} is wrong as well.` }));
  const loop = review(fixedOnce(), { raised: many });
  assert.equal(trendOf(loop.rounds), 'diverging');
  assert.equal(decide(loop).do, 'fix');
});

/** What a round says about these findings, all of which it raised unless `silent` names them. */
function notes(findings: readonly Finding[], silent: readonly string[] = []): readonly string[] {
  const raisedIds = findings.map(({ id }) => id).filter((id) => !silent.includes(id));
  return convergenceNotes({ round: 2, findings, raisedIds, policy: DEFAULT_POLICY });
}

test('several late findings that do not block are told in one sentence', () => {
  const late = (id: string): Finding => makeFinding(id, { provenance: 'late', severity: 'medium' });
  assert.deepEqual(notes([late('1.2'), late('1.3')]), ['Round 2: 2 late findings (1.2, 1.3) below high were kept as follow-ups.']);
});

test('what would not have blocked anyway is not called a follow-up', () => {
  assert.deepEqual(notes([makeFinding('1.2', { provenance: 'late', severity: 'low' }), makeFinding('1.3')]), []);
});

test('a finding outside of the change that does not block is told once', () => {
  const outside = makeFinding('1.2', { place: 'outside', severity: 'medium' });
  assert.deepEqual(notes([outside]), ['Round 2: 1 finding (1.2) below high, outside of the change, does not block.']);
  assert.equal(notes([{ ...outside, provenance: 'late' }]).length, 1);
});

test('a finding that blocks although nobody raised it again is told', () => {
  assert.deepEqual(notes([makeFinding('1.1', { status: 'persisting' })], ['1.1']), [
    'Round 2: 1 finding (1.1) was not raised again, but nothing that changed can have fixed it, so it still blocks.',
  ]);
});

test('a refuted finding that was raised again is told', () => {
  assert.deepEqual(notes([makeFinding('1.1', { status: 'refuted' })]), [
    'Round 2: 1 finding (1.1) was refuted before and its code has not changed, so it stays closed.',
  ]);
});

test('a round with nothing to say says nothing', () => {
  assert.deepEqual(review(author(makeLoop(), committed('1')), { raised: [makeRaised()] }).rounds[0]?.notes, []);
});

const GRAVE = { file: 'c.ts', line: 9, description: 'A division by zero when the total is nought.' } as const;
const NOTHING_NEAR = { 'elsewhere.ts': [1] } as const;

test('a late medium finding that came back goes on blocking although the next review is silent', () => {
  const late = makeRaised({ ...LATE, severity: 'medium' });
  let loop = review(fixedOnce({ policy: { maxRounds: 9 } }), { raised: [makeRaised(), late] });
  loop = review(fix(loop, committed('3')), { raised: [makeRaised(GRAVE)], changed: { 'a.ts': [3], 'far.ts': [90], 'c.ts': [9] } });
  loop = review(fix(loop, committed('4')), { raised: [late], changed: { 'a.ts': [3], 'c.ts': [9] } });
  assert.deepEqual(loop.rounds[3]?.blockingIds, ['29.2']);
  loop = review(fix(loop, committed('5')), { changed: NOTHING_NEAR });
  assert.deepEqual([loop.rounds[4]?.blockingIds, loop.findings[1]?.status], [['29.2'], 'persisting']);
});

test('a late medium finding that a person brought back goes on blocking although the next review is silent', () => {
  let loop = review(fixedOnce({ policy: { maxRounds: 9 } }), { raised: [makeRaised(), makeRaised({ ...LATE, severity: 'medium' })] });
  loop = step(review(fix(loop, committed('3')), { changed: { 'a.ts': [3], 'far.ts': [90] } }));
  assert.equal(loop.state, 'approved');
  loop = append(rule(loop, '29.2', 'reopen'), { type: 'decided', choice: 'refine', ...person });
  loop = review(fix(loop, committed('4')), { changed: NOTHING_NEAR });
  assert.deepEqual([loop.rounds[3]?.blockingIds, loop.rounds[3]?.verdict], [['29.2'], 'changes_requested']);
});

function withheld(name: string): Extract<Event, { type: 'fixed' }>['outcome'] {
  return { kind: 'withheld', ref: `refs/${name}`, tree: `tree-${name}`, findings: [] };
}

test('a fix of a review that is withheld is no gate fix, and the fixes after it are', () => {
  let loop = fix(review(author(makeLoop(), committed('1')), { raised: [makeRaised()] }), withheld('a'));
  assert.equal(loop.gates.fixes, 0);
  loop = fix(fix(loop, withheld('b')), withheld('c'));
  assert.deepEqual([loop.gates.fixes, decide(loop).do], [2, 'fix']);
  assert.equal(step(fix(loop, withheld('d'))).escalation?.reason, 'gates-red');
});

test('without gates a commit ends the row of gate fixes', () => {
  let loop = author(makeLoop({ settings: makeSettings({ policy: { maxRounds: 5 } }) }), committed('1'));
  loop = fix(fix(fix(review(loop, { raised: [makeRaised()] }), withheld('a')), withheld('b')), committed('2'));
  assert.equal(loop.gates.fixes, 0);
});

test('a fixer that changes nothing and disputes no more than a nit is asked once more', () => {
  const nit = makeRaised({ file: 'n.ts', line: 70, severity: 'low', description: 'The variable could have a better name.' });
  let loop = dispute(review(author(makeLoop(), committed('1')), { raised: [makeRaised(), nit] }), ['29.2']);
  const action = decide(loop);
  assert.deepEqual([action.do, action.do === 'fix' && action.again], ['fix', true]);
  loop = step(dispute(loop, ['29.2']));
  assert.equal(loop.escalation?.reason, 'no-progress');
});
