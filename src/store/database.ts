import { linkSync, lstatSync, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { backUp, migrate, userVersion } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { brokenStore, codeOf, explaining, newerStore, type DatabasePlace } from './sqlite-error.ts';

/** How long a process waits for another one's transaction. */
export const BUSY_MS = 10_000;

/** Checking a file this small takes a few milliseconds. */
const CHEAP_CHECK_BYTES = 1024 * 1024;

/** A connection for writing and one for reading, which never sees what is not committed. */
export type Connections = { readonly writer: DatabaseSync; readonly reader: DatabaseSync };

/** Opens a project's database at the newest version, and makes it where there is none; a newer or broken one is refused and kept. */
export function openDatabase(place: DatabasePlace, migrations: readonly string[] = MIGRATIONS): Connections {
  return explaining(place, () => {
    if (!databaseExists(place)) createDatabase(place, migrations);
    const writer = connect(place.file);
    try {
      requireVersion(writer, place, migrations);
      requireSound(writer, place);
      // From here on a transaction waits for its turn without stopping the event loop (sqlite-dialect.ts).
      writer.exec('PRAGMA busy_timeout = 0');
      return { writer, reader: new DatabaseSync(place.file, { readOnly: true, timeout: BUSY_MS }) };
    } catch (error) {
      writer.close();
      throw error;
    }
  });
}

/** Whether there is a database; half of one, or a link to somewhere else, is refused. */
export function databaseExists(place: DatabasePlace): boolean {
  // The log is looked at first: another process may be making both right now, the file before the log.
  const hasLog = sizeOf(`${place.file}-wal`) > 0;
  const stats = lstatSync(place.file, { throwIfNoEntry: false });
  if (stats === undefined) {
    if (hasLog) throw brokenStore(place, 'its write-ahead log is there but the file itself is gone');
    return false;
  }
  if (!stats.isFile()) throw brokenStore(place, 'it is not a plain file');
  if (stats.size === 0) throw brokenStore(place, 'it is empty');
  return true;
}

/** It appears under its name only when it is whole, so that a file of that name is never half made. */
function createDatabase(place: DatabasePlace, migrations: readonly string[]): void {
  const draft = `${place.file}.${process.pid}.new`;
  removeDatabase(draft);
  try {
    const db = connect(draft);
    try {
      makeDurable(db);
      migrate(db, migrations);
    } finally {
      db.close();
    }
    publish(draft, place.file);
  } finally {
    removeDatabase(draft);
  }
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

/** Linking fails where another process was quicker, which is fine; some file systems cannot link. */
function publish(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    renameSync(draft, file);
  }
}

function connect(file: string): DatabaseSync {
  return new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
}

/** `FULL`, because what a person was told is written has to survive a power cut. */
function makeDurable(db: DatabaseSync): void {
  if (db.prepare('PRAGMA journal_mode').get()?.['journal_mode'] !== 'wal') db.exec('PRAGMA journal_mode = WAL');
  db.exec('PRAGMA synchronous = FULL');
}

/** Nothing is written before it is known that the file is ours. */
function requireVersion(db: DatabaseSync, place: DatabasePlace, migrations: readonly string[]): void {
  const version = userVersion(db);
  if (version > migrations.length) throw newerStore(place.file, version, migrations.length);
  if (version === 0) throw brokenStore(place, 'it is not a database of Volley');
  makeDurable(db);
  if (version === migrations.length) return;
  backUp(db, place.backupDir);
  migrate(db, migrations);
}

function requireSound(db: DatabaseSync, place: DatabasePlace): void {
  if (sizeOf(place.file) > CHEAP_CHECK_BYTES) return;
  const found = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (found !== 'ok') throw brokenStore(place, String(found));
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
