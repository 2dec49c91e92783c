import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  append,
  arbitrate,
  author,
  committed,
  dispute,
  fix,
  makeLoop,
  makePanel,
  makeRaised,
  review,
  reviewPanel,
  rule,
  step,
  strayFix,
  tokenOf,
} from '../../test/support/loops.ts';
import type { RaisedFinding } from '../core/finding.ts';
import type { Loop } from '../core/loop.ts';
import type { Io } from './command.ts';
import { storyLines } from './story.ts';

const IO: Io = {
  cwd: '.',
  json: false,
  color: false,
  interactive: false,
  width: 120,
  out: () => undefined,
  err: () => undefined,
  object: () => undefined,
};

const STRAY = makeRaised({
  source: 'engine',
  category: 'architecture',
  tag: 'stray-edit',
  file: 'package.json',
  line: null,
  place: 'file',
  description: 'The fixer edited `package.json`.',
  raisedBy: ['volley'],
});

function rejected(raised: readonly RaisedFinding[] = [makeRaised()]): Loop {
  return review(author(makeLoop(), committed('1')), { raised });
}

/** The place in the story of the first line that begins so. */
function at(lines: readonly string[], beginning: string): number {
  const index = lines.findIndex((line) => line.trim().startsWith(beginning));
  assert.notEqual(index, -1, `no line begins with ${beginning}:\n${lines.join('\n')}`);
  return index;
}

test('what the engine found in a fix stands below that fix, above the next round', () => {
  let loop = strayFix(rejected(), '2', [STRAY]);
  const told = storyLines(loop, IO);
  assert.equal(at(told, '29.2'), at(told, 'fix by') + 1);
  loop = review(loop, { proof: { filesDelivered: ['a.ts', 'package.json'] } });
  const later = storyLines(loop, IO);
  assert.ok(at(later, 'fix by') < at(later, '29.2') && at(later, '29.2') < at(later, 'round 2/3'), later.join('\n'));
  assert.equal(later.filter((line) => line.includes('29.2  ')).length, 1);
});

test('what the engine found is not counted as something that reviewers did not raise again', () => {
  const loop = review(strayFix(rejected(), '2', [STRAY]), { proof: { filesDelivered: ['a.ts', 'package.json'] } });
  assert.deepEqual(loop.rounds[1]?.blockingIds, ['29.2']);
  assert.doesNotMatch(loop.rounds[1]?.why ?? '', /not raised again/);
});

test('the fix of a round is told although a person brought a finding back', () => {
  const approved = step(arbitrate(dispute(rejected(), ['29.1']), { '29.1': 'refuted' }));
  const before = storyLines(approved, IO);
  const after = storyLines(rule(approved, '29.1', 'reopen'), IO);
  assert.equal(before[at(before, 'fix by')], after[at(after, 'fix by')]);
  assert.match(after[at(after, 'round 1')] ?? '', /CHANGES_REQUESTED.*1 finding, 1 blocking/);
});

test('a panel that was stopped half-way says who has answered, and who was lost', () => {
  const due = author(makeLoop({ settings: makePanel(['beta', 'gamma', 'delta']) }), committed('1'));
  const half = reviewPanel(due, { beta: { raised: [makeRaised()] }, gamma: 'crashed' });
  const stopped = append(half, { type: 'interrupted', token: tokenOf(half), why: 'the process died', session: null });
  const told = storyLines(stopped, IO);
  assert.equal(told[at(told, 'round 1/3')], '  round 1/3  under way: beta has answered (1 finding); gamma gave no verdict: crashed');
});

test('a loop without a review under way says nothing of the kind', () => {
  assert.doesNotMatch(storyLines(fix(rejected(), committed('2')), IO).join('\n'), /under way/);
});

test('whatever a file is called and a finding says, each of them takes one line', () => {
  const description = 'x\n  round 2/3  APPROVED, reviewed by beta: 0 findings, none blocks\u202e';
  const told = storyLines(rejected([makeRaised({ file: 'x\n  round 2/3\u202e', description })]), IO).join('\n');
  assert.equal(told.split('\n').length, 2, told);
  assert.doesNotMatch(told, /\u202e/);
});
