import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { makeCreated } from '../../test/support/created.ts';
import { applyEvent } from '../core/apply.ts';
import type { JournalEntry } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { openDatabase } from './database.ts';
import { loopRecord } from './loop-row.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { DatabasePlace } from './sqlite-error.ts';
import { openSqliteStore } from './sqlite.ts';

const folders: string[] = [];
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newPlace(): Promise<DatabasePlace> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-positions-'));
  folders.push(folder);
  return { file: join(folder, 'volley.db'), backupDir: join(folder, 'backups') };
}

/** A database from before there were positions; each loop has one entry for each of these minutes. */
function writeOlder(place: DatabasePlace, loops: Readonly<Record<number, readonly number[]>>): void {
  const { writer, reader } = openDatabase(place, MIGRATIONS.slice(0, 4));
  const columns = writer
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all('loops')
    .map((row) => String(row['name']));
  for (const [id, minutes] of Object.entries(loops)) {
    const journal = minutes.map((minute, index): JournalEntry => ({
      seq: index + 1,
      at: `2026-01-29T10:${String(minute).padStart(2, '0')}:00.000Z`,
      event: index === 0 ? makeCreated(Number(id)) : { type: 'warned', about: 'branch', text: `minute ${minute}` },
    }));
    const loop = journal.reduce<Loop | null>(applyEvent, null);
    assert.ok(loop);
    const record = loopRecord(loop);
    writer.prepare('INSERT INTO runs VALUES (?, NULL, ?)').run(record.run_id, record.created_at);
    const kept = Object.entries(record).filter(([name]) => columns.includes(name));
    const [names, values] = [kept.map(([name]) => name), kept.map(([, value]) => value)];
    writer.prepare(`INSERT INTO loops (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(...values);
    for (const { seq, at, event } of journal.toReversed()) {
      writer.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)').run(record.id, seq, at, event.type, JSON.stringify(event));
    }
  }
  reader.close();
  writer.close();
}

test('an older journal is placed by time, and a clock that was set back brings no loop out of order', async () => {
  const place = await newPlace();
  writeOlder(place, { 1: [0, 5, 2, 6], 2: [1, 3, 5] });
  const store = await openSqliteStore(place);
  assert.deepEqual(
    (await store.entriesAfter(0, 100)).map(({ position, loopId, entry }) => [position, loopId, entry?.seq]),
    [
      [1, 1, 1],
      [2, 2, 1],
      [3, 2, 2],
      [4, 1, 2],
      [5, 1, 3],
      [6, 2, 3],
      [7, 1, 4],
    ],
  );
  assert.deepEqual((await store.load(1))?.notes, ['minute 5', 'minute 2', 'minute 6']);
  await store.transaction((tx) => tx.append(2, { type: 'warned', about: 'branch', text: 'new' }, '2026-01-29T09:00:00.000Z'));
  assert.deepEqual([await store.position(), (await store.journal(2)).length], [8, 4]);
  await store.close();
  const db = new DatabaseSync(place.file);
  assert.deepEqual(db.prepare('PRAGMA foreign_key_check').all(), []);
  db.close();
});

test('positions stay when the file is put in order, and are found without looking through the journal', async () => {
  const place = await newPlace();
  writeOlder(place, { 1: [0, 5], 2: [1, 3, 5] });
  const store = await openSqliteStore(place);
  const before = await store.entriesAfter(0, 100);
  await store.close();
  const db = new DatabaseSync(place.file);
  db.exec('VACUUM');
  const plan = db
    .prepare(
      'EXPLAIN QUERY PLAN SELECT position, number FROM events JOIN loops ON loops.id = loop_id WHERE position > 2 ORDER BY position LIMIT 3',
    )
    .all();
  db.close();
  assert.match(String(plan[0]?.['detail']), /SEARCH events USING INTEGER PRIMARY KEY/);
  const again = await openSqliteStore(place);
  assert.deepEqual(await again.entriesAfter(0, 100), before);
  await again.close();
});
