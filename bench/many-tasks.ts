import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../src/store/sqlite.ts';
import { makeCreated } from '../test/support/created.ts';

/** How many tasks a project with many of them has. */
export const TASKS = 10_000;

/** How many of them are not finished. */
export const OPEN_TASKS = TASKS / 5;

/** Makes one task through the store and the others from it, since nothing else would take so long. */
export async function fillJournal(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const place = { file: join(folder, 'volley.db'), backupDir: folder };
  const store = await openSqliteStore(place);
  await store.transaction(async (tx) => await tx.create((id) => makeCreated(id), new Date(0).toISOString()));
  await store.close();
  const db = new DatabaseSync(place.file);
  db.exec(`
    CREATE TEMP TABLE others AS
      WITH RECURSIVE counted(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counted WHERE n < ${TASKS})
      SELECT n, printf('01JD%022d', n) AS uid FROM counted;
    INSERT INTO runs (id, number, created_at) SELECT others.uid, NULL, created_at FROM others, runs;
    CREATE TEMP TABLE copies AS SELECT loops.* FROM loops;
  `);
  const columns = db
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all('loops')
    .map((row) => String(row['name']));
  const own: Readonly<Record<string, string>> = { number: 'others.n', id: 'others.uid', run_id: 'others.uid' };
  db.exec(`
    INSERT INTO loops (${columns.join(', ')}) SELECT ${columns.map((name) => own[name] ?? `copies.${name}`).join(', ')} FROM others, copies;
    INSERT INTO cards (loop_id, body) SELECT others.uid, cards.body FROM others, cards;
    INSERT INTO events (loop_id, seq, at, type, body) SELECT others.uid, events.seq, events.at, events.type, events.body FROM others, events;
    UPDATE loops SET state = 'approved', final_verdict = 'APPROVED', rounds = 2 WHERE number % 10 > 1;
  `);
  db.close();
}
