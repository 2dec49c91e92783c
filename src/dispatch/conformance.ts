import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEffect } from '../core/action.ts';
import { decide } from '../core/decide.ts';
import { VolleyError } from '../core/errors.ts';
import type { Owner, Store } from '../store/store.ts';
import type { Dispatcher, Watch } from './dispatcher.ts';

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
  testWatching(name, under, withLoops);
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
      await under.endLoop(store, 2);
      assert.ok(await store.transaction((tx) => dispatcher.isDriven(tx, 2)), 'until its driver lets go, also where nothing is left to do');
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

/** Somebody who watches until `until` says that all they waited for is done, and writes down what they hear. */
function watcher(until: (told: readonly string[]) => boolean): {
  readonly watch: Watch;
  readonly told: string[];
  readonly signal: AbortSignal;
} {
  const told: string[] = [];
  const stop = new AbortController();
  const tell = (what: string): void => {
    told.push(what);
    if (until(told)) stop.abort();
  };
  return {
    told,
    signal: stop.signal,
    watch: {
      prepare: async () => await Promise.resolve({ only: null, isMore: false }),
      stays: async () => await Promise.resolve(true),
      ended: async (id) => await Promise.resolve(tell(`ended ${id}`)),
      broke: (id, error) => tell(`broke ${id}: ${String(error)}`),
    },
  };
}

