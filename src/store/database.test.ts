import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { VolleyError } from '../core/errors.ts';
import { readBoard } from './board.ts';
import { openDatabase } from './database.ts';
import { backUp, userVersion } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { backupsIn, explain, type DatabasePlace } from './sqlite-error.ts';
import { openSqliteStore } from './sqlite.ts';

const folders: string[] = [];
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newPlace(): Promise<DatabasePlace> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-database-'));
  folders.push(folder);
  return { file: join(folder, 'volley.db'), backupDir: join(folder, 'backups') };
}

function openAndClose(place: DatabasePlace, migrations: readonly string[] = MIGRATIONS): void {
  const { reader, writer } = openDatabase(place, migrations);
  reader.close();
  writer.close();
}

function refusedWith(code: VolleyError['code'], words: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof VolleyError, String(error));
    assert.equal(error.code, code);
    assert.match(`${error.message} ${error.remedy}`, words);
    return true;
  };
}

/** Both doors to the file refuse it, and leave it byte for byte as it was. */
function assertKept(place: DatabasePlace, code: VolleyError['code'], words: RegExp): void {
  const before = readFileSync(place.file);
  assert.throws(() => openDatabase(place), refusedWith(code, words));
  assert.throws(() => readBoard(place), refusedWith(code, words));
  assert.deepEqual(readFileSync(place.file), before);
}

test('a new database is durable, enforces its keys and needs no backup', async () => {
  const place = await newPlace();
  const { writer, reader } = openDatabase(place);
  const pragma = (name: string): unknown => Object.values(writer.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  assert.deepEqual([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')], ['wal', 2, 1]);
  assert.equal(userVersion(writer), MIGRATIONS.length);
  assert.equal(existsSync(place.backupDir), false);
  reader.close();
  writer.close();
  assert.deepEqual(await readdir(join(place.file, '..')), ['volley.db']);
});

test('an older database is migrated, with a backup of what it was before', async () => {
  const place = await newPlace();
  openAndClose(place, ["CREATE TABLE notes (text TEXT) STRICT; INSERT INTO notes VALUES ('kept');"]);
  openAndClose(place, ['not run again', 'ALTER TABLE notes ADD COLUMN author TEXT']);
  const db = new DatabaseSync(place.file);
  assert.deepEqual({ ...db.prepare('SELECT * FROM notes').get() }, { text: 'kept', author: null });
  assert.equal(userVersion(db), 2);
  db.close();
  const [name] = backupsIn(place.backupDir);
  const backup = new DatabaseSync(join(place.backupDir, name ?? ''));
  assert.equal(userVersion(backup), 1);
  assert.deepEqual({ ...backup.prepare('SELECT * FROM notes').get() }, { text: 'kept' });
  backup.close();
});

test('a migration that fails changes nothing', async () => {
  const place = await newPlace();
  const first = 'CREATE TABLE notes (text TEXT) STRICT';
  openAndClose(place, [first]);
  assert.throws(() => openDatabase(place, [first, 'CREATE TABLE more (x TEXT); CREATE TABLE notes (y TEXT);']), /already exists/);
  const db = new DatabaseSync(place.file);
  assert.equal(userVersion(db), 1);
  assert.equal(db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'more'").get()?.['n'], 0);
  db.close();
  openAndClose(place, [first]);
});

test('three backups are kept, the newest ones', async () => {
  const place = await newPlace();
  for (let version = 1; version <= 6; version += 1) {
    openAndClose(
      place,
      Array.from({ length: version }, (_, index) => `CREATE TABLE t${index} (x TEXT)`),
    );
  }
  const versions = backupsIn(place.backupDir).map((name) => /-v(\d+)-/.exec(name)?.[1]);
  assert.deepEqual(versions, ['3', '4', '5']);
});

test('a database of another program is refused and kept', async () => {
  const place = await newPlace();
  const db = new DatabaseSync(place.file);
  db.exec('CREATE TABLE theirs (x TEXT)');
  db.close();
  assertKept(place, 'store-broken', /not a database of Volley/);
});

test('a database of a newer Volley is refused, naming both versions', async () => {
  const place = await newPlace();
  openAndClose(place, [...MIGRATIONS, 'CREATE TABLE future (x TEXT)']);
  assertKept(place, 'store-newer', new RegExp(`version ${MIGRATIONS.length + 1}.*up to ${MIGRATIONS.length}`));
});

test('a database that is migrated under way is not written by the older Volley any more', async () => {
  const place = await newPlace();
  const store = await openSqliteStore(place);
  openAndClose(place, [...MIGRATIONS, 'CREATE TABLE future (x TEXT)']);
  await assert.rejects(
    store.transaction((tx) => tx.jobs()),
    { code: 'store-newer' },
  );
  await store.close();
});

test('a file that is not a database is refused and kept', async () => {
  const place = await newPlace();
  writeFileSync(place.file, 'these are notes of a person, not a database'.repeat(100));
  assertKept(place, 'store-broken', /not a database.*no backup/s);
});

test('an empty file is refused and kept, because Volley never makes one', async () => {
  const place = await newPlace();
  writeFileSync(place.file, '');
  assertKept(place, 'store-broken', /empty/);
});

test('a truncated database is refused and kept, and the newest backup is named', async () => {
  const place = await newPlace();
  openAndClose(place);
  const db = new DatabaseSync(place.file);
  backUp(db, place.backupDir);
  db.close();
  truncateSync(place.file, 8192);
  assertKept(place, 'store-broken', new RegExp(backupsIn(place.backupDir)[0] ?? 'no backup'));
});

test('a small database with a damaged page is refused when it is opened', async () => {
  const place = await newPlace();
  openAndClose(place);
  const bytes = readFileSync(place.file);
  bytes.fill(0xab, 3 * 4096, 4 * 4096);
  writeFileSync(place.file, bytes);
  assert.throws(() => openDatabase(place), refusedWith('store-broken', /broken/));
  assert.deepEqual(readFileSync(place.file), bytes);
});

test('a link in the place of the database is refused', async () => {
  const place = await newPlace();
  symlinkSync('/elsewhere/volley.db', place.file);
  assert.throws(() => openDatabase(place), refusedWith('store-broken', /not a plain file/));
});

test('a log without its database is refused, because SQLite would take it for the log of a new one', async () => {
  const place = await newPlace();
  writeFileSync(`${place.file}-wal`, 'frames');
  assert.throws(() => openDatabase(place), refusedWith('store-broken', /write-ahead log/));
  assert.equal(readFileSync(`${place.file}-wal`, 'utf8'), 'frames');
});

test('a folder that does not exist is named', async () => {
  const place = await newPlace();
  const missing = { ...place, file: join(place.backupDir, 'nowhere', 'volley.db') };
  assert.throws(() => openDatabase(missing), refusedWith('store-broken', /nowhere.*folder exists/s));
});

test('a full disk is told as such and undoes the transaction', async () => {
  const place = await newPlace();
  const { writer, reader } = openDatabase(place);
  writer.exec('PRAGMA max_page_count = 40');
  writer.exec('BEGIN IMMEDIATE');
  const fill = (): void => {
    for (let row = 0; row < 1000; row += 1) writer.prepare('INSERT INTO runs VALUES (?, NULL, ?)').run(`r${row}`, 'x'.repeat(4000));
  };
  try {
    fill();
    assert.fail('the database took it all');
  } catch (error) {
    const told = explain(place, error);
    assert.ok(told instanceof VolleyError && told.code === 'disk-full');
  }
  assert.equal(reader.prepare('SELECT count(*) AS n FROM runs').get()?.['n'], 0);
  reader.close();
  writer.close();
});
