import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLoop } from '../../test/support/loops.ts';
import { Choice } from './action.ts';
import { choiceNamed, choiceNeeds, choicesOf, choiceWords } from './choices.ts';
import type { Loop } from './loop.ts';

const ASKING: Loop = { ...makeLoop(), escalation: { reason: 'ceiling', why: 'spent', at: '2026-01-29T10:00:00.000Z', versions: null } };

test('a choice is named by its name or by its letter, and only while the loop offers it', () => {
  assert.deepEqual(choicesOf(ASKING), ['fix-manually', 'raise-ceiling', 'cancel']);
  assert.deepEqual(
    ['b', 'raise-ceiling', 'd', 'accept', 'B', ''].map((named) => choiceNamed(ASKING, named)),
    ['raise-ceiling', 'raise-ceiling', null, null, null, null],
  );
});

test('what a choice needs is known, and its words name no option where nobody types one', () => {
  const needy = Choice.options.flatMap((choice) => (choiceNeeds(choice) === null ? [] : [`${choice}: ${choiceNeeds(choice)}`]));
  assert.deepEqual(needy.toSorted(), ['answer: reason', 'raise-ceiling: ceilingUsd', 'reassign: agent']);
  assert.ok(Choice.options.every((choice) => !choiceWords(ASKING, choice).includes('--')));
});
