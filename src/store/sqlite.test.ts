import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { makeCreated, makeResult } from '../../test/support/created.ts';
import { committed, headOf, makeDelta, makeProof, makeRaised, makeReading, makeSession } from '../../test/support/loops.ts';
import { decide } from '../core/decide.ts';
import type { Event } from '../core/event.ts';
import { Usage } from '../core/review.ts';
import { storeConformance } from './conformance.ts';
import { openSqliteStore } from './sqlite.ts';
import type { Store } from './store.ts';

const AT = '2026-01-29T10:00:00.000Z';
const folders: string[] = [];
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newPlace(): Promise<{ file: string; backupDir: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-store-'));
  folders.push(folder);
  return { file: join(folder, 'volley.db'), backupDir: join(folder, 'backups') };
}

async function makeLoop(store: Store): Promise<number> {
  return (await store.transaction((tx) => tx.create(makeCreated, AT))).id;
}

async function append(store: Store, id: number, event: Event): Promise<void> {
  const { refused } = await store.transaction((tx) => tx.append(id, event, AT));
  assert.equal(refused, null);
}

async function start(store: Store, id: number): Promise<number> {
  const loop = await store.load(id);
  assert.ok(loop);
  await append(store, id, { type: 'started', action: decide(loop) });
  return loop.seq + 1;
}

