import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLoop } from '../../test/support/loops.ts';
import { Choice, EscalationReason } from './action.ts';
import { agentChoicesOf } from './agent-choices.ts';
import { choicesOf } from './choices.ts';

const PERSONS: readonly Choice[] = ['accept', 'fix-manually', 'refute', 'review-anyway', 'continue-without', 'raise-ceiling', 'reassign'];

test('whatever a loop asks, an agent gets none of the choices that are a person’s', () => {
  const head = { commit: 'c', tree: 't' };
  const offered = new Set<Choice>();
  for (const reason of EscalationReason.options) {
    const loop = { ...makeLoop(), head, escalation: { reason, why: 'it asks', at: 'now', versions: null } };
    for (const choice of choicesOf(loop)) offered.add(choice);
    assert.deepEqual(
      agentChoicesOf(loop).filter((choice) => PERSONS.includes(choice)),
      [],
      reason,
    );
    assert.deepEqual(
      agentChoicesOf(loop).filter((choice) => !choicesOf(loop).includes(choice)),
      [],
      reason,
    );
  }
  assert.ok(offered.has('accept') && offered.has('refute'), 'the loops of this test offer what is a person’s');
});

test('a loop at rest after a blocking review may be sent to the fixer by an agent, and not accepted', () => {
  const loop = { ...makeLoop(), ending: { state: 'self_review_failed' as const, why: 'it blocks' } };
  assert.deepEqual(agentChoicesOf({ ...loop, roles: { ...loop.roles, fixer: 'fixer' } }), ['refine', 'cancel']);
});

test('every choice is a person’s or an agent’s', () => {
  const agents: readonly Choice[] = ['one-more-round', 'answer', 'retry', 'continue', 'refine', 'uphold', 'cancel'];
  assert.deepEqual(Choice.options.toSorted(), [...PERSONS, ...agents].toSorted());
});
