import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../core/event.ts';
import type { Created, Store } from './store.ts';

const AT = '2026-01-29T10:00:00.000Z';

type Under = { readonly open: () => Promise<Store>; readonly created: (id: number) => Created };

/** The promises of a store about the order of all its entries. */
export function testPositions(name: string, under: Under): void {
  testOrder(name, under);
  testGaps(name, under);
}

function testOrder(name: string, { open, created }: Under): void {
  test(`${name}: entries of all loops have positions in the order in which they were committed`, async () => {
    const store = await open();
    assert.deepEqual([await store.position(), await store.entriesAfter(0, 10)], [0, []]);
    for (let count = 0; count < 2; count += 1) await makeLoop(store, created);
    await append(store, 2, warned('one'));
    await append(store, 1, warned('two'));
    const placed = await store.entriesAfter(0, 10);
    const places = placed.map(({ loopId, entry }) => [loopId, entry?.seq]);
    assert.deepEqual(places, [
      [1, 1],
      [2, 1],
      [2, 2],
      [1, 2],
    ]);
    assert.deepEqual(placed[3]?.entry, (await store.journal(1))[1]);
    const positions = placed.map(({ position }) => position);
    assert.deepEqual(
      positions,
      [...new Set(positions)].toSorted((a, b) => a - b),
    );
    assert.equal(await store.position(), positions[3]);
    await store.close();
  });

  test(`${name}: entries after a position come in pages, and so do the loops that they are of`, async () => {
    const store = await open();
    for (let count = 0; count < 3; count += 1) await makeLoop(store, created);
    const position = await store.position();
    for (const id of [3, 1, 3]) await append(store, id, warned(String(id)));
    const first = await store.entriesAfter(position, 2);
    const second = await store.entriesAfter(first[1]?.position ?? 0, 2);
    assert.deepEqual(
      [...first, ...second].map(({ loopId }) => loopId),
      [3, 1, 3],
    );
    assert.deepEqual(await store.entriesAfter(await store.position(), 2), []);
    assert.deepEqual(
      (await store.loopsAfter(position, 10)).toSorted((a, b) => a - b),
      [1, 3],
    );
    assert.deepEqual([(await store.loopsAfter(0, 2)).length, await store.loopsAfter(await store.position(), 2)], [2, []]);
    await store.close();
  });
}

function testGaps(name: string, { open, created }: Under): void {
  test(`${name}: what a failed transaction wrote takes no place`, async () => {
    const store = await open();
    const id = await makeLoop(store, created);
    const failing = store.transaction(async (tx) => {
      await tx.append(id, warned('lost'), AT);
      throw new Error('stop');
    });
    await assert.rejects(failing, /stop/);
    await append(store, id, warned('kept'));
    assert.deepEqual(
      (await store.entriesAfter(0, 10)).map(({ loopId, entry }) => [loopId, entry?.seq]),
      [
        [id, 1],
        [id, 2],
      ],
    );
    await store.close();
  });

  test(`${name}: an adopted journal is placed after all that was there, in its own order`, async () => {
    const [from, to] = [await open(), await open()];
    const id = await makeLoop(from, created);
    await append(from, id, warned('one'));
    await makeLoop(to, (number) => created(number));
    await makeLoop(from, created);
    const journal = await from.journal(2);
    await append(to, 1, warned('before'));
    const position = await to.position();
    await to.transaction((tx) => tx.adopt(journal, { job: false }));
    assert.deepEqual(
      (await to.entriesAfter(position, 10)).map(({ loopId, entry }) => [loopId, entry]),
      journal.map((entry) => [2, entry]),
    );
    await Promise.all([from.close(), to.close()]);
  });
}

async function makeLoop(store: Store, created: (id: number) => Created): Promise<number> {
  return (await store.transaction((tx) => tx.create(created, AT))).id;
}

async function append(store: Store, id: number, event: Event): Promise<void> {
  await store.transaction((tx) => tx.append(id, event, AT));
}

function warned(text: string): Event {
  return { type: 'warned', about: 'branch', text };
}
