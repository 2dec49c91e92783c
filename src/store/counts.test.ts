import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { makeCreated } from '../../test/support/created.ts';
import { committed, makeRaised, makeSession, reviewOutcome, tokenOf } from '../../test/support/loops.ts';
import { ableDraws, disturb, disturbances, loops } from '../../test/support/random-loops.ts';
import { Analytics } from '../core/analytics-output.ts';
import { analyticsOf } from '../core/analytics.ts';
import type { DayRange } from '../core/counts.ts';
import { decide } from '../core/decide.ts';
import { Event } from '../core/event.ts';
import type { Session } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { openDatabase } from './database.ts';
import { memoryStore } from './memory.ts';
import { sql as analyticsStep } from './migrations/008-analytics.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { DatabasePlace } from './sqlite-error.ts';
import { openSqliteStore } from './sqlite.ts';
import type { Created, Store } from './store.ts';

const EVER: DayRange = { from: null, to: null };
const folders: string[] = [];
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newPlace(): Promise<DatabasePlace> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-counts-'));
  folders.push(folder);
  return { file: join(folder, 'volley.db'), backupDir: join(folder, 'backups') };
}

async function numbersOf(store: Store, range: DayRange = EVER): Promise<Analytics> {
  const numbers = analyticsOf(await store.counts(range), range);
  assert.deepEqual(Analytics.parse(numbers), numbers);
  return numbers;
}

function spent(agent: string, role: Session['role'], changes: Partial<Session> = {}): Session {
  const usage = { inputTokens: 100, outputTokens: 10, costUsd: 0.5, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null };
  const times = { startedAt: '2026-01-29T10:00:00.000Z', endedAt: '2026-01-29T10:01:00.000Z' };
  return makeSession(agent, { role, usage, costBasis: 'reported', model: `${agent}-1`, ...times, ...changes });
}

type Kept = { readonly store: Store; readonly id: number };

/** Appends what this makes of the loop, on a day of January. */
async function add({ store, id }: Kept, day: number, make: (loop: Loop) => Event): Promise<void> {
  await store.transaction(async (tx) => {
    const loop = await tx.load(id);
    assert.ok(loop);
    const at = `2026-01-${String(day).padStart(2, '0')}T10:00:00.000Z`;
    assert.equal((await tx.append(id, make(loop), at)).refused, null);
  });
}

const started = (loop: Loop): Event => ({ type: 'started', action: decide(loop) });

/** A loop of two rounds on two days: rejected with two findings, one of them fixed and one refuted by a person, then approved. */
async function runLoop(store: Store): Promise<number> {
  const { id } = await store.transaction(async (tx) => await tx.create(makeCreated, '2026-01-29T09:00:00.000Z'));
  const go = async (day: number, make: (loop: Loop) => Event): Promise<void> => {
    await add({ store, id }, day, started);
    await add({ store, id }, day, make);
  };
  const reviewed = (raised: Parameters<typeof reviewOutcome>[2], session = spent('beta', 'reviewer')) => {
    return (loop: Loop): Event => ({
      type: 'reviewed',
      token: tokenOf(loop),
      member: 'beta',
      agent: 'beta',
      outcome: reviewOutcome(loop, 'beta', raised),
      session,
    });
  };
  await go(29, (loop) => ({
    type: 'authored',
    token: tokenOf(loop),
    outcome: committed('1'),
    summary: null,
    taskComplete: true,
    session: spent('alpha', 'author'),
  }));
  await go(29, (loop) => ({
    type: 'reviewed',
    token: tokenOf(loop),
    member: 'beta',
    agent: 'beta',
    outcome: { kind: 'no-verdict', reason: 'empty', detail: 'it said nothing', answer: null },
    session: spent('beta', 'reviewer'),
  }));
  const raised = [makeRaised({ category: 'security' }), makeRaised({ line: 40, category: 'style', description: 'The name says nothing.' })];
  await go(29, reviewed({ raised }));
  await add({ store, id }, 30, () => ({ type: 'ruled', findingId: `${id}.2`, ruling: 'refute', by: 'P', reason: null }));
  await go(30, (loop) => ({
    type: 'fixed',
    token: tokenOf(loop),
    outcome: committed('2'),
    summary: null,
    resolutions: [],
    strayed: [],
    session: spent('alpha', 'fixer', { costBasis: 'priced' }),
  }));
  await go(30, reviewed({ changed: { 'a.ts': [3] } }));
  await add({ store, id }, 30, (loop) => ({ type: 'finished', state: 'approved', why: decide(loop).why }));
  return id;
}

