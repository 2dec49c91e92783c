import { databasePlace } from './app-files.ts';
import { isAlive } from './dispatch/owner.ts';
import { openProject } from './git/project.ts';
import { readBoard } from './store/board.ts';
import type { LoopRow } from './store/store.ts';

/** A row of the overview, with whether a living process drives it. */
export type BoardRow = LoopRow & { readonly driven: boolean };

/**
 * The overview of the project that a folder belongs to, oldest first: all loops, or the `newest` ones and those before that
 * somebody drives or waits for. Loads no more than it needs, because `status` has to be quick.
 */
export async function openBoard(cwd: string, newest?: number): Promise<readonly BoardRow[]> {
  const project = await openProject(cwd);
  const place = databasePlace(project.root);
  const rows = readBoard(place, newest) ?? (await olderRows(place));
  const owned = rows.filter(({ owner }) => owner !== null);
  const alive = await Promise.all(owned.map(async ({ id, owner }) => (owner !== null && (await isAlive(owner)) ? [id] : [])));
  const driven = new Set(alive.flat());
  // They were made for us alone, and copies of ten thousand would take longer than reading them.
  return rows.map((row) => Object.assign(row, { driven: driven.has(row.id) })).toReversed();
}

/** A database of an older version is brought up to date first. */
async function olderRows(place: ReturnType<typeof databasePlace>): Promise<readonly LoopRow[]> {
  const { openSqliteStore } = await import('./store/sqlite.ts');
  const store = await openSqliteStore(place);
  try {
    return await store.rows();
  } finally {
    await store.close();
  }
}
