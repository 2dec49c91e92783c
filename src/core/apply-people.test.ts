import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  append,
  author,
  committed,
  dispute,
  fix,
  headOf,
  makeLoop,
  makeRaised,
  makeSettings,
  review,
  rule,
  step,
  tokenOf,
} from '../../test/support/loops.ts';
import { choicesOf } from './choices.ts';
import { decide } from './decide.ts';
import type { Event } from './event.ts';
import type { Loop } from './loop.ts';
import type { Policy } from './policy.ts';

const person = { by: 'Test Person', reason: null, agent: null, ceilingUsd: null } as const;
const moreRounds: Event = { type: 'decided', choice: 'one-more-round', ...person };
const refine: Event = { type: 'overridden', override: 'refine', by: 'Test Person', reason: 'once more', verdict: null, review: false };

/** A loop whose first review raised one finding. */
function rejected(policy: Partial<Policy> = {}): Loop {
  return review(author(makeLoop({ settings: makeSettings({ policy }) }), committed('1')), { raised: [makeRaised()] });
}

/** Somebody else's commit on the loop's branch. */
function pushed(name: string, descends = true): Event {
  return { type: 'moved', head: headOf(name), descends };
}

/** A loop in which the fix runs that a person ordered after the last round. */
function fixingByOrder(): Loop {
  return step(append(step(rejected({ maxRounds: 1 })), moreRounds));
}

test('a ruling that leaves nothing blocking ends a fix that was ordered', () => {
  const fixing = fixingByOrder();
  assert.deepEqual([fixing.current?.action.do, fixing.order], ['fix', 'fix']);
  const loop = rule(fixing, '29.1', 'refute');
  assert.deepEqual([loop.current, loop.order, step(loop).state], [null, null, 'approved']);
});

test('a ruling that leaves nothing blocking ends a fix of work that was withheld', () => {
  for (const start of [rejected(), append(step(rejected({ maxRounds: 1 })), moreRounds)]) {
    const withheld = fix(start, { kind: 'withheld', ref: 'refs/a', tree: 'tree-a', findings: [] });
    const loop = rule(step(withheld), '29.1', 'accept');
    assert.deepEqual([loop.current, loop.withheld, step(loop).state, loop.approval?.by], [null, null, 'approved', 'review']);
  }
});

test('no approval by review stands beside what a person brings back after the ruling that led to it', () => {
  const loop = rule(step(rule(fixingByOrder(), '29.1', 'refute')), '29.1', 'reopen');
  assert.deepEqual([loop.approval, loop.finalVerdict, loop.state], [null, 'CHANGES_REQUESTED', 'self_review_failed']);
});

test('no approval by review stands beside what a person brings back while a fix runs, whatever becomes of the fix', () => {
  const approved = review(fix(rejected(), committed('2')));
  assert.equal(approved.approval?.by, 'review');
  let loop = rule(step(append(approved, refine)), '29.1', 'reopen');
  assert.deepEqual([loop.approval, loop.current?.action.do], [null, 'fix']);
  loop = step(fix(fix(loop, { kind: 'unchanged' }), { kind: 'unchanged' }));
  assert.deepEqual([loop.approval, loop.escalation?.reason], [null, 'no-progress']);
});

test('a ruling that came while the arbiter was at work counts although the arbiter failed', () => {
  const ruled = rule(step(dispute(rejected(), ['29.1'])), '29.1', 'refute');
  const failed = { kind: 'failed', reason: 'agent-failed', message: 'it broke' } as const;
  const loop = step(append(ruled, { type: 'arbitrated', token: tokenOf(ruled), outcome: failed, session: null }));
  assert.deepEqual([loop.state, loop.approval?.by], ['approved', 'review']);
});

test('a ruling that leaves nothing blocking ends a fix that followed an answer', () => {
  const start = author(makeLoop(), committed('1'));
  const asking = step(review(start, { raised: [makeRaised()], reading: { claim: 'needs_discussion', summary: 'Which zone?' } }));
  const fixing = step(append(asking, { type: 'decided', choice: 'answer', ...person, reason: 'UTC' }));
  const loop = rule(fixing, '29.1', 'refute');
  assert.deepEqual([fixing.current?.action.do, loop.current, decide(loop).do === 'fix'], ['fix', null, false]);
});

