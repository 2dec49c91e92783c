import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../core/event.ts';
import { cardOf } from '../core/project-card.ts';
import type { Created, Store } from './store.ts';

const AT = '2026-01-29T10:00:00.000Z';
const TAKEOVER: Event = { type: 'overridden', override: 'takeover', by: 'Test Person', reason: null, verdict: null, review: false };

type Under = { readonly open: () => Promise<Store>; readonly created: (id: number) => Created };

/** What a store promises about the cards of its loops. */
export function testCards(name: string, { open, created }: Under): void {
  test(`${name}: every loop has the card that its journal comes to, also one that was adopted`, async () => {
    const store = await open();
    await store.transaction(async (tx) => {
      for (let count = 0; count < 3; count += 1) await tx.create(created, AT);
      await tx.append(2, TAKEOVER, AT);
      const uid = '01JD00000000000000000000ZZ';
      await tx.adopt([{ seq: 1, at: AT, event: { ...created(4), uid } }], { job: false });
    });
    const cards = await store.cards([4, 2, 1, 9]);
    assert.deepEqual(
      [...cards.keys()].toSorted((a, b) => a - b),
      [1, 2, 4],
    );
    for (const [id, card] of cards) {
      const loop = await store.load(id);
      assert.deepEqual(card, loop === null ? null : cardOf(loop));
    }
    assert.deepEqual([cards.get(2)?.seq, cards.get(2)?.asks], [2, 'Taken over']);
    assert.equal((await store.cards([])).size, 0);
    await store.close();
  });

  test(`${name}: a card that is written anew is the same; there is none of a loop that does not exist`, async () => {
    const store = await open();
    await store.transaction((tx) => tx.create(created, AT));
    const before = await store.cards([1]);
    await store.transaction((tx) => tx.refreshCard(1));
    assert.deepEqual(await store.cards([1]), before);
    await assert.rejects(
      store.transaction((tx) => tx.refreshCard(9)),
      { code: 'unknown-loop' },
    );
    await store.close();
  });
}
