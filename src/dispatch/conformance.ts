import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Owner, Store } from '../store/store.ts';
import type { Dispatcher } from './dispatcher.ts';

/** What a dispatcher needs to be put through its paces. */
export type DispatcherUnderTest = {
  readonly open: () => Promise<{ readonly store: Store; readonly dispatcher: Dispatcher }>;
  /** Makes a loop that wants work. */
  readonly addLoop: (store: Store) => Promise<number>;
  /** Appends what makes a loop rest. */
  readonly endLoop: (store: Store, id: number) => Promise<void>;
  /** Another process that is alive, and one that was killed. */
  readonly alive: () => Promise<Owner>;
  readonly dead: () => Promise<Owner>;
};

type Bench = { readonly store: Store; readonly dispatcher: Dispatcher };

/** The promises of a dispatcher; the test of every implementation calls it. */
export function dispatcherConformance(name: string, under: DispatcherUnderTest): void {
  const withLoops = async (count: number, run: (bench: Bench) => Promise<void>): Promise<void> => {
    const bench = await under.open();
    for (let made = 0; made < count; made += 1) await under.addLoop(bench.store);
    await run(bench);
    await bench.dispatcher.close();
    await bench.store.close();
  };
  testDriving(name, under, withLoops);
  testOwners(name, under, withLoops);
  testFailures(name, under, withLoops);
}

type WithLoops = (count: number, run: (bench: Bench) => Promise<void>) => Promise<void>;

function testDriving(name: string, under: DispatcherUnderTest, withLoops: WithLoops): void {
  test(`${name}: every pending loop is driven once, in order`, async () => {
    await withLoops(3, async ({ store, dispatcher }) => {
      const report = await dispatcher.work({ slots: 1 }, ({ loopId }) => under.endLoop(store, loopId));
      assert.deepEqual(report, { driven: [1, 2, 3], busy: [] });
      assert.deepEqual((await dispatcher.work({ slots: 1 }, async () => assert.fail('nothing is left'))).driven, []);
    });
  });

  test(`${name}: only the named loops are driven`, async () => {
    await withLoops(3, async ({ dispatcher }) => {
      assert.deepEqual((await dispatcher.work({ slots: 2, only: [2, 9] }, async () => {})).driven, [2]);
    });
  });

  test(`${name}: as many loops as there are slots are driven at once, and no more`, async () => {
    await withLoops(7, async ({ dispatcher }) => {
      let now = 0;
      let most = 0;
      await dispatcher.work({ slots: 3 }, async () => {
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setTimeout(resolve, 5));
        now -= 1;
      });
      assert.equal(most, 3);
    });
  });

  test(`${name}: a loop that still wants work is not picked again by the same call, but by the next`, async () => {
    await withLoops(1, async ({ dispatcher }) => {
      assert.deepEqual((await dispatcher.work({ slots: 2 }, async () => {})).driven, [1]);
      assert.deepEqual((await dispatcher.work({ slots: 2 }, async () => {})).driven, [1]);
    });
  });

  test(`${name}: a loop that is enqueued while others are driven is driven too`, async () => {
    await withLoops(1, async ({ store, dispatcher }) => {
      const report = await dispatcher.work({ slots: 1 }, async ({ loopId }) => {
        if (loopId === 1) await under.addLoop(store);
        await under.endLoop(store, loopId);
        if (loopId === 2) await store.transaction((tx) => dispatcher.enqueue(tx, { loopId: 1 }));
      });
      assert.deepEqual(report.driven, [1, 2]);
      assert.deepEqual((await dispatcher.work({ slots: 1 }, async () => {})).driven, [1]);
    });
  });

  test(`${name}: after an abort no further loop is begun`, async () => {
    await withLoops(3, async ({ dispatcher }) => {
      const controller = new AbortController();
      const { driven } = await dispatcher.work({ slots: 1, signal: controller.signal }, async () => controller.abort());
      assert.deepEqual(driven, [1]);
    });
  });
}

function testOwners(name: string, under: DispatcherUnderTest, withLoops: WithLoops): void {
  test(`${name}: a loop has an owner while it is driven, and none after`, async () => {
    await withLoops(1, async ({ store, dispatcher }) => {
      await dispatcher.work({ slots: 1 }, async () => assert.equal((await store.rows())[0]?.owner?.pid, process.pid));
      assert.equal((await store.rows())[0]?.owner, null);
    });
  });

  test(`${name}: a loop that a living process drives is left to it and reported as busy`, async () => {
    await withLoops(2, async ({ store, dispatcher }) => {
      const owner = await under.alive();
      await store.transaction((tx) => tx.setOwner(1, owner));
      assert.deepEqual(await dispatcher.work({ slots: 2 }, async () => {}), { driven: [2], busy: [{ loopId: 1, owner }] });
    });
  });

  test(`${name}: two calls at once never drive the same loop`, async () => {
    await withLoops(6, async ({ store, dispatcher }) => {
      const driving = new Set<number>();
      const handler = async ({ loopId }: { readonly loopId: number }): Promise<void> => {
        assert.ok(!driving.has(loopId));
        driving.add(loopId);
        await under.endLoop(store, loopId);
      };
      const reports = await Promise.all([dispatcher.work({ slots: 2 }, handler), dispatcher.work({ slots: 2 }, handler)]);
      assert.deepEqual(
        reports.flatMap((report) => report.driven).toSorted((a, b) => a - b),
        [1, 2, 3, 4, 5, 6],
      );
    });
  });

  test(`${name}: who drives a loop is known, and which loops a dead process left`, async () => {
    await withLoops(4, async ({ store, dispatcher }) => {
      const owners = [null, await under.alive(), await under.dead(), await under.dead()];
      for (const [index, owner] of owners.entries()) await store.transaction((tx) => tx.setOwner(index + 1, owner));
      await under.endLoop(store, 4);
      const driven = await store.transaction(
        async (tx) => await Promise.all([1, 2, 3, 4].map(async (id) => await dispatcher.isDriven(tx, id))),
      );
      assert.deepEqual(driven, [false, true, false, false]);
      assert.deepEqual(await store.transaction((tx) => dispatcher.abandoned(tx)), [3], 'what wants nothing was not left undone');
    });
  });

  test(`${name}: the loop of a dead process is taken over at once`, async () => {
    await withLoops(1, async ({ store, dispatcher }) => {
      const owner = await under.dead();
      await store.transaction((tx) => tx.setOwner(1, owner));
      assert.deepEqual(await dispatcher.work({ slots: 1 }, async () => {}), { driven: [1], busy: [] });
    });
  });
}

function testFailures(name: string, under: DispatcherUnderTest, withLoops: WithLoops): void {
  test(`${name}: a handler that throws lets its loop go, and the others come to their end before the error is told`, async () => {
    await withLoops(4, async ({ store, dispatcher }) => {
      const ended: number[] = [];
      const second = Promise.withResolvers<void>();
      const working = dispatcher.work({ slots: 2 }, async ({ loopId }) => {
        if (loopId === 1) {
          await second.promise;
          throw new Error('broken handler');
        }
        second.resolve();
        await new Promise((resolve) => setTimeout(resolve, 5));
        await under.endLoop(store, loopId);
        ended.push(loopId);
      });
      await assert.rejects(working, /broken handler/);
      assert.deepEqual(ended, [2]);
      assert.ok((await store.rows()).every((row) => row.owner === null));
    });
  });
}
