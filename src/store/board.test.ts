import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { makeCreated } from '../../test/support/created.ts';
import { readBoard } from './board.ts';
import type { DatabasePlace } from './sqlite-error.ts';
import { openSqliteStore } from './sqlite.ts';

const AT = '2026-01-29T10:00:00.000Z';

async function inNewPlace(run: (place: DatabasePlace) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-board-'));
  try {
    await run({ file: join(folder, 'volley.db'), backupDir: join(folder, 'backups') });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('the board of a project without a database is empty, and none is made', async () => {
  await inNewPlace(async (place) => {
    assert.deepEqual(readBoard(place), []);
    assert.deepEqual(await readdir(join(place.file, '..')), []);
  });
});

test('the board shows the same rows as the store, while it is open and after', async () => {
  await inNewPlace(async (place) => {
    const store = await openSqliteStore(place);
    for (let count = 0; count < 3; count += 1) await store.transaction((tx) => tx.create(makeCreated, AT));
    await store.transaction((tx) => tx.setOwner(2, { pid: 12, startedAt: 'then', host: 'here' }));
    const rows = await store.rows();
    assert.equal(rows.length, 3);
    assert.deepEqual(readBoard(place), rows);
    await store.close();
    assert.deepEqual(readBoard(place), rows);
  });
});

test('a board of the newest also shows older loops that somebody drives or waits for', async () => {
  await inNewPlace(async (place) => {
    const store = await openSqliteStore(place);
    for (let count = 0; count < 6; count += 1) await store.transaction((tx) => tx.create(makeCreated, AT));
    await store.transaction(async (tx) => {
      for (const id of [1, 3, 4]) await tx.dropJob(id);
      await tx.setOwner(3, { pid: 12, startedAt: 'then', host: 'here' });
    });
    await store.close();
    assert.deepEqual(
      readBoard(place, { newest: 2 })?.map(({ id }) => id),
      [6, 5, 3, 2],
    );
  });
});

test('the board loads neither Kysely nor zod', async () => {
  const board = pathToFileURL(join(import.meta.dirname, 'board.ts')).href;
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(board)});
    console.log(JSON.stringify(loaded));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  assert.match(stdout, /board\.ts/);
  assert.doesNotMatch(stdout, /node_modules/);
});