/** A second process that opens the store and runs this code with `store`, `append(id, text)` and `file` at hand. */
function spawnOther(place: { file: string; backupDir: string }, code: string): ChildProcess {
  const script = `
    import { openSqliteStore } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'sqlite.ts')).href)};
    const store = await openSqliteStore(${JSON.stringify(place)});
    const append = (id, text) => store.transaction((tx) => tx.append(id, { type: 'warned', about: 'branch', text }, ${JSON.stringify(AT)}));
    ${code}`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

storeConformance('sqlite', { open: async () => await openSqliteStore(await newPlace()), created: makeCreated, result: makeResult });

test('a closed store leaves one file, which holds everything', async () => {
  const place = await newPlace();
  const store = await openSqliteStore(place);
  const id = await makeLoop(store);
  await append(store, id, { type: 'warned', about: 'branch', text: 'kept' });
  const before = await store.load(id);
  await store.close();
  assert.deepEqual(await readdir(dirname(place.file)), ['volley.db']);
  const again = await openSqliteStore(place);
  assert.deepEqual(await again.load(id), before);
  await again.close();
});

test('a store that knows a loop notices what another connection appended to it', async () => {
  const place = await newPlace();
  const one = await openSqliteStore(place);
  const two = await openSqliteStore(place);
  const id = await makeLoop(one);
  await append(two, id, { type: 'warned', about: 'branch', text: 'from two' });
  assert.deepEqual((await one.load(id))?.notes, ['from two']);
  await append(one, id, { type: 'warned', about: 'branch', text: 'from one' });
  assert.deepEqual((await two.load(id))?.notes, ['from two', 'from one']);
  await one.close();
  await two.close();
});

test('a connection waits for the transaction of another one in the same process', async () => {
  const place = await newPlace();
  const one = await openSqliteStore(place);
  const two = await openSqliteStore(place);
  const id = await makeLoop(one);
  const slow = one.transaction(async (tx) => {
    await tx.append(id, { type: 'warned', about: 'branch', text: 'slow' }, AT);
    await new Promise((resolve) => setTimeout(resolve, 30));
  });
  await Promise.all([slow, append(two, id, { type: 'warned', about: 'branch', text: 'patient' })]);
  assert.equal((await one.journal(id)).length, 3);
  await one.close();
  await two.close();
});

test('two processes append to the same and to other loops at once and nothing is lost', async () => {
  const place = await newPlace();
  const store = await openSqliteStore(place);
  const ids = [await makeLoop(store), await makeLoop(store), await makeLoop(store)];
  const other = spawnOther(
    place,
    `console.log('ready');
    for (let count = 0; count < 100; count += 1) { await append(1, 'other ' + count); await append(2, 'other ' + count); }
    await store.close();`,
  );
  assert.ok(other.stdout);
  await once(createInterface(other.stdout), 'line');
  const ended = once(other, 'exit');
  for (let count = 0; count < 100; count += 1) {
    await append(store, 1, { type: 'warned', about: 'branch', text: `own ${count}` });
    await append(store, 3, { type: 'warned', about: 'branch', text: `own ${count}` });
  }
  assert.deepEqual(await ended, [0, null]);
  const lengths = await Promise.all(ids.map(async (id) => (await store.journal(id)).length));
  assert.deepEqual(lengths, [201, 101, 101]);
  const notes = (await store.load(1))?.notes ?? [];
  assert.equal(new Set(notes).size, 200);
  await store.close();
});

test('a process killed in mid-write leaves an intact database with all that it was told was written', async () => {
  const place = await newPlace();
  const store = await openSqliteStore(place);
  const id = await makeLoop(store);
  await store.close();
  for (let kill = 0; kill < 3; kill += 1) {
    const writer = spawnOther(place, `for (;;) console.log((await append(${id}, 'x'.repeat(20_000))).seq);`);
    assert.ok(writer.stdout);
    let seen = 0;
    for await (const line of createInterface(writer.stdout)) {
      const seq = Number(line);
      if (seq > seen) seen = seq;
      if (seen % 20 === 0 && !writer.killed) writer.kill('SIGKILL');
    }
    const again = await openSqliteStore(place);
    assert.ok((await again.journal(id)).length >= seen);
    await append(again, id, { type: 'warned', about: 'branch', text: 'goes on' });
    await again.close();
    const db = new DatabaseSync(place.file);
    assert.equal(db.prepare('PRAGMA integrity_check').get()?.['integrity_check'], 'ok');
    db.close();
  }
});

test('rounds and their findings stand in the tables of the parallel loop reviews', async () => {
  const place = await newPlace();
  const store = await openSqliteStore(place);
  const id = await makeLoop(store);
  await rejectThenApprove(store, id);
  await store.close();
  const db = new DatabaseSync(place.file);
  const reviews = db
    .prepare(
      `SELECT r.round, r.passed, r.interpreted_intent, r.intent_satisfied, r.cost_usd, r.task_id = l.id AS of_task, count(i.id) AS issues
       FROM loop_reviews r JOIN loops l ON l.id = r.loop_id JOIN runs ON runs.id = r.run_id LEFT JOIN review_issues i ON i.loop_review_id = r.id
       WHERE l.number = ? GROUP BY r.id ORDER BY r.reviewed_at, r.round`,
    )
    .all(id);
  assert.deepEqual(
    reviews.map((row) => ({ ...row })),
    [
      { round: 1, passed: 0, interpreted_intent: 'greet', intent_satisfied: 1, cost_usd: 0.5, of_task: 1, issues: 1 },
      { round: 2, passed: 1, interpreted_intent: 'greet', intent_satisfied: 1, cost_usd: 0.5, of_task: 1, issues: 0 },
    ],
  );
  const issues = db.prepare('SELECT type, file, line, severity, blocking, status, loop_id IS NOT NULL AS looped FROM review_issues').all();
  assert.deepEqual(
    issues.map((row) => ({ ...row })),
    [{ type: 'dead-code', file: 'a.ts', line: 3, severity: 'high', blocking: 1, status: 'fixed', looped: 1 }],
  );
  assert.deepEqual(db.prepare('PRAGMA foreign_key_check').all(), []);
  db.close();
});

async function rejectThenApprove(store: Store, id: number): Promise<void> {
  const review = async (name: string, raised: ReturnType<typeof makeRaised>[]): Promise<void> => {
    const token = await start(store, id);
    const usage = Usage.parse({ inputTokens: 1, outputTokens: 1, costUsd: 0.5 });
    const session = makeSession('beta', { usage });
    const claim = raised.length > 0 ? 'changes_requested' : 'approved';
    const reading = makeReading({ claim, interpretedIntent: 'greet', intentSatisfied: true });
    const deltas = raised.length > 0 ? [] : [makeDelta(headOf('1').commit, { 'a.ts': [3] })];
    await append(store, id, {
      type: 'reviewed',
      token,
      member: 'beta',
      agent: 'beta',
      session,
      outcome: { kind: 'review', reading, raised, proof: makeProof(headOf(name)), deltas, memories: [], answer: null },
    });
  };
  const authoring = await start(store, id);
  await append(store, id, {
    type: 'authored',
    token: authoring,
    outcome: committed('1'),
    summary: null,
    taskComplete: true,
    session: null,
  });
  await review('1', [makeRaised({ tag: 'dead-code' })]);
  const fixing = await start(store, id);
  await append(store, id, {
    type: 'fixed',
    token: fixing,
    outcome: committed('2'),
    summary: null,
    resolutions: [],
    strayed: [],
    session: null,
  });
  await review('2', []);
}
