import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../src/store/sqlite.ts';
import { makeCreated } from '../test/support/created.ts';
import type { BuiltPackage } from './built-package.ts';
import { alternate } from './median.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';
import { runForOutput, runTimed } from './run-timed.ts';
import { makeSampleProject } from './sample-project.ts';

const TASKS = 10_000;
const TIMES = 15;

/** The overview of a project with many tasks, beside a Node that does nothing. */
export async function measureStatus(built: BuiltPackage): Promise<Row[]> {
  await using project = await makeSampleProject(1);
  const { root } = project.repository;
  await fillJournal(join(root, '.volley'));
  const options = { cwd: root, env: project.env };
  const printed = await runForOutput(process.execPath, [built.bin, 'status', '--all'], options);
  const shown = printed.split('\n').filter((line) => line.includes('Add greeting')).length;
  if (shown !== TASKS) throw new Error(`status --all told ${shown} tasks of ${TASKS}`);
  const [status = 0, all = 0, nothing = 0] = await alternate(TIMES, [
    async () => await runTimed(process.execPath, [built.bin, 'status'], options),
    async () => await runTimed(process.execPath, [built.bin, 'status', '--all'], options),
    async () => await runTimed(process.execPath, ['-e', '0'], options),
  ]);
  const row = `volley status, ${TASKS.toLocaleString('en')} tasks`;
  const baseline = { value: nothing, unit: 'ms' };
  return [
    judge({
      row,
      ours: { value: status, unit: 'ms' },
      baseline,
      budget: { of: 'ratio', bound: 'at most', limit: 3 },
      note: 'built package; the newest tasks and all open ones are printed; against node -e 0',
    }),
    judge({
      row: `${row}, --all`,
      ours: { value: all, unit: 'ms' },
      baseline,
      budget: null,
      note: 'every task is printed into a pipe; only shown',
    }),
  ];
}

/** Makes one task through the store and the others from it, since nothing else would take so long. */
async function fillJournal(folder: string): Promise<void> {
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
    INSERT INTO events (loop_id, seq, at, type, body) SELECT others.uid, events.seq, events.at, events.type, events.body FROM others, events;
    UPDATE loops SET state = 'approved', final_verdict = 'APPROVED', rounds = 2 WHERE number % 10 > 1;
  `);
  db.close();
}
