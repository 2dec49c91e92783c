import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Choice } from '../../../src/core/action.ts';
import { choiceLabel, choiceNeeds } from '../../../src/core/choices.ts';
import { isAskedAbout } from './deed.ts';
import type { Deed } from './deed.ts';
import { askingOf } from './words.ts';

test('every choice whose button ends in dots is asked about, in words of its own', () => {
  const words = new Set<string>();
  // The labels of these choices are the same for every loop.
  const labelled = Choice.options.filter((choice) => choice !== 'continue-without' && choice !== 'one-more-round');
  const dotted = labelled.filter((choice) => choiceLabel({} as Parameters<typeof choiceLabel>[0], choice).endsWith('…'));
  assert.ok(dotted.includes('refute'));
  for (const choice of dotted) {
    const deed = { kind: 'choice', choice, needs: choiceNeeds(choice) } as const;
    assert.ok(isAskedAbout(deed), choice);
    words.add(askingOf(deed, { blocking: 0 }).title);
  }
  assert.equal(words.size, dotted.length);
});

test('work is not landed or accepted without a word about what still blocks it', () => {
  const accept = { kind: 'choice', choice: 'accept', needs: null } as const;
  const cancel = { kind: 'override', override: 'cancel' } as const;
  const title = (deed: Deed, blocking: number): string => askingOf(deed, { blocking }).title;
  assert.deepEqual([title({ kind: 'land' }, 0), title({ kind: 'land' }, 3)], ['Land this work?', 'Land with 3 blocking findings?']);
  assert.equal(title(accept, 1), 'Accept with 1 blocking finding?');
  assert.equal(title(cancel, 3), 'Cancel this loop?');
});
