import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endAuthor as end, entriesOf, makeDayLoop as make, startNext as start } from '../../test/support/day-loops.ts';
import { fakeEngine } from '../../test/support/fake-engine.ts';
import type { Loop } from '../core/loop.ts';
import { memoryStore } from '../store/memory.ts';
import { overrideLoop } from './commands.ts';
import type { Engine } from './engine.ts';

const TODAY = '2026-01-29T12:00:00.000Z';
const TOMORROW = '2026-01-30T12:00:00.000Z';

function openEngine(now = (): string => TODAY): Engine {
  return fakeEngine(memoryStore(), { now });
}

test('loops that start at once share what is left of the day, and the last one waits until somebody has something left', async () => {
  const engine = openEngine();
  const ids = [await make(engine), await make(engine), await make(engine)];
  const loops = await Promise.all(ids.map(async (id) => await start(engine, id)));
  assert.deepEqual(
    loops.map(({ current }) => current?.reservedUsd ?? null),
    [[1], [0.5], null],
  );
  assert.deepEqual([loops[2]?.escalation, loops[2]?.state], [null, 'queued']);
  assert.deepEqual(loops[2]?.waiting, {
    for: 'slot',
    until: '2026-01-29T12:00:01.000Z',
    agent: null,
    why: "other sessions have reserved what is left of the day's ceiling: $0.00 of $1.50 are spent by all loops today, and $1.50 are reserved for sessions at work",
  });
  assert.deepEqual(await entriesOf(engine, 3), ['created', 'tallied', 'postponed']);
});

test('what a session did not spend is there for the next one, and on the next day everything is', async () => {
  let clock = TODAY;
  const engine = openEngine(() => clock);
  const [one, two] = [await make(engine), await make(engine)];
  await end(engine, await start(engine, one), 1.25);
  const second = await start(engine, two);
  assert.deepEqual(second.current?.reservedUsd, [0.25]);
  await end(engine, second, 0.5);
  assert.match((await start(engine, one)).escalation?.why ?? '', /^the day's ceiling: \$1\.75 of \$1\.50 are spent/);
  const retry = async (): Promise<Loop> => {
    await overrideLoop(engine, one, { override: 'retry', by: 'Ada', reason: null });
    return await start(engine, one);
  };
  assert.equal((await retry()).escalation?.reason, 'ceiling', 'it is still the same day');
  clock = TOMORROW;
  assert.deepEqual((await retry()).current?.reservedUsd, [1]);
});

test('a look that tells nothing new is not journalled, and without a ceiling for the day nobody looks', async () => {
  const engine = openEngine();
  const [limited, free] = [await make(engine), await make(engine, null)];
  for (const id of [limited, free]) {
    await end(engine, await start(engine, id), 0.1);
    if (id === limited) await start(engine, id);
  }
  assert.deepEqual(await entriesOf(engine, limited), ['created', 'tallied', 'started', 'authored', 'started']);
  assert.deepEqual(await entriesOf(engine, free), ['created', 'started', 'authored']);
});

test('a loop that is held to nothing counts for those that are', async () => {
  const engine = openEngine();
  const [limited, free] = [await make(engine), await make(engine, null)];
  await start(engine, free);
  assert.deepEqual((await start(engine, limited)).current?.reservedUsd, [0.5], 'a limit of its own is reserved too');
});