for (const [name, open] of [
  ['memory', async () => memoryStore()],
  ['sqlite', async () => await openSqliteStore(await newPlace())],
] as const) {
  test(`${name}: a loop is counted with its rounds, findings, reviewers, time and money`, async () => {
    const store = await open();
    await runLoop(store);
    const { loops: seen, firstReview, findings, timeSaved, reviewers, spend, tokens, sessions, escalations } = await numbersOf(store);
    assert.deepEqual(seen, {
      total: 1,
      byState: [{ state: 'approved', count: 1 }],
      approvedByReview: 1,
      approvedByPerson: 0,
      landed: 0,
      byRounds: [{ rounds: 2, count: 1 }],
      averageRounds: 2,
    });
    assert.deepEqual(firstReview, { reviewed: 1, passed: 0, passRate: 0 });
    assert.partialDeepStrictEqual(findings, { total: 2, fixed: 1, refuted: 1, accepted: 0, open: 0, falsePositiveRate: 0.5 });
    assert.partialDeepStrictEqual(findings.perDay, [{ day: '2026-01-29', count: 2, byCategory: { security: 1, style: 1, logic: 0 } }]);
    assert.partialDeepStrictEqual(timeSaved, { minutes: 20, findings: 1 });
    assert.deepEqual(reviewers, [
      { agent: 'beta', reviews: 3, noVerdict: 1, noVerdictShare: 1 / 3, findings: 2, refuted: 1, refutedShare: 0.5 },
    ]);
    assert.partialDeepStrictEqual(spend, { usd: 2.5, measuredUsd: 2, estimatedUsd: 0.5, subscriptionUsd: 0 });
    assert.deepEqual(spend.perDay, [
      { day: '2026-01-29', usd: 1.5, estimatedUsd: 0, sessions: 3 },
      { day: '2026-01-30', usd: 1, estimatedUsd: 0.5, sessions: 2 },
    ]);
    assert.deepEqual(
      spend.perModel.map(({ model, usd }) => [model, usd]),
      [
        ['beta-1', 1.5],
        ['alpha-1', 1],
      ],
    );
    assert.deepEqual(tokens, { input: 500, output: 50 });
    assert.partialDeepStrictEqual(sessions, { total: 5, averageMs: 60_000 });
    assert.deepEqual(escalations, []);
    await store.close();
  });

  test(`${name}: a day counts what happened on it, to its last moment`, async () => {
    const store = await open();
    await runLoop(store);
    const second = await numbersOf(store, { from: '2026-01-30', to: '2026-01-30' });
    assert.equal(second.loops.total, 0);
    assert.equal(second.findings.total, 0);
    assert.equal(second.spend.usd, 1);
    const first = await numbersOf(store, { from: null, to: '2026-01-29' });
    assert.equal(first.loops.total, 1);
    assert.equal(first.spend.usd, 1.5);
    assert.deepEqual(
      await numbersOf(store, { from: '2026-01-31', to: null }),
      analyticsOf(await memoryStore().counts(EVER), { from: '2026-01-31', to: null }),
    );
    await store.close();
  });
}

/** Events as they were written, for the first loop of a store, with sessions that cost something. */
function asWritten(event: Event, index: number): Event {
  const said = Event.parse(JSON.parse(JSON.stringify(event).replaceAll('"29.', '"1.')));
  if (!('session' in said) || said.type === 'refused' || said.type === 'interrupted') return said;
  const role = ({ authored: 'author', fixed: 'fixer', reviewed: 'reviewer', arbitrated: 'arbiter' } as const)[said.type];
  const agent = said.type === 'reviewed' ? said.agent : 'alpha';
  return { ...said, session: index % 5 === 0 ? null : spent(agent, role, index % 3 === 0 ? { usage: null, costBasis: null } : {}) };
}

test('whatever happened, both stores count the same', async () => {
  const range: DayRange = { from: '2026-02-02', to: '2026-02-11' };
  await fc.assert(
    fc.asyncProperty(loops, ableDraws, disturbances, async (start, draws, acted) => {
      const { journal } = disturb(start, draws, acted);
      const { task, settings, base, start: head, branch } = start;
      const stores = [memoryStore(), await openSqliteStore(await newPlace())];
      for (const store of stores) {
        const first: Created = { ...makeCreated(1), task, settings, base, start: head, branch };
        await store.transaction(async (tx) => {
          await tx.create(() => first, '2026-02-02T00:00:00.000Z');
          for (const [index, { event }] of journal.entries()) {
            const at = `2026-02-${String(2 + (index % 20)).padStart(2, '0')}T23:59:59.999Z`;
            await tx.append(1, asWritten(event, index), at);
          }
        });
      }
      const [kept, written] = stores;
      assert.ok(kept && written);
      assert.deepEqual(await numbersOf(written), await numbersOf(kept));
      assert.deepEqual(await numbersOf(written, range), await numbersOf(kept, range));
      await written.close();
    }),
    { numRuns: 25 },
  );
});

test('what an older version wrote is counted too', async () => {
  const [now, older] = [await newPlace(), await newPlace()];
  const written = await openSqliteStore(now);
  await runLoop(written);
  const id = await runLoop(written);
  await add({ store: written, id }, 31, () => ({ type: 'warned', about: 'branch', text: 'held' }));
  const numbers = await numbersOf(written);
  await written.close();
  const { reader, writer } = openDatabase(older, MIGRATIONS.slice(0, MIGRATIONS.indexOf(analyticsStep)));
  reader.close();
  writer.close();
  copyRows(now.file, older.file);
  const brought = await openSqliteStore(older);
  assert.deepEqual(await numbersOf(brought), numbers);
  await brought.close();
});

/** Copies what an older database has columns for. */
function copyRows(from: string, to: string): void {
  const db = new DatabaseSync(to, { enableForeignKeyConstraints: false });
  db.prepare('ATTACH ? AS newer').run(from);
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  for (const { name } of tables) {
    const columns = db.prepare('SELECT name FROM pragma_table_info(?)').all(String(name));
    const names = columns.map((column) => `"${String(column['name'])}"`).join(', ');
    db.exec(`INSERT INTO main."${String(name)}" (${names}) SELECT ${names} FROM newer."${String(name)}"`);
  }
  db.close();
}
