import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLoop } from '../../test/support/loops.ts';
import { VolleyError } from '../core/errors.ts';
import { cardOf } from '../core/project-card.ts';
import { memoryStore } from '../store/memory.ts';
import type { Store } from '../store/store.ts';
import { loopCards } from './loop-cards.ts';

const IDS = Array.from({ length: 150 }, (_, index) => index + 1);

/** A store of loops that an older version left without cards, and from which some cannot be read. */
function cardless(broken: readonly number[], loaded: number[]): Store {
  return {
    ...memoryStore(),
    cards: async () => await Promise.resolve(new Map()),
    load: async (id) => {
      loaded.push(id);
      if (broken.includes(id)) throw new VolleyError('store-broken', 'It is broken.', 'Mend it.');
      return await Promise.resolve(makeLoop({ id }));
    },
  };
}

test('only so many cards are made at once, and a journal that cannot be read keeps no other from its own', async () => {
  const loaded: number[] = [];
  const cards = await loopCards({ store: cardless([2], loaded) }, IDS);
  assert.deepEqual([loaded.length, cards.size, cards.has(2)], [100, 99, false]);
  assert.deepEqual(cards.get(1), cardOf(makeLoop({ id: 1 })));
});
