import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { makeCreated } from '../../test/support/created.ts';
import { replayJournal } from '../core/replay.ts';
import { memoryStore } from '../store/memory.ts';
import { openSqliteStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { openBus } from './bus.ts';
import type { Bus, PlacedStep } from './bus.ts';

const AT = '2026-01-29T10:00:00.000Z';
const folders: string[] = [];
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newPlace(): Promise<{ file: string; backupDir: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-bus-'));
  folders.push(folder);
  return { file: join(folder, 'volley.db'), backupDir: folder };
}

async function makeLoop(store: Store): Promise<number> {
  return (await store.transaction((tx) => tx.create(makeCreated, AT))).id;
}

async function warn(store: Store, id: number, text: string): Promise<void> {
  await store.transaction((tx) => tx.append(id, { type: 'warned', about: 'branch', text }, AT));
}

/** Listens, and gives what was heard once there are so many steps. */
async function listen(bus: Bus): Promise<{ steps: PlacedStep[]; position: number; stop(): void; until(count: number): Promise<void> }> {
  const steps: PlacedStep[] = [];
  let look = (): void => undefined;
  const hearing = await bus.listen({
    heard: (heard) => {
      steps.push(...heard);
      look();
    },
    failed: (error) => assert.fail(String(error)),
  });
  const until = async (count: number): Promise<void> =>
    await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`only ${steps.length} steps of ${count} were heard`)), 20_000);
      look = () => {
        if (steps.length < count) return;
        clearTimeout(timer);
        resolve();
      };
      look();
    });
  return { steps, position: hearing.position, stop: () => hearing.stop(), until };
}

async function assertWhole(store: Store, steps: readonly PlacedStep[], position: number): Promise<void> {
  assert.deepEqual(
    steps.map(({ position: at, loopId, entry }) => ({ position: at, loopId, entry })),
    await store.entriesAfter(position, 10_000),
  );
  for (const heard of steps) {
    assert.ok(heard.entry !== null);
    const step = replayJournal(await store.journal(heard.loopId))?.steps[heard.entry.seq - 1];
    assert.deepEqual([heard.before, heard.after], [step?.before, step?.after]);
  }
}

test('whoever listens hears every entry once with its loop before and after, and nothing of what came earlier', async () => {
  const store = memoryStore();
  const bus = openBus(store);
  await makeLoop(store);
  const heard = await listen(bus);
  for (let count = 0; count < 30; count += 1) {
    if (count % 10 === 0) await makeLoop(store);
    await warn(store, 1 + (count % 2), String(count));
    if (count % 3 === 0) bus.poke();
  }
  await heard.until(33);
  await assertWhole(store, heard.steps, heard.position);
  heard.stop();
});

test('a poke is heard at once, and a quiet journal is only looked at from time to time', async () => {
  const store = memoryStore();
  let looks = 0;
  const bus = openBus({
    ...store,
    entriesAfter: async (position, limit) => {
      looks += 1;
      return await store.entriesAfter(position, limit);
    },
  });
  await makeLoop(store);
  await warn(store, 1, 'nobody listens');
  bus.poke();
  assert.equal(looks, 0);
  const heard = await listen(bus);
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.ok(looks <= 8, `looked ${looks} times`);
  const startedMs = performance.now();
  for (let count = 1; count <= 20; count += 1) {
    await warn(store, 1, 'now');
    bus.poke();
    await heard.until(count);
  }
  assert.ok(performance.now() - startedMs < 800, 'it waited for the next look');
  heard.stop();
  looks = 0;
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.ok(looks <= 1, 'it went on although nobody listens');
});

test('what another process appends is heard, in the order of its commits', async () => {
  const place = await newPlace();
  const store = await openSqliteStore(place);
  const bus = openBus(store);
  for (let count = 0; count < 3; count += 1) await makeLoop(store);
  await warn(store, 2, 'before anybody listened');
  const heard = await listen(bus);
  const other = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { openSqliteStore } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, '..', 'store', 'sqlite.ts')).href)};
      const store = await openSqliteStore(${JSON.stringify(place)});
      for (let count = 0; count < 120; count += 1)
        await store.transaction((tx) => tx.append(1 + (count % 3), { type: 'warned', about: 'branch', text: 'other ' + count }, ${JSON.stringify(AT)}));
      await store.close();`,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const ended = new Promise((resolve) => other.once('exit', resolve));
  for (let count = 0; count < 40; count += 1) await warn(store, 3, `own ${count}`);
  assert.equal(await ended, 0);
  await heard.until(160);
  await assertWhole(store, heard.steps, heard.position);
  heard.stop();
  await store.close();
});

test('whoever comes while others listen hears what comes from then on, and the last to leave ends the reading', async () => {
  const store = memoryStore();
  const bus = openBus(store);
  await makeLoop(store);
  const first = await listen(bus);
  await warn(store, 1, 'one');
  await first.until(1);
  const second = await listen(bus);
  await warn(store, 1, 'two');
  bus.poke();
  await Promise.all([first.until(2), second.until(1)]);
  assert.deepEqual([second.position, second.steps[0]?.position], [2, 3]);
  first.stop();
  second.stop();
  await warn(store, 1, 'three');
  const third = await listen(bus);
  await warn(store, 1, 'four');
  bus.poke();
  await third.until(1);
  assert.deepEqual([third.position, third.steps[0]?.position, first.steps.length], [4, 5, 2]);
  third.stop();
});

test('whoever was away reads what it missed, page by page, in loops that were folded from their journals', async () => {
  const store = memoryStore();
  const bus = openBus(store);
  for (let count = 0; count < 3; count += 1) await makeLoop(store);
  for (let count = 0; count < 20; count += 1) await warn(store, 1 + (count % 3), String(count));
  for (const from of [20, 5, 12]) await assertWhole(store, await bus.read(from, 100), from);
  assert.equal((await bus.read(5, 4)).length, 4);
});

test('a journal that cannot be read is told to whoever listens, and the next one is tried anew', async () => {
  const store = memoryStore();
  let isBroken = false;
  const bus = openBus({
    ...store,
    entriesAfter: async (position, limit) => {
      if (isBroken) throw new Error('broken');
      return await store.entriesAfter(position, limit);
    },
  });
  const failed = new Promise<unknown>((resolve) => void bus.listen({ heard: () => undefined, failed: resolve }));
  isBroken = true;
  assert.match(String(await failed), /broken/);
  isBroken = false;
  const heard = await listen(bus);
  await makeLoop(store);
  bus.poke();
  await heard.until(1);
  heard.stop();
});

test('an entry that cannot be read keeps nobody from hearing of other loops', async () => {
  const place = await newPlace();
  const store = await openSqliteStore(place);
  const [one, other] = [await makeLoop(store), await makeLoop(store)];
  const bus = openBus(store);
  const heard = await listen(bus);
  await warn(store, one, 'it will be damaged');
  const db = new DatabaseSync(place.file);
  db.exec(`UPDATE events SET body = '{"type":"from-the-future"}' WHERE position = 3`);
  db.close();
  await warn(store, other, 'fine');
  bus.poke();
  await heard.until(2);
  assert.deepEqual(
    (await bus.read(0, 10)).map(({ position, loopId, entry }) => [position, loopId, entry?.event.type ?? null]),
    [
      [1, one, 'created'],
      [2, other, 'created'],
      [3, one, null],
      [4, other, 'warned'],
    ],
  );
  heard.stop();
  await store.close();
});
