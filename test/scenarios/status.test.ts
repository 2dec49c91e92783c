import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensureVolleyFolder } from '../../src/store/artefacts.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { makeCreated } from '../support/created.ts';
import { makeScenario } from '../support/scenario.ts';

const AT = '2026-01-29T10:00:00.000Z';
const TASKS = 105;

/** Tasks that want nothing, but for the first two. */
async function fillJournal(root: string): Promise<void> {
  const folder = await ensureVolleyFolder(root);
  const store = await openSqliteStore({ file: join(folder, 'volley.db'), backupDir: join(folder, 'backups') });
  await store.transaction(async (tx) => {
    for (let id = 1; id <= TASKS; id += 1) {
      await tx.create(makeCreated, AT);
      if (id > 2) await tx.dropJob(id);
    }
  });
  await store.close();
}

test('the overview leaves old tasks out that want nothing, and says how many; programs and --all get every one', async () => {
  await using scenario = await makeScenario();
  await fillJournal(scenario.root);
  const [newest, all, json] = await Promise.all(
    [['status'], ['status', '--all'], ['status', '--json']].map(async (line) => await scenario.volley(line)),
  );
  const ids = (text = ''): number[] => [...text.matchAll(/ (\d+)\. +implement/g)].map(([, id]) => Number(id));
  assert.deepEqual(ids(newest?.stdout), [1, 2, ...Array.from({ length: 100 }, (_, index) => index + 6)]);
  assert.match(newest?.stdout ?? '', /^ {2}… 3 older tasks: volley status --all\n/);
  assert.equal(ids(all?.stdout).length, TASKS);
  assert.doesNotMatch(all?.stdout ?? '', /older/);
  assert.equal(json?.objects().filter((one) => one['type'] === 'task').length, TASKS);
});
