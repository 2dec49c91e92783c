import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { backupsIn } from './sqlite-error.ts';

const KEPT_BACKUPS = 3;

/** Brings a database to the newest version, wholly or not at all. */
export function migrate(db: DatabaseSync, migrations: readonly string[]): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    // Read inside of the transaction: another process may have migrated while this one waited.
    for (const sql of migrations.slice(userVersion(db))) db.exec(sql);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Copies a database into the folder of backups and drops all but the newest ones. */
export function backUp(db: DatabaseSync, backupDir: string): void {
  mkdirSync(backupDir, { recursive: true });
  const stamp = new Date().toISOString().replaceAll(/[-:.]/g, '');
  const file = join(backupDir, `volley-${stamp}-v${userVersion(db)}-${process.pid}.db`);
  const draft = `${file}.new`;
  try {
    db.prepare('VACUUM INTO ?').run(draft);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  for (const name of backupsIn(backupDir).slice(0, -KEPT_BACKUPS)) rmSync(join(backupDir, name), { force: true });
}

/** The version of the schema that a database has. */
export function userVersion(db: DatabaseSync): number {
  const version = db.prepare('PRAGMA user_version').get()?.['user_version'];
  return typeof version === 'number' ? version : 0;
}
