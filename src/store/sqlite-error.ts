import { readdirSync } from 'node:fs';
import { VolleyError } from '../core/errors.ts';

/** Where a project's database lies, and the folder of its backups. */
export type DatabasePlace = { readonly file: string; readonly backupDir: string };

const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** Runs a step on the database; what SQLite throws becomes an error that says what to do. */
export function explaining<T>(place: DatabasePlace, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw explain(place, error);
  }
}

/** What to tell people about an error of SQLite or of the disk; any other error is left as it is. */
export function explain(place: DatabasePlace, error: unknown): unknown {
  switch (primaryCode(error)) {
    case FULL:
    case IOERR:
      return diskFull(error);
    case CORRUPT:
    case NOTADB:
      return brokenStore(place, messageOf(error), error);
    case BUSY:
      return new VolleyError('busy', `${place.file} is held by another process.`, 'Wait until it has finished, then try again.').from(
        error,
      );
    case READONLY:
    case CANTOPEN:
      return new VolleyError(
        'store-broken',
        `${place.file} cannot be opened for writing.`,
        'Check that its folder exists and is yours to write.',
      ).from(error);
    case null:
    default:
      return isOutOfSpace(error) ? diskFull(error) : error;
  }
}

/** Whether another connection holds what this one needs. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY;
}

/** The refusal of a file that is not, or no longer, a sound database; it is kept as it is. */
export function brokenStore(place: DatabasePlace, what: string, cause?: unknown): VolleyError {
  const newest = backupsIn(place.backupDir).at(-1);
  const remedy =
    newest === undefined
      ? `It was left as it is and there is no backup in ${place.backupDir}; move it away to start anew.`
      : `It was left as it is; move it away and copy the backup ${place.backupDir}/${newest} in its place.`;
  return new VolleyError('store-broken', `${place.file} is broken: ${what}.`, remedy).from(cause);
}

/** The refusal of an entry that is sound, but not as this version writes it. */
export function foreignEntry(place: DatabasePlace, what: string, cause: unknown): VolleyError {
  const newest = backupsIn(place.backupDir).at(-1);
  return new VolleyError(
    'store-broken',
    `${place.file} was written by another version of Volley: ${what}.`,
    `It was left as it is; move it away to start anew.${newest === undefined ? '' : ` The version that wrote it reads the backup ${place.backupDir}/${newest}.`}`,
  ).from(cause);
}

/** The refusal of a database that a newer Volley has written. */
export function newerStore(file: string, found: number, known: number): VolleyError {
  return new VolleyError(
    'store-newer',
    `${file} has version ${found}, and this Volley knows versions up to ${known}.`,
    'Use the newer Volley that wrote it.',
  );
}

/** The pause that a full disk asks for. */
export function diskFull(cause: unknown): VolleyError {
  return new VolleyError('disk-full', 'The disk is full.', 'Free some space, then run the same command again; nothing was lost.').from(
    cause,
  );
}

/** Whether a write failed because the disk or the quota is used up. */
export function isOutOfSpace(error: unknown): boolean {
  return codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT';
}

/** The code that the operating system gave an error. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** The names of the backups, oldest first. */
export function backupsIn(backupDir: string): readonly string[] {
  try {
    return readdirSync(backupDir)
      .filter((name) => /^volley-.*\.db$/.test(name))
      .toSorted();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** SQLite's extended codes carry the primary one in their lowest byte. */
function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
