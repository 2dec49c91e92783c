import assert from 'node:assert/strict';
import { test } from 'node:test';
import { author, committed, makeFinding, makeLoop, makeRound, makeSettings } from '../../test/support/loops.ts';
import { EscalationReason } from './action.ts';
import type { Loop } from './loop.ts';
import { questionOf } from './question.ts';

const AT = '2026-01-29T10:00:00.000Z';
const BUILT: Loop = { ...author(makeLoop(), committed('1')), rounds: [makeRound({ verdict: 'changes_requested' })] };

function asking(reason: EscalationReason, changes: Partial<Loop> = {}): Loop {
  return { ...BUILT, ...changes, escalation: { reason, why: 'task 7 was cancelled', at: AT, versions: null } };
}

function ask(reason: EscalationReason, changes: Partial<Loop> = {}): string | undefined {
  return questionOf(asking(reason, changes))?.question;
}

test('every reason asks something, in sentences with a question at the end', () => {
  for (const reason of EscalationReason.options) {
    const asked = questionOf(asking(reason));
    assert.match(asked?.question ?? '', /^[A-Za-z].*\. .*\?$|^The fixer asks: .*\?$/, reason);
    assert.doesNotMatch(asked?.question ?? '', /undefined|null|Infinity|NaN/, reason);
    assert.match(asked?.asks ?? '', /^[A-Z][a-z]+/, reason);
  }
});

test('numbers are words up to twelve', () => {
  const findings = (count: number): Partial<Loop> => ({
    findings: Array.from({ length: count }, (_, index) => makeFinding(`29.${index + 1}`)),
  });
  assert.match(ask('max-rounds', findings(1)) ?? '', /^One finding still blocks after round 1\./);
  assert.match(ask('max-rounds', findings(12)) ?? '', /^Twelve findings still block/);
  assert.match(ask('max-rounds', findings(13)) ?? '', /^13 findings still block/);
});

test('no round is offered that nobody may order', () => {
  const rounds = Array.from({ length: 5 }, (_, index) => makeRound({ round: index + 1, verdict: 'changes_requested' }));
  assert.equal(
    ask('max-rounds', { rounds, findings: [makeFinding('29.1')] }),
    'One finding still blocks after round 5. No round is left: accept it, or yours?',
  );
});

test('each reason says what it is about', () => {
  const stuck = makeFinding('29.1', { survived: 2 });
  const back = makeFinding('29.2', { reopenings: 2 });
  assert.equal(ask('stuck-finding', { findings: [stuck] }), 'One finding has outlived two fixes. One more round, or yours?');
  assert.equal(ask('oscillating', { findings: [back] }), 'One finding comes back after every fix. One more round, or yours?');
  assert.equal(ask('tampered', { tampered: ['beta'] }), 'beta changed what it was given to read. Who reviews instead?');
  assert.equal(ask('dependency'), 'Task 7 was cancelled. Start without it, or wait for it again?');
  assert.equal(
    ask('not-complete', { author: { iterations: 10, idle: 0, failures: 0, complete: false } }),
    'alpha is not done after ten iterations. Let it continue?',
  );
  const settings = makeSettings({ policy: { ceilingUsd: { loop: null, run: null, day: 100 } } });
  const tally = { day: '2026-01-29', spentUsd: 100, reservedUsd: 0, estimated: false };
  assert.equal(
    ask('ceiling', { settings, ceilingUsd: settings.policy.ceilingUsd, tally }),
    'All loops have used the day’s $100.00. Let it finish round 1?',
  );
});

test('a long question is cut, and one without a question mark gets one', () => {
  const said = (note: string): string | undefined =>
    ask('needs-discussion', {
      findings: [makeFinding('29.1', { resolution: { findingId: '29.1', status: 'needs_person', note, places: [] } })],
    });
  assert.equal(said('It is unclear'), 'The fixer wants to talk about it: It is unclear. What is your answer?');
  assert.ok((said('x'.repeat(500)) ?? '').length < 240);
});

test('what is ready without an approval says what still blocks it', () => {
  const ready = (count: number): string | undefined =>
    questionOf({
      ...BUILT,
      state: 'ready_for_human_review',
      ending: { state: 'ready_for_human_review', why: 'the review was skipped' },
      findings: Array.from({ length: count }, (_, index) => makeFinding(`29.${index + 1}`)),
    })?.question;
  assert.equal(ready(0), 'It is ready, without an approval by review. Read it, then land it?');
  assert.equal(ready(1), 'It is ready, without an approval by review, and one finding still blocks it. Read it, then land it?');
  assert.equal(ready(3), 'It is ready, without an approval by review, and three findings still block it. Read it, then land it?');
});
