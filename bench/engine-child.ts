import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue } from 'node:sqlite';
import { fakeAgent, fakeEnded } from '../src/agents/fake.ts';
import { applyEvent } from '../src/core/apply.ts';
import type { Loop } from '../src/core/loop.ts';
import { Settings } from '../src/core/settings.ts';
import { plainTask } from '../src/core/task.ts';
import { startLoop } from '../src/engine/start.ts';
import type { StartRequest } from '../src/engine/start.ts';
import type { Engine } from '../src/engine/engine.ts';
import { runLoop } from '../src/engine/run-loop.ts';
import { FAKE_FILE, fakeStart } from '../src/git/fake.ts';
import { loopRecord } from '../src/store/loop-row.ts';
import { MIGRATIONS } from '../src/store/migrations/index.ts';
import { changedReviewRecords } from '../src/store/review-rows.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { fakeEngine } from '../test/support/fake-engine.ts';

const LOOPS = 200;
const TIMES = 3;

const REQUEST: Omit<StartRequest, 'base' | 'start'> = {
  task: plainTask({ kind: 'implement', title: 'Add the parts', source: { kind: 'authored' } }),
  settings: Settings.parse(JSON.parse(process.argv[2] ?? '')),
  by: 'Bench',
  notes: [],
  takenBranches: new Set(),
};

/** Runs as a process of its own, from built modules, because its memory is part of what is measured. */
const engineRates: number[] = [];
const rawRates: number[] = [];
let peakMb = 0;
for (let turn = 0; turn < TIMES; turn += 1) {
  const folder = mkdtempSync(join(tmpdir(), 'volley-bench-engine-'));
  try {
    const store = await openSqliteStore({ file: join(folder, 'volley.db'), backupDir: folder });
    engineRates.push(await driveAll(store));
    peakMb ||= process.resourceUsage().maxRSS / 1024;
    const steps = await stepsOf(store);
    await store.close();
    rawRates.push(commitAll(join(folder, 'raw.db'), steps));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.stdout.write(JSON.stringify({ loops: LOOPS, engineRates, rawRates, peakMb }));

/** Entries of the journal per second while all loops are driven at once. */
async function driveAll(store: Store): Promise<number> {
  const engine = makeEngine(store);
  for (let n = 0; n < LOOPS; n += 1) await startLoop(engine, { ...REQUEST, base: baseOf(), start: fakeStart() });
  const signal = new AbortController().signal;
  const startedMs = performance.now();
  await engine.dispatcher.work({ slots: LOOPS }, async ({ loopId }) => void (await runLoop(engine, loopId, signal)));
  const takenMs = performance.now() - startedMs;
  const loops = await Promise.all((await store.rows()).map(async ({ id }) => await store.load(id)));
  const bad = loops.find((loop) => loop?.state !== 'approved');
  if (bad !== undefined) throw new Error(`a loop ended as ${bad?.state}: ${bad?.escalation?.why ?? bad?.ending?.why}`);
  return (loops.reduce((sum, loop) => sum + (loop?.seq ?? 1) - 1, 0) * 1000) / takenMs;
}

function makeEngine(store: Store): Engine {
  return fakeEngine(store, {
    createAgent: (spec) =>
      fakeAgent({ name: spec.name, script: ({ role, round }) => [fakeEnded(role === 'reviewer' ? reviewOf(round) : '{}')] }),
  });
}

function reviewOf(round: number): string {
  const issue = { severity: 'high', category: 'logic', file: FAKE_FILE, line: 1, description: 'The first line is wrong.' };
  return JSON.stringify(round === 1 ? { passed: false, summary: 'It must change.', issues: [issue] } : { passed: true, summary: 'Good.' });
}

function baseOf(): Loop['base'] {
  const { commit, tree } = fakeStart();
  return { ref: 'main', commit, mergeBase: commit, mergeBaseTree: tree };
}

type Statement = { readonly sql: string; readonly values: readonly SQLInputValue[] };

/** What the store wrote for every entry of every journal, as plain statements. */
async function stepsOf(store: Store): Promise<readonly (readonly Statement[])[]> {
  const steps: Statement[][] = [];
  for (const { id } of (await store.rows()).toSorted((a, b) => a.id - b.id)) {
    let loop: Loop | null = null;
    for (const entry of await store.journal(id)) {
      const before: Loop | null = loop;
      loop = applyEvent(before, entry);
      const { reviews, issues } = changedReviewRecords(before, loop);
      steps.push([
        ...(before === null ? [insert('runs', { id: loop.uid, number: null, created_at: entry.at })] : []),
        insert('loops', loopRecord(loop)),
        insert('events', { loop_id: loop.uid, seq: entry.seq, at: entry.at, type: entry.event.type, body: JSON.stringify(entry.event) }),
        ...reviews.map((record) => insert('loop_reviews', record)),
        ...issues.map((record) => insert('review_issues', record)),
      ]);
    }
  }
  return steps;
}

function insert(table: string, record: Readonly<Record<string, SQLInputValue>>): Statement {
  const names = Object.keys(record);
  const sql = `INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  return { sql, values: Object.values(record) };
}

/** Commits per second when each step is one transaction and nothing else is done. */
function commitAll(file: string, steps: readonly (readonly Statement[])[]): number {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  for (const sql of MIGRATIONS) db.exec(sql);
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const startedMs = performance.now();
  for (const statements of steps) {
    db.exec('BEGIN IMMEDIATE');
    for (const { sql, values } of statements) {
      const statement = prepared.get(sql) ?? db.prepare(sql);
      prepared.set(sql, statement);
      statement.run(...values);
    }
    db.exec('COMMIT');
  }
  const takenMs = performance.now() - startedMs;
  db.close();
  return (steps.length * 1000) / takenMs;
}
