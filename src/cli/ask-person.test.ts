import assert from 'node:assert/strict';
import { test } from 'node:test';
import { author, committed, makeLoop, makeRaised, makeSettings, review, step } from '../../test/support/loops.ts';
import { asksTheSame, choiceItems } from './ask-person.ts';

test('a person is offered the choices of the loop in their order, without options to type, and later as the last', () => {
  const settings = makeSettings({ policy: { maxRounds: 1 } });
  const capped = step(review(author(makeLoop({ settings }), committed('1')), { raised: [makeRaised()] }));
  assert.deepEqual(
    choiceItems(capped).map(({ value }) => value),
    ['fix-manually', 'accept', 'one-more-round', 'cancel', 'later'],
  );
  const failed = { ...capped, escalation: { reason: 'agent-failed' as const, why: '', at: '', versions: null } };
  assert.equal(choiceItems(failed).find(({ value }) => value === 'reassign')?.text, 'Give the work to another agent');
});

test('a question that was answered elsewhere, or became another one, is not asked again', () => {
  const settings = makeSettings({ policy: { maxRounds: 1 } });
  const capped = step(review(author(makeLoop({ settings }), committed('1')), { raised: [makeRaised()] }));
  assert.ok(capped.escalation !== null);
  assert.equal(asksTheSame(capped, { ...capped, seq: capped.seq + 1 }), true);
  assert.equal(asksTheSame(capped, { ...capped, escalation: null }), false);
  assert.equal(asksTheSame(capped, { ...capped, escalation: { ...capped.escalation, at: '2030-01-01T00:00:00.000Z' } }), false);
});
