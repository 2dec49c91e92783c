import { databasePlace } from './app-files.ts';
import { isAlive } from './dispatch/owner.ts';
import type { DrivenRow } from './engine/driven.ts';
import { openProject } from './git/project.ts';
import { MOST_TO_LAND, readBoard } from './store/board.ts';
import type { BoardLimit } from './store/board.ts';
import type { LoopRow } from './store/store.ts';

/** The overview of a project, to be read again and again. */
export type Board = {
  readonly root: string;
  /** Oldest first: all loops, or as many as the limit says. */
  read(limit?: BoardLimit): Promise<readonly DrivenRow[]>;
};

export { MOST_TO_LAND };
export type { DrivenRow } from './engine/driven.ts';

/** The overview of the project that a folder belongs to, as it is now. */
export async function openBoard(cwd: string, limit?: BoardLimit): Promise<readonly DrivenRow[]> {
  return await (await findBoard(cwd)).read(limit);
}

/** The overview of the project that a folder belongs to. Loads no more than it needs, because `status` has to be quick. */
export async function findBoard(cwd: string): Promise<Board> {
  const { root } = await openProject(cwd);
  const place = databasePlace(root);
  return {
    root,
    read: async (limit) => {
      const rows = readBoard(place, limit) ?? (await olderRows(place));
      const owned = rows.filter(({ owner }) => owner !== null);
      const alive = await Promise.all(owned.map(async ({ id, owner }) => (owner !== null && (await isAlive(owner)) ? [id] : [])));
      const driven = new Set(alive.flat());
      // They were made for us alone, and copies of ten thousand would take longer than reading them.
      return rows.map((row) => Object.assign(row, { driven: driven.has(row.id) })).toReversed();
    },
  };
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
