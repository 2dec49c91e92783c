import { existsSync } from 'node:fs';
import { databasePlace } from './app-files.ts';
import { unknownTask } from './core/errors.ts';
import type { JournalEntry } from './core/event.ts';
import type { Loop } from './core/loop.ts';
import { isAlive } from './dispatch/owner.ts';
import { documentPath } from './engine/artefacts.ts';
import { openProject } from './git/project.ts';
import { openSqliteStore } from './store/sqlite.ts';

/** One loop with its journal, read without opening anything that could drive it. */
export type LoopRecord = {
  readonly loop: Loop;
  readonly journal: readonly JournalEntry[];
  readonly document: string | null;
  /** A living process drives it. */
  readonly driven: boolean;
};

/** Reads one loop of the project that a folder belongs to. */
export async function readLoop(cwd: string, id: number): Promise<LoopRecord> {
  const project = await openProject(cwd);
  const place = databasePlace(project.root);
  if (!existsSync(place.file)) throw unknownTask(id);
  const store = await openSqliteStore(place);
  try {
    const loop = await store.load(id);
    if (loop === null) throw unknownTask(id);
    const document = loop.rounds.length === 0 ? null : documentPath(loop, loop.rounds.length);
    const owner = (await store.transaction(async (tx) => await tx.job(id)))?.owner ?? null;
    return { loop, journal: await store.journal(id), document, driven: owner !== null && (await isAlive(owner)) };
  } finally {
    await store.close();
  }
}
