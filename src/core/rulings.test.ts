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
  makeLoop,
  makePanel,
  makeRaised,
  makeSettings,
  review,
  reviewPanel,
  rule,
  step,
} from '../../test/support/loops.ts';
import { decide } from './decide.ts';

const person = { by: 'Test Person', reason: null, agent: null, ceilingUsd: null } as const;
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
