import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Draft } from '../core/draft.ts';
import type { Created, Store } from './store.ts';

const AT = '2026-01-29T10:00:00.000Z';

function makeDraft(id: string, change: Partial<Draft> = {}): Draft {
  return { id, text: 'Why?', file: null, line: null, lineEnd: null, side: 'new', head: 'head', createdAt: AT, updatedAt: AT, ...change };
}

type Under = { readonly open: () => Promise<Store>; readonly created: (id: number) => Created };

/** What a store promises about comments that were not submitted yet. */
export function testDrafts(name: string, { open, created }: Under): void {
  test(`${name}: drafts are kept with their loop, oldest first, changed in their place, and gone when they are dropped`, async () => {
    const store = await open();
    await store.transaction(async (tx) => {
      await tx.create(created, AT);
      await tx.create(created, AT);
    });
    const place = { file: 'src/odd "name".ts', line: 3, lineEnd: 5, side: 'old' as const };
    const later = makeDraft('a', { createdAt: '2026-01-29T11:00:00.000Z', ...place });
    await store.transaction(async (tx) => {
      await tx.putDraft(1, later);
      await tx.putDraft(1, makeDraft('b'));
      await tx.putDraft(2, makeDraft('c'));
      assert.equal((await tx.drafts(1)).length, 2, 'a transaction sees what it wrote');
    });
    assert.deepEqual(await store.drafts(1), [makeDraft('b'), later]);
    await store.transaction((tx) => tx.putDraft(1, { ...later, text: 'Because.' }));
    assert.deepEqual(
      (await store.drafts(1)).map(({ text }) => text),
      ['Why?', 'Because.'],
    );
    await store.transaction((tx) => tx.dropDrafts(1, ['a', 'b', 'c', 'nothing']));
    assert.deepEqual([await store.drafts(1), await store.drafts(2), await store.drafts(9)], [[], [makeDraft('c')], []]);
    await assert.rejects(
      store.transaction((tx) => tx.putDraft(9, makeDraft('d'))),
      { code: 'unknown-loop' },
    );
    await store.close();
  });

  test(`${name}: drafts that are dropped in a transaction that fails are still there`, async () => {
    const store = await open();
    await store.transaction(async (tx) => {
      await tx.create(created, AT);
      await tx.putDraft(1, makeDraft('a'));
    });
    const failing = store.transaction(async (tx) => {
      await tx.dropDrafts(1, ['a']);
      throw new Error('no');
    });
    await assert.rejects(failing, /no/);
    assert.deepEqual(await store.drafts(1), [makeDraft('a')]);
    await store.close();
  });
}