function testWatching(name: string, under: DispatcherUnderTest, withLoops: WithLoops): void {
  test(`${name}: whoever watches drives a loop each time that it wants work, and at once when somebody stirs`, async (t) => {
    await withLoops(1, async ({ store, dispatcher }) => {
      const { watch, told, signal } = watcher((all) => all.length === 3);
      // The next look never comes by itself.
      t.mock.timers.enable({ apis: ['setTimeout'] });
      const working = dispatcher.work({ slots: 2, watch, signal }, async ({ loopId }) => await under.endLoop(store, loopId));
      while (told.length < 1) await new Promise((resolve) => setImmediate(resolve));
      await under.addLoop(store);
      dispatcher.stir();
      while (told.length < 2) await new Promise((resolve) => setImmediate(resolve));
      await store.transaction((tx) => dispatcher.enqueue(tx, { loopId: 1 }));
      dispatcher.stir();
      assert.deepEqual(await working, { driven: [1, 2], busy: [] });
      assert.deepEqual(told, ['ended 1', 'ended 2', 'ended 1']);
    });
  });

  test(`${name}: who watches finds what nobody told of, and what waits is asked for before each look`, async () => {
    await withLoops(0, async ({ store, dispatcher }) => {
      const { watch, told, signal } = watcher((all) => all.length === 1);
      let looks = 0;
      const prepare: Watch['prepare'] = async () => {
        looks += 1;
        if (looks === 2) await under.addLoop(store);
        return { only: null, isMore: false };
      };
      await dispatcher.work({ slots: 1, watch: { ...watch, prepare }, signal }, async ({ loopId }) => await under.endLoop(store, loopId));
      assert.deepEqual(told, ['ended 1']);
    });
  });

  test(`${name}: a loop that breaks stops no other one, and is tried again only when something happened to it`, async () => {
    await withLoops(2, async ({ store, dispatcher }) => {
      const { watch, told, signal } = watcher((all) => all.length === 3);
      const working = dispatcher.work({ slots: 1, watch, signal }, async ({ loopId }) => {
        if (loopId === 1 && told.length === 0) throw new Error('no disk');
        await under.endLoop(store, loopId);
      });
      while (told.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      dispatcher.stir();
      await new Promise((resolve) => setTimeout(resolve, 30));
      assert.deepEqual(told, ['broke 1: Error: no disk', 'ended 2']);
      await store.transaction((tx) => tx.append(1, { type: 'warned', about: 'document', text: 'Something.' }, '2026-01-29T10:00:00.000Z'));
      dispatcher.stir();
      await working;
      assert.deepEqual(told.slice(2), ['ended 1']);
      assert.ok((await store.rows()).every((row) => row.owner === null));
    });
  });

  test(`${name}: of two who watch each tries a loop that breaks once: that the other one tried it is nothing that happened to it`, async () => {
    await withLoops(1, async ({ store, dispatcher }) => {
      const stop = new AbortController();
      const tries: string[] = [];
      const work = async (who: string): Promise<unknown> => {
        const { watch } = watcher(() => false);
        return await dispatcher.work({ slots: 1, watch, signal: stop.signal }, async ({ loopId }) => {
          tries.push(who);
          await tryInVain(store, loopId);
          throw new Error('no disk');
        });
      };
      const working = [work('one'), work('other')];
      for (let looks = 0; looks < 20; looks += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        dispatcher.stir();
      }
      assert.deepEqual(tries.toSorted(), ['one', 'other']);
      await store.transaction((tx) => tx.append(1, { type: 'warned', about: 'document', text: 'Something.' }, '2026-01-29T10:00:00.000Z'));
      dispatcher.stir();
      while (tries.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
      stop.abort();
      await Promise.all(working);
    });
  });

  test(`${name}: what passes by itself is tried again after a while, although nothing could be written down`, async (t) => {
    await withLoops(1, async ({ dispatcher }) => {
      t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-01-29T10:00:00.000Z') });
      const { watch, told, signal } = watcher((all) => all.length === 3);
      const working = dispatcher.work({ slots: 1, watch, signal }, async () => {
        throw new VolleyError('disk-full', 'The disk is full.', 'Free some space.');
      });
      for (const minutes of [1, 2]) {
        const before = told.length;
        while (told.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
        t.mock.timers.tick(minutes * 60_000 - 1);
        dispatcher.stir();
        await new Promise((resolve) => setTimeout(resolve, 30));
        assert.equal(told.length, before + 1, `not within ${minutes} minutes`);
        t.mock.timers.tick(1);
        dispatcher.stir();
      }
      await working;
    });
  });

  test(`${name}: a look that fails is told at once to whoever watches and stops nothing; for others it is the end`, async () => {
    await withLoops(1, async ({ store, dispatcher }) => {
      const { watch, told, signal } = watcher((all) => all.includes('ended 1'));
      const second = Promise.withResolvers<void>();
      let looks = 0;
      const prepare: Watch['prepare'] = async () => {
        looks += 1;
        if (looks === 2) await under.addLoop(store);
        if (looks === 2 || looks === 3) throw new Error('the journal is held');
        return { only: null, isMore: false };
      };
      const faltered = (error: unknown): void => void told.push(String(error));
      const working = dispatcher.work({ slots: 2, watch: { ...watch, prepare, faltered }, signal }, async ({ loopId }) => {
        if (loopId === 1) await second.promise;
        else second.resolve();
        await under.endLoop(store, loopId);
      });
      const stirring = setInterval(() => dispatcher.stir(), 5);
      await working.finally(() => clearInterval(stirring));
      assert.deepEqual(told.toSorted(), ['Error: the journal is held', 'ended 1', 'ended 2']);
      looks = 1;
      await assert.rejects(
        dispatcher.work({ slots: 1, watch: { ...watch, prepare } }, async () => {}),
        /the journal is held/,
      );
    });
  });

  test(`${name}: where there is more to prepare, the slots are filled first and it goes on at once`, async (t) => {
    await withLoops(0, async ({ store, dispatcher }) => {
      // The next look never comes by itself.
      t.mock.timers.enable({ apis: ['setTimeout'] });
      const { watch, told, signal } = watcher((all) => all.includes('ended 3'));
      const prepare: Watch['prepare'] = async () => {
        const id = await under.addLoop(store);
        told.push(`prepared ${id}`);
        return { only: null, isMore: id < 3 };
      };
      const last = Promise.withResolvers<void>();
      await dispatcher.work({ slots: 3, watch: { ...watch, prepare }, signal }, async ({ loopId }) => {
        told.push(`began ${loopId}`);
        if (loopId === 3) last.resolve();
        await last.promise;
        await under.endLoop(store, loopId);
      });
      assert.deepEqual(told.slice(0, 6), ['prepared 1', 'began 1', 'prepared 2', 'began 2', 'prepared 3', 'began 3']);
    });
  });

  test(`${name}: whoever watches takes over what another process let go, and leaves alone what is not selected`, async () => {
    await withLoops(3, async ({ store, dispatcher }) => {
      const owner = await under.alive();
      await store.transaction((tx) => tx.setOwner(1, owner));
      const { watch, told, signal } = watcher((all) => all.length === 2);
      const prepare: Watch['prepare'] = async () => await Promise.resolve({ only: [1, 2], isMore: false });
      const working = dispatcher.work(
        { slots: 1, watch: { ...watch, prepare }, signal },
        async ({ loopId }) => await under.endLoop(store, loopId),
      );
      while (told.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
      await store.transaction((tx) => tx.setOwner(1, null));
      dispatcher.stir();
      assert.deepEqual((await working).busy, [{ loopId: 1, owner }]);
      assert.deepEqual(told, ['ended 2', 'ended 1']);
    });
  });
}

/** What a driver writes that begins an action and cannot go on. */
async function tryInVain(store: Store, loopId: number): Promise<void> {
  await store.transaction(async (tx) => {
    const loop = await tx.load(loopId);
    const action = loop === null ? null : decide(loop);
    if (action === null || !isEffect(action)) throw new Error('the loop has nothing to begin');
    const { seq } = await tx.append(loopId, { type: 'started', action }, '2026-01-29T10:00:00.000Z');
    await tx.append(loopId, { type: 'interrupted', token: seq, why: 'the disk is full', session: null }, '2026-01-29T10:00:00.000Z');
  });
}
