import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openQueue } from '../src/app-queue.ts';
import { workThrough } from '../src/app-work.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { fakeEngine } from '../test/support/fake-engine.ts';
import { fillJournal, TASKS } from './many-tasks.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';

const LOOKS = 200;
const WARM_LOOKS = 20;

/** What a look for work costs whoever watches a project in which very many tasks wait for another one. */
export async function measureIdle(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-idle-'));
  try {
    await fillJournal(folder);
    const store = await openSqliteStore({ file: join(folder, 'volley.db'), backupDir: folder });
    await makeWait(store, folder);
    const idle = await lookMs(store, async () => await Promise.resolve());
    const busy = await lookMs(store, async () => await writeSomething(store));
    const writing = await cpuMs(async () => await writeSomething(store));
    await store.close();
    const row = `a look for work, ${TASKS.toLocaleString('en')} tasks wait`;
    return [
      judge({
        row,
        ours: { value: idle, unit: 'ms' },
        baseline: null,
        budget: { of: 'ours', bound: 'at most', limit: 1 },
        note: 'processor time of one look at which nothing has happened; whoever watches looks once a second',
      }),
      judge({
        row: `${row}, another one works`,
        ours: { value: busy - writing, unit: 'ms' },
        baseline: null,
        budget: { of: 'ours', bound: 'at most', limit: 5 },
        note: 'the same after an entry of a task at work, for which the others wait, was written',
      }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Another machine drives the first task, all others wait for it. */
async function makeWait(store: Store, folder: string): Promise<void> {
  await store.transaction((tx) => tx.setOwner(1, { pid: 1, startedAt: '', host: 'another-machine.invalid' }));
  const db = new DatabaseSync(join(folder, 'volley.db'));
  db.exec(`
    UPDATE loops SET state = 'queued', final_verdict = NULL, rounds = 0;
    UPDATE loops SET waiting = 'dependency' WHERE number > 1;
    INSERT INTO dependencies (needs, loop_id) SELECT 1, id FROM loops WHERE number > 1;
  `);
  db.close();
  const { length } = await store.rows({ waiting: true });
  if (length !== TASKS - 1) throw new Error(`${length} tasks wait, not ${TASKS - 1}`);
}

async function writeSomething(store: Store): Promise<void> {
  await store.transaction((tx) => tx.append(1, { type: 'warned', about: 'document', text: 'Something.' }, new Date().toISOString()));
}

/** The processor time of one look, each after `before`. */
async function lookMs(store: Store, before: () => Promise<void>): Promise<number> {
  const engine = fakeEngine(store);
  const queue = openQueue({ engine }, { ids: null, group: null });
  const stop = new AbortController();
  let looks = 0;
  let started = process.cpuUsage();
  const prepared = async (): Promise<void> => {
    looks += 1;
    if (looks === WARM_LOOKS) started = process.cpuUsage();
    if (looks === WARM_LOOKS + LOOKS) stop.abort();
    await before();
    setImmediate(() => engine.dispatcher.stir());
  };
  const app = {
    load: async () => await Promise.reject(new Error('nothing is driven')),
    work: async (
      how: { readonly slots: number; readonly signal: AbortSignal },
      watch: Parameters<typeof engine.dispatcher.work>[0]['watch'],
    ) =>
      await engine.dispatcher.work({ ...how, ...(watch === undefined ? {} : { watch }) }, async () => {
        throw new Error('nothing is pending');
      }),
  };
  const nothing = (): void => undefined;
  const failed = (error: unknown): void => {
    throw error;
  };
  await workThrough(
    app,
    { ...queue, selected: async () => (await prepared(), await queue.selected()) },
    {
      slots: 1,
      watch: true,
      signal: stop.signal,
      ended: nothing,
      waiting: nothing,
      broke: (_id, error) => failed(error),
      faltered: failed,
    },
  );
  return msSince(started) / LOOKS;
}

async function cpuMs(step: () => Promise<void>): Promise<number> {
  const started = process.cpuUsage();
  for (let count = 0; count < LOOKS; count += 1) await step();
  return msSince(started) / LOOKS;
}

function msSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
