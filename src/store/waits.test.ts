import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { makeCreated } from '../../test/support/created.ts';
import { openSqliteStore } from './sqlite.ts';
import type { Created } from './store.ts';

const AT = '2026-01-29T10:00:00.000Z';

test('what loops of an older database wait for is read from their journals', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'volley-waits-'));
  const place = { file: join(folder, 'volley.db'), backupDir: join(folder, 'backups') };
  const before = await openSqliteStore(place);
  const after =
    (dependsOn: number[]) =>
    (id: number): Created => ({ ...makeCreated(id), task: { ...makeCreated(id).task, dependsOn } });
  const by = { by: 'Test Person', reason: null } as const;
  await before.transaction(async (tx) => {
    for (const dependsOn of [[], [], [1, 2], [2], [1]]) await tx.create(after(dependsOn), AT);
    await tx.append(4, { type: 'edited', ...by, edit: { dependsOn: [1] } }, AT);
    await tx.append(4, { type: 'edited', ...by, edit: { maxRounds: 2 } }, AT);
    await tx.append(5, { type: 'edited', ...by, edit: { dependsOn: [] } }, AT);
  });
  await before.close();
  const db = new DatabaseSync(place.file);
  db.exec('DROP TABLE dependencies; DROP INDEX loops_by_wait; DROP TABLE cards; PRAGMA user_version = 8');
  db.close();
  const store = await openSqliteStore(place);
  const cancel = { type: 'overridden', override: 'cancel', ...by, verdict: null, review: false } as const;
  const lost: (readonly number[])[] = [];
  for (const id of [2, 1]) {
    await store.transaction((tx) => tx.append(id, cancel, AT));
    lost.push(await store.releasable({ after: 0, except: [], limit: 9 }));
  }
  assert.deepEqual(lost, [[3], [3, 4]]);
  await store.close();
  await rm(folder, { recursive: true, force: true });
});
