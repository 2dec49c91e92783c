import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { makeCreated } from '../test/support/created.ts';
import { MOST_TO_LAND } from './app-board.ts';
import { placeOf } from './cli/row-place.ts';
import type { LoopState } from './core/loop.ts';
import { readBoard } from './store/board.ts';
import type { BoardLimit } from './store/board.ts';
import { openSqliteStore } from './store/sqlite.ts';

type Made = {
  readonly state: string;
  readonly kind?: string;
  readonly waiting?: string | null;
  readonly next?: string;
  readonly wanted?: boolean;
};

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
    const change = db.prepare('UPDATE loops SET state = ?, kind = ?, waiting = ?, next = ? WHERE number = ?');
    for (const [index, { state, kind = 'implement', waiting = null, next = null }] of made.entries())
      change.run(state, kind, waiting, next, index + 1);
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

/** A record, so that no state can be missing. */
const STATES: Readonly<Record<LoopState, true>> = {
  queued: true,
  implementing: true,
  pending_self_review: true,
  self_reviewing: true,
  self_review_passed: true,
  self_review_failed: true,
  refining: true,
  pr_created: true,
  awaiting_pr_feedback: true,
  addressing_feedback: true,
  ready_for_human_review: true,
  approved: true,
  merged: true,
  needs_human: true,
  blocked: true,
  cancelled: true,
  failed: true,
};

test('whatever is left out of a board of the newest is over', async () => {
  const made = Object.keys(STATES).flatMap((state) =>
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
