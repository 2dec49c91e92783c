import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { makeCreated } from '../../test/support/created.ts';
import { decide } from '../core/decide.ts';
import { VolleyError } from '../core/errors.ts';
import { memoryStore } from '../store/memory.ts';
import { openSqliteStore } from '../store/sqlite.ts';
import type { Owner, Store } from '../store/store.ts';
import { dispatcherConformance } from './conformance.ts';
import type { Watch } from './dispatcher.ts';
import { localDispatcher } from './local.ts';
import { isAlive, thisProcess } from './owner.ts';

const AT = '2026-01-29T10:00:00.000Z';
const folders: string[] = [];
const children: ChildProcess[] = [];
after(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newPlace(): Promise<{ file: string; backupDir: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-dispatch-'));
  folders.push(folder);
  return { file: join(folder, 'volley.db'), backupDir: join(folder, 'backups') };
}

async function addLoop(store: Store): Promise<number> {
  return (await store.transaction((tx) => tx.create(makeCreated, AT))).id;
}

async function endLoop(store: Store, id: number): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.append(id, { type: 'overridden', override: 'cancel', by: 'Test Person', reason: null, verdict: null, review: false }, AT);
    const loop = await tx.load(id);
    const action = loop === null ? null : decide(loop);
    if (action?.do === 'finish') await tx.append(id, { type: 'finished', state: action.state, why: action.why }, AT);
  });
}

/** A process that says a line of code's worth once it runs, and then waits to be killed. */
async function spawnWaiting(code: string): Promise<{ readonly child: ChildProcess; readonly line: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${code}; setInterval(() => {}, 1000);`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  assert.ok(child.stdout);
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, line: String(line) };
}

function urlOf(path: string): string {
  return JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href);
}

const SAY_OWNER = `import { thisProcess } from ${urlOf('owner.ts')}; console.log(JSON.stringify(await thisProcess()))`;

async function otherProcess(): Promise<{ readonly child: ChildProcess; readonly owner: Owner }> {
  const { child, line } = await spawnWaiting(SAY_OWNER);
  const owner: Owner = JSON.parse(line);
  return { child, owner };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

const under = {
  addLoop,
  endLoop,
  alive: async () => (await otherProcess()).owner,
  dead: async () => {
    const { child, owner } = await otherProcess();
    await kill(child);
    return owner;
  },
};

function bench(store: Store): { store: Store; dispatcher: ReturnType<typeof localDispatcher> } {
  return { store, dispatcher: localDispatcher(store) };
}

dispatcherConformance('local over memory', { ...under, open: async () => bench(memoryStore()) });
dispatcherConformance('local over sqlite', { ...under, open: async () => bench(await openSqliteStore(await newPlace())) });

test('a process keeps the loop that it drives while it lives and loses it at once when it is killed', async () => {
  const place = await newPlace();
  const store = await openSqliteStore(place);
  const id = await addLoop(store);
  const { child } = await spawnWaiting(`
    import { openSqliteStore } from ${urlOf('../store/sqlite.ts')};
    import { localDispatcher } from ${urlOf('local.ts')};
    const dispatcher = localDispatcher(await openSqliteStore(${JSON.stringify(place)}));
    void dispatcher.work({ slots: 1 }, async () => { console.log('driving'); await new Promise(() => {}); })`);
  const dispatcher = localDispatcher(store);
  const first = await dispatcher.work({ slots: 1 }, async () => assert.fail('it is driven elsewhere'));
  assert.deepEqual(
    first.busy.map((one) => [one.loopId, one.owner.pid]),
    [[id, child.pid]],
  );
  await kill(child);
  assert.deepEqual((await dispatcher.work({ slots: 1 }, async () => {})).driven, [id]);
  await store.close();
});

/** The store with its transactions passed through `each`. */
function through(store: Store, each: (run: () => Promise<unknown>) => Promise<unknown>): Store {
  return {
    ...store,
    transaction: async <T>(work: Parameters<typeof store.transaction<T>>[0]) => (await each(() => store.transaction(work))) as T,
  };
}

function watching(ended: () => void): Watch {
  return {
    prepare: async () => await Promise.resolve({ only: null, isMore: false }),
    stays: async () => await Promise.resolve(true),
    ended: async () => await Promise.resolve(ended()),
    broke: () => assert.fail('no loop breaks'),
  };
}

test('whoever watches and finds nothing takes no turn from those who write', async () => {
  let turns = 0;
  const store = through(memoryStore(), async (run) => {
    turns += 1;
    return await run();
  });
  const stop = new AbortController();
  const dispatcher = localDispatcher(store);
  const working = dispatcher.work({ slots: 1, watch: watching(() => undefined), signal: stop.signal }, async () =>
    assert.fail('nothing is pending'),
  );
  for (let looks = 0; looks < 10; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    dispatcher.stir();
  }
  stop.abort();
  await working;
  assert.equal(turns, 0);
});

test('a loop that could not be let go at once is let go at the next look, and can be driven again', async () => {
  const inner = memoryStore();
  const id = await addLoop(inner);
  let isHeld = false;
  const store = through(inner, async (run) => {
    if (!isHeld) return await run();
    isHeld = false;
    throw new VolleyError('busy', 'volley.db is held by another process.', 'Wait until it has finished.');
  });
  const stop = new AbortController();
  const told: string[] = [];
  let driven = 0;
  const dispatcher = localDispatcher(store);
  const watch: Watch = {
    ...watching(() => driven === 2 && stop.abort()),
    faltered: (error) => {
      told.push(String(error));
      dispatcher.stir();
    },
  };
  await dispatcher.work({ slots: 1, watch, signal: stop.signal }, async () => {
    driven += 1;
    isHeld = driven === 1;
    await Promise.resolve();
  });
  assert.deepEqual([driven, told], [2, ['VolleyError: volley.db is held by another process.']]);
  assert.equal((await inner.rows({ id }))[0]?.owner, null);
});

test('this process is alive', async () => {
  assert.equal(await isAlive(await thisProcess()), true);
});

test('a process of the same pid that started at another time counts as dead', async () => {
  assert.equal(await isAlive({ ...(await thisProcess()), startedAt: 'another-boot/1' }), false);
});

test('a process on another machine counts as alive, because nobody here can tell', async () => {
  assert.equal(await isAlive({ pid: 1, startedAt: 'then', host: 'another-machine.invalid' }), true);
});

test('a killed process counts as dead although its parent has not collected it', async () => {
  const grandchild = `${SAY_OWNER}; setInterval(() => {}, 1000);`;
  const { line } = await spawnWaiting(`
    import { spawn } from 'node:child_process';
    spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(grandchild)}], { stdio: ['ignore', 'inherit', 'inherit'] });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`);
  const owner: Owner = JSON.parse(line);
  assert.equal(await isAlive(owner), true);
  process.kill(owner.pid, 'SIGKILL');
  while (await isAlive(owner)) await new Promise((resolve) => setTimeout(resolve, 2));
});
