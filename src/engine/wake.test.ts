import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEAD, endAuthor, entriesOf, makeDayLoop, startNext } from '../../test/support/day-loops.ts';
import { fakeEngine } from '../../test/support/fake-engine.ts';
import type { Loop } from '../core/loop.ts';
import { memoryStore } from '../store/memory.ts';
import type { Engine } from './engine.ts';
import { wakeLoops } from './wake.ts';

/** Noon and so many seconds. */
function clock(second: number): string {
  return new Date(Date.parse('2026-01-29T12:00:00.000Z') + second * 1000).toISOString();
}

/** Two loops of which the first has reserved all of the day's money, so that the second waits; the time can be set. */
async function makeWait(): Promise<{
  readonly engine: Engine;
  readonly first: Loop;
  readonly second: number;
  readonly at: (second: number) => void;
}> {
  let now = 0;
  const engine = fakeEngine(memoryStore(), { now: () => clock(now) });
  const [one, second] = [await makeDayLoop(engine, 1), await makeDayLoop(engine, 1)];
  const first = await startNext(engine, one);
  assert.equal((await startNext(engine, second)).waiting?.until, clock(1));
  return { engine, first, second, at: (at) => void (now = at) };
}

async function waitOf(engine: Engine, id: number): Promise<string | null> {
  return (await engine.store.load(id))?.waiting?.until ?? null;
}

test('a loop that waits for money is looked at when its time has come, less and less often, and not driven before there is some', async () => {
  const { engine, first, second, at } = await makeWait();
  await wakeLoops(engine, [second]);
  assert.equal(await waitOf(engine, second), clock(1), 'its time has not come, so nothing is written');
  for (const [now, until] of [
    [1, 3],
    [3, 7],
    [7, 15],
    [15, 31],
    [31, 61],
    [61, 91],
  ] as const) {
    at(now);
    await wakeLoops(engine, null);
    assert.equal(await waitOf(engine, second), clock(until));
  }
  assert.deepEqual(
    (await entriesOf(engine, second)).slice(2),
    Array.from({ length: 7 }, () => 'postponed'),
  );
  await endAuthor(engine, first, 0.4);
  await wakeLoops(engine, null);
  assert.equal(await waitOf(engine, second), clock(91), 'nobody asked for it by name');
  await wakeLoops(engine, [second]);
  assert.deepEqual((await startNext(engine, second)).current?.reservedUsd, [0.6]);
});

test('when the others have spent it all, the loop goes on to ask', async () => {
  const { engine, first, second, at } = await makeWait();
  await endAuthor(engine, first, 1);
  at(1);
  await wakeLoops(engine, null);
  assert.equal((await startNext(engine, second)).escalation?.reason, 'ceiling');
});

test('nobody waits for the money of a process that died: it is booked, and the loop asks', async () => {
  const { engine, first, second, at } = await makeWait();
  await engine.store.transaction((tx) => tx.setOwner(first.id, DEAD));
  at(1);
  await wakeLoops(engine, null);
  assert.deepEqual((await entriesOf(engine, first.id)).at(-1), 'interrupted');
  assert.match((await startNext(engine, second)).escalation?.why ?? '', /about \$1\.00 of \$1\.00 are spent by all loops today$/);
});

test('a session that starts does not wait for the money of a process that died either', async () => {
  const { engine, first } = await makeWait();
  await engine.store.transaction((tx) => tx.setOwner(first.id, DEAD));
  const third = await makeDayLoop(engine, 1);
  assert.equal((await startNext(engine, third)).escalation?.reason, 'ceiling');
});
