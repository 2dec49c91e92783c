import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../core/event.ts';
import type { Created, Store } from './store.ts';

const AT = '2026-01-29T10:00:00.000Z';
const CANCEL: Event = { type: 'overridden', override: 'cancel', by: 'Test Person', reason: null, verdict: null, review: false };
const TAKEOVER: Event = { ...CANCEL, override: 'takeover' };

type UnderTest = { readonly open: () => Promise<Store>; readonly created: (id: number) => Created };

/** What whoever looks for work asks a store about loops that wait. */
export function testWaits(name: string, under: UnderTest): void {
  testTimes(name, under);
  testDependencies(name, under);
}

function testTimes(name: string, { open, created }: UnderTest): void {
  const make = maker(created);
  const postpone = (until: string): Event => ({ type: 'postponed', for: 'disk', until, why: 'the disk is full' });

  test(`${name}: the loops that wait for a time are told soonest first, and only while they do`, async () => {
    const store = await open();
    for (const group of [null, 'night', 'night', null]) await make(store, { group });
    const [soon, later, never] = ['2026-01-29T10:01:00.000Z', '2026-01-29T10:02:00.000Z', '2026-01-29T10:03:00.000Z'];
    for (const [id, until] of [
      [2, later],
      [3, soon],
      [4, never],
    ] as const)
      await put(store, id, postpone(until));
    const [two, three, four] = [
      { id: 2, for: 'disk', until: later },
      { id: 3, for: 'disk', until: soon },
      { id: 4, for: 'disk', until: never },
    ];
    assert.deepEqual(await store.timedWaits({ limit: 9 }), [three, two, four]);
    assert.deepEqual(await store.timedWaits({ limit: 1 }), [three]);
    assert.deepEqual(await store.timedWaits({ limit: 9, group: 'night', among: [1, 2] }), [two]);
    assert.deepEqual(
      (await store.jobs()).map(({ loopId }) => loopId),
      [1],
    );
    await put(store, 3, { type: 'woken' });
    await put(store, 4, { type: 'failed', message: 'broken', stack: null });
    assert.deepEqual(await store.timedWaits({ limit: 9 }), [two], 'what has ended goes on no more');
    assert.deepEqual(
      (await store.jobs()).map(({ loopId }) => loopId),
      [1, 3],
    );
    await store.close();
  });
}

function testDependencies(name: string, { open, created }: UnderTest): void {
  const make = maker(created);
  test(`${name}: loops are releasable when all that they wait for is done or one of it never will be, and nothing else is told`, async () => {
    const store = await open();
    await make(store);
    await make(store);
    for (const dependsOn of [[1], [1, 2], [2], [9]]) await make(store, { dependsOn });
    const releasable = async (after = 0, limit = 9): Promise<readonly number[]> => await store.releasable({ after, except: [], limit });
    assert.deepEqual(await releasable(), [6], 'there is no task 9');
    const before = await store.position();
    assert.deepEqual(await releasable(before), []);
    await put(store, 2, TAKEOVER);
    assert.deepEqual(await releasable(before), [], 'it changed, and is not done');
    await put(store, 2, CANCEL);
    assert.deepEqual(await releasable(before), [4, 5]);
    assert.deepEqual(await store.releasable({ after: before, except: [4], limit: 1 }), [5]);
    await put(store, 5, { type: 'edited', by: 'Test Person', reason: null, edit: { dependsOn: [1] } });
    assert.deepEqual(await releasable(before), [4], 'it waits for another one');
    await put(store, 4, { type: 'dependency-lost', why: 'task 2 was cancelled' });
    assert.deepEqual(await releasable(), [6]);
    const { base, start } = created(3);
    await put(store, 3, { type: 'released', base, start, ground: [], notes: [] });
    await put(store, 1, CANCEL);
    assert.deepEqual(await releasable(), [5, 6], 'what was released waits no more');
    await store.close();
  });
}

type Make = (store: Store, more?: Partial<Created['task']>) => Promise<number>;

function maker(created: UnderTest['created']): Make {
  return async (store, more = {}) => {
    const event = (id: number): Created => ({ ...created(id), task: { ...created(id).task, ...more } });
    return (await store.transaction((tx) => tx.create(event, AT))).id;
  };
}

async function put(store: Store, id: number, event: Event): Promise<void> {
  assert.equal((await store.transaction((tx) => tx.append(id, event, AT))).refused, null);
}