/** A loop whose branch somebody moved so many times while it ran. */
function movedOften(times: number): Loop {
  return Array.from({ length: times }, (_, index) => `mine-${index + 1}`).reduce(
    (loop, name) => append(loop, pushed(name)),
    step(rejected()),
  );
}

test('ten commits on the branch of a running loop are taken over, and the next one is asked about', () => {
  const taken = movedOften(10);
  assert.deepEqual([taken.head?.commit, taken.pushed, decide(taken).do], ['commit-mine-10', null, 'review']);
  const loop = step(movedOften(11));
  assert.deepEqual([loop.escalation?.reason, loop.head?.commit], ['branch-moved', 'commit-mine-10']);
  assert.match(loop.escalation?.why ?? '', /was moved again and again, last to commit-m/);
});

test('whoever lets the loop go on with a branch that moves again and again gets its commit, and the count starts anew', () => {
  const going = append(step(movedOften(11)), { type: 'decided', choice: 'continue', ...person });
  assert.deepEqual([going.head?.commit, going.pushed, decide(going).do], ['commit-mine-11', null, 'review']);
  const loop = append(going, pushed('mine-12'));
  assert.deepEqual([loop.head?.commit, loop.takeovers], ['commit-mine-12', 1]);
});

test('a commit that was taken back while a question was open is forgotten', () => {
  const asking = step(rejected({ maxRounds: 1 }));
  const noted = append(asking, pushed('mine'));
  assert.equal(noted.pushed?.head.commit, 'commit-mine');
  const loop = append(noted, pushed('1'));
  assert.deepEqual([loop.pushed, loop.escalation?.reason], [null, 'max-rounds']);
  const accepted = step(append(loop, { type: 'decided', choice: 'accept', ...person }));
  assert.deepEqual([accepted.head?.commit, accepted.state], ['commit-1', 'approved']);
  assert.throws(() => append(loop, pushed('1')), /the branch is where it was/);
});

test('a rewritten branch that was put back is no longer asked about', () => {
  const loop = append(append(step(rejected()), pushed('other', false)), pushed('1'));
  assert.deepEqual([loop.pushed, decide(loop).do], [null, 'fix']);
});

test('a change that somebody emptied is not offered to be accepted', () => {
  const asking = step(rejected({ maxRounds: 1 }));
  assert.ok(choicesOf(asking).includes('accept'));
  const emptied = append(asking, { type: 'moved', head: { commit: 'commit-mine', tree: 'tree-base' }, descends: true });
  assert.ok(!choicesOf(emptied).includes('accept'));
  assert.throws(() => append(emptied, { type: 'decided', choice: 'accept', ...person }));
});

/** A loop that has used all the rounds that anybody may order, the last of which asks for a discussion. */
function atHardTotal(rounds: number): Loop {
  const part = (n: number): string => ['one', 'two', 'three', 'four', 'five'][n] ?? '';
  const nit = makeRaised({ file: 'n.ts', line: 70, severity: 'low', description: 'The variable could have a better name.' });
  let loop = author(makeLoop({ settings: makeSettings({ policy: { maxRounds: 5 } }) }), committed('0'));
  for (let n = 1; n < rounds; n += 1) {
    const wrong = makeRaised({ file: `${part(n)}.ts`, description: `Part ${part(n)} does ${part(n)} things wrong.` });
    loop = review(loop, { raised: n === rounds - 1 ? [wrong, nit] : [wrong], changed: { [`${part(n - 1)}.ts`]: [3] } });
    const left = loop.findings.filter(({ file }) => file === 'n.ts');
    const resolutions = left.map(({ id }) => ({ findingId: id, status: 'needs_person' as const, note: 'which?', places: [] }));
    loop = fix(loop, committed(String(n)), resolutions);
  }
  return step(review(loop, { reading: { claim: 'needs_discussion' }, changed: { [`${part(rounds - 1)}.ts`]: [3] } }));
}

test('another fixer is not offered beyond the hard total, where its work could not be reviewed', () => {
  const [below, at] = [atHardTotal(4), atHardTotal(5)];
  assert.deepEqual([below.escalation?.reason, at.escalation?.reason], ['needs-discussion', 'needs-discussion']);
  assert.deepEqual([choicesOf(below).includes('reassign'), choicesOf(at).includes('reassign')], [true, false]);
  assert.throws(() => append(at, { type: 'decided', choice: 'reassign', ...person, agent: 'gamma' }));
});
