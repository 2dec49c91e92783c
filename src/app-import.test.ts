import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeCreated } from '../test/support/created.ts';
import { makeRepository } from '../test/support/repository.ts';
import type { TestRepository } from '../test/support/repository.ts';
import { importHistory } from './app-import.ts';
import type { ImportReport } from './app-import.ts';
import { openStore } from './app-store.ts';
import { exportLines } from './core/export-line.ts';

const AT = '2026-01-29T10:00:00.000Z';
const TRANSCRIPT = '.volley/transcripts/task-1-2-author.log';
const { branch } = makeCreated(1);

/** A project to import into, and a file with a task and what its author said. */
async function makeTarget(): Promise<TestRepository & { importFile(): Promise<ImportReport> }> {
  const repository = await makeRepository();
  process.env['XDG_STATE_HOME'] = join(repository.beside, 'state');
  const path = join(repository.beside, 'history.jsonl');
  const lines = [
    { type: 'export', v: 1, version: '1.2.3', project: 'shop', exportedAt: AT, loops: 1 },
    ...exportLines([{ seq: 1, at: AT, event: makeCreated(1) }]),
    { type: 'transcript', v: 1, loop: 1, path: TRANSCRIPT, text: 'said' },
    { type: 'exported', v: 1, loops: 1, events: 1 },
  ];
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return { ...repository, importFile: async () => await importHistory(repository.root, { path, name: 'it' }) };
}

async function tasksOf(root: string): Promise<readonly number[]> {
  const store = openStore(root);
  try {
    return (await store.rows()).map(({ id }) => id);
  } finally {
    await store.close();
  }
}

test('an imported task says who took it over, and comes with its transcripts', async () => {
  await using target = await makeTarget();
  const report = await target.importFile();
  assert.deepEqual([report.imported.map(({ id }) => id), report.transcripts], [[1], 1]);
  assert.equal(await readFile(join(target.root, TRANSCRIPT), 'utf8'), 'said');
  const store = openStore(target.root);
  assert.equal((await store.load(1))?.imported?.by, 'Test Person');
  assert.deepEqual(
    (await store.journal(1)).map(({ event }) => event.type),
    ['created', 'imported'],
  );
  await store.close();
});

test('a task whose branch is somebody’s own is not imported, and nothing is written', async () => {
  await using target = await makeTarget();
  await target.git('branch', branch);
  await assert.rejects(target.importFile(), {
    code: 'conflict',
    message: new RegExp(`a branch ${branch} that is not where task 1 left it`),
  });
  assert.ok(!existsSync(join(target.root, '.volley')));
});

test('where transcripts cannot be written no task is, and the next import makes up for both', async () => {
  await using target = await makeTarget();
  const folder = join(target.root, '.volley/transcripts');
  await mkdir(join(target.root, '.volley'));
  await writeFile(folder, '');
  await assert.rejects(target.importFile(), { code: 'refused', message: /is not a plain folder/ });
  assert.deepEqual(await tasksOf(target.root), []);
  await rm(folder);
  assert.equal((await target.importFile()).transcripts, 1);
  assert.deepEqual(await tasksOf(target.root), [1]);
});

test('where the task cannot be written its transcripts go again', async () => {
  await using target = await makeTarget();
  await mkdir(join(target.root, '.volley'));
  await writeFile(join(target.root, '.volley/volley.db'), 'this is no database');
  await assert.rejects(target.importFile());
  assert.ok(!existsSync(join(target.root, TRANSCRIPT)));
});
