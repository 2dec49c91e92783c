import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEAD, entriesOf, makeDayLoop, startNext } from '../../test/support/day-loops.ts';
import { fakeEngine } from '../../test/support/fake-engine.ts';
import { makeSession } from '../../test/support/loops.ts';
import type { Override } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { NO_USAGE } from '../core/usage-meter.ts';
import { thisProcess } from '../dispatch/owner.ts';
import { memoryStore } from '../store/memory.ts';
import type { Owner } from '../store/store.ts';
import { appendEvent } from './append.ts';
import { commentOnLoop, overrideLoop } from './commands.ts';
import type { Engine } from './engine.ts';
import { endAbandoned, supersede } from './supersede.ts';

const TODAY = '2026-01-29T12:00:00.000Z';

/** An engine with one loop whose author is at work for this process, and what was killed. */
async function atWork(owner: Owner): Promise<{ readonly engine: Engine; readonly loop: Loop; readonly killed: string[] }> {
  const killed: string[] = [];
  const killMarked = async (marker: string): Promise<number> => killed.push(marker);
  const engine = fakeEngine(memoryStore(), { now: () => TODAY, killMarked });
  const id = await makeDayLoop(engine);
  await engine.store.transaction((tx) => tx.setOwner(id, owner));
  return { engine, loop: await startNext(engine, id), killed };
}

/** What all loops have spent today, and what is reserved. */
async function tally({ store }: Engine): Promise<readonly number[]> {
  const { spentUsd, reservedUsd } = await store.transaction((tx) => tx.tally(TODAY, 9));
  return [spentUsd, reservedUsd];
}

const BY = { by: 'Ada', reason: null };

for (const override of ['cancel', 'takeover', 'retry'] satisfies Override[])
  test(`a session whose driver died is ended and booked before ${override} takes its place`, async () => {
    const { engine, loop, killed } = await atWork(DEAD);
    assert.deepEqual(await tally(engine), [0, 1]);
    const after = await overrideLoop(engine, loop.id, { override, ...BY });
    assert.deepEqual([await tally(engine), after.spend.usd, after.spend.estimated, after.current], [[1, 0], 1, true, null]);
    assert.deepEqual(await entriesOf(engine, loop.id), ['created', 'tallied', 'started', 'interrupted', 'overridden']);
    assert.deepEqual(killed, [`${loop.uid}-${loop.current?.token ?? 0}`]);
  });

test('a living driver books its superseded session itself, once', async () => {
  const { engine, loop, killed } = await atWork(await thisProcess());
  await overrideLoop(engine, loop.id, { override: 'cancel', ...BY });
  assert.deepEqual([await tally(engine), killed], [[0, 0], []]);
  const session = makeSession('alpha', { role: 'author', usage: { ...NO_USAGE, costUsd: 0.4 } });
  await appendEvent(engine, loop.id, { type: 'refused', event: 'a session of alpha', why: 'it was superseded', session });
  assert.deepEqual([await tally(engine), (await engine.store.load(loop.id))?.spend.usd], [[0.4, 0], 0.4]);
});

test('a moved branch books what a dead driver left too', async () => {
  const { engine, loop } = await atWork(DEAD);
  await supersede(engine, loop.id, { type: 'moved', head: { commit: 'theirs', tree: 'other' }, descends: true });
  assert.deepEqual(
    [await tally(engine), (await entriesOf(engine, loop.id)).slice(-2)],
    [
      [1, 0],
      ['interrupted', 'moved'],
    ],
  );
});

test('a word that is refused, or that supersedes nothing, leaves the action of a dead driver as it is', async () => {
  const { engine, loop, killed } = await atWork(DEAD);
  await assert.rejects(overrideLoop(engine, loop.id, { override: 'handback', ...BY }), /nobody took it over/);
  await commentOnLoop(engine, loop.id, { by: 'Ada', text: 'Mind the tests.', file: null, line: null, asks: false });
  assert.deepEqual((await entriesOf(engine, loop.id)).slice(2), ['started', 'refused', 'commented']);
  assert.deepEqual([await tally(engine), killed], [[0, 1], []]);
});

test('what dead processes left is ended and booked once, what runs or was never driven stays', async () => {
  const { engine, loop } = await atWork(DEAD);
  const [running, idle] = [await makeDayLoop(engine, null), await makeDayLoop(engine)];
  const owner = await thisProcess();
  await engine.store.transaction((tx) => tx.setOwner(running, owner));
  await startNext(engine, running);
  await endAbandoned(engine);
  await endAbandoned(engine);
  assert.deepEqual(await tally(engine), [1, 1]);
  assert.deepEqual((await entriesOf(engine, loop.id)).slice(2), ['started', 'interrupted']);
  assert.deepEqual([await entriesOf(engine, running), await entriesOf(engine, idle)], [['created', 'started'], ['created']]);
});
