import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { makeCreated } from '../test/support/created.ts';
import { MOST_TO_LAND } from './app-board.ts';
import { placeOf } from './cli/row-place.ts';
import { LoopState } from './core/loop-state.ts';
import { needsYou } from './core/needs-you.ts';
import { readBoard } from './store/board.ts';
import { openDatabase } from './store/database.ts';
import { MIGRATIONS } from './store/migrations/index.ts';
import type { BoardLimit } from './store/board.ts';
import { openSqliteStore } from './store/sqlite.ts';

type Made = {
  readonly state: string;
  readonly kind?: string;
  readonly waiting?: string | null;
  readonly next?: string;
  readonly wanted?: boolean;
};

/** The version before loops were asked that. */
const BEFORE_BOARD = MIGRATIONS.findIndex((sql) => sql.includes('needs_you'));

const AT = '2026-01-29T10:00:00.000Z';

/** The rows of loops that stand so, and those that the limit leaves out. */
async function boardOf(made: readonly Made[], limit: BoardLimit): Promise<{ all: Placed[]; left: Placed[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-board-'));
  const place = { file: join(folder, 'state', 'volley.db'), backupDir: join(folder, 'backups') };
  try {
    await mkdir(dirname(place.file));
    const store = await openSqliteStore(place);
    await store.transaction(async (tx) => {
      for (const _ of made) await tx.create(makeCreated, AT);
      for (const [index, { wanted = false }] of made.entries()) if (!wanted) await tx.dropJob(index + 1);
    });
    await store.close();
    const db = new DatabaseSync(place.file);
    const change = db.prepare('UPDATE loops SET state = ?, kind = ?, waiting = ?, next = ?, needs_you = ? WHERE number = ?');
    for (const [index, { state, kind = 'implement', waiting = null, next = null, wanted = false }] of made.entries())
      change.run(state, kind, waiting, next, needsYou({ state, kind, waiting, wantsWork: wanted }) ? 1 : 0, index + 1);
    db.close();
    const all = placed(readBoard(place));
    const kept = new Set(readBoard(place, limit)?.map(({ id }) => id));
    return { all, left: all.filter(({ id }) => !kept.has(id)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Placed = { readonly id: number; readonly place: string; readonly state: string };

function placed(rows: ReturnType<typeof readBoard>): Placed[] {
  return (rows ?? []).map((row) => ({ id: row.id, place: placeOf({ ...row, driven: false }), state: row.state }));
}

test('whatever is left out of a board of the newest is over', async () => {
  const made = LoopState.options.flatMap((state) =>
    ['implement', 'review'].flatMap((kind) =>
      [null, 'login', 'rate-limit'].flatMap((waiting) =>
        ['volley land 1', 'volley show 1'].flatMap((next) => [true, false].map((wanted) => ({ state, kind, waiting, next, wanted }))),
      ),
    ),
  );
  const { all, left } = await boardOf([...made, { state: 'cancelled' }], { newest: 1 });
  assert.deepEqual([...new Set(all.map(({ place }) => place))].toSorted(), ['land', 'over', 'pending', 'stopped', 'waiting', 'you']);
  assert.ok(left.length > 0);
  assert.deepEqual(
    left.filter(({ place }) => place !== 'over'),
    [],
  );
});

test('a database of an older version learns of every loop whether it needs somebody', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'volley-board-'));
  const place = { file: join(folder, 'volley.db'), backupDir: join(folder, 'backups') };
  try {
    const { writer, reader } = openDatabase(place, MIGRATIONS.slice(0, BEFORE_BOARD));
    const loop = writer.prepare(
      `INSERT INTO loops (number, id, run_id, seq, title, kind, state, waiting, rounds, max_rounds, spend_usd, spend_estimated, branch, created_at, updated_at)
       VALUES (?, ?, 'run', 1, 'Add X', ?, ?, ?, 0, 3, 0, 0, 'b', ?, ?)`,
    );
    const job = writer.prepare('INSERT INTO jobs (loop_id, wanted) VALUES (?, ?)');
    writer.exec(`INSERT INTO runs (id, number, created_at) VALUES ('run', NULL, '${AT}')`);
    let number = 0;
    for (const state of LoopState.options)
      for (const kind of ['implement', 'review'])
        for (const waiting of [null, 'login', 'rate-limit'])
          for (const wanted of [0, 1]) {
            number += 1;
            loop.run(number, `u${number}`, kind, state, waiting, AT, AT);
            job.run(`u${number}`, wanted);
          }
    reader.close();
    writer.close();
    await (await openSqliteStore(place)).close();
    const rows = readBoard(place) ?? [];
    assert.equal(rows.length, number);
    assert.deepEqual(
      rows.filter((row) => row.needsYou !== needsYou(row)),
      [],
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('of very many that can be landed only the newest are read, and what changed lately is there whatever it is', async () => {
  const many = Array.from({ length: MOST_TO_LAND + 3 }, () => ({ state: 'approved', next: 'volley land 1' }));
  const { left } = await boardOf([...many, { state: 'cancelled' }], { newest: 1 });
  assert.deepEqual(
    left.map(({ id }) => id),
    [3, 2, 1],
  );
  const lately = await boardOf([{ state: 'cancelled' }, { state: 'cancelled' }], {
    newest: 1,
    since: new Date('2026-01-29T09:00:00.000Z'),
  });
  assert.deepEqual(lately.left, []);
});
