import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { openStore } from './app-store.ts';
import { unknownTask } from './core/errors.ts';
import { exportLines } from './core/export-line.ts';
import type { ExportedLine, TranscriptLine } from './core/export-line.ts';
import type { ExportOutput } from './core/output.ts';
import { openProject } from './git/project.ts';

/** What is exported of the project that a folder belongs to. */
export type Exporting = {
  readonly cwd: string;
  /** Empty for all loops. */
  readonly ids: readonly number[];
  /** What agents said comes too. */
  readonly transcripts: boolean;
  /** The version of Volley. */
  readonly version: string;
};

/** The history of a project, line by line, one loop in memory at a time. A loop that does not exist is an error before the first line. */
export async function* exportHistory(exporting: Exporting): AsyncGenerator<object, void, undefined> {
  const { root } = await openProject(exporting.cwd);
  const store = openStore(root);
  try {
    const all = (await store.rows()).map(({ id }) => id).toReversed();
    const unknown = exporting.ids.find((id) => !all.includes(id));
    if (unknown !== undefined) throw unknownTask(unknown);
    const ids = exporting.ids.length === 0 ? all : all.filter((id) => exporting.ids.includes(id));
    const { version } = exporting;
    const first: ExportOutput = {
      type: 'export',
      v: 1,
      version,
      project: basename(root),
      exportedAt: new Date().toISOString(),
      loops: ids.length,
    };
    yield first;
    let events = 0;
    for (const id of ids) {
      const journal = await store.journal(id);
      yield* exportLines(journal);
      events += journal.length;
      if (exporting.transcripts) yield* transcriptsOf(root, id);
    }
    const last: ExportedLine = { type: 'exported', v: 1, loops: ids.length, events };
    yield last;
  } finally {
    await store.close();
  }
}

async function* transcriptsOf(root: string, id: number): AsyncGenerator<TranscriptLine, void, undefined> {
  const folder = join(root, '.volley', 'transcripts');
  const names = existsSync(folder) ? await readdir(folder, { withFileTypes: true }) : [];
  const own = names.filter((entry) => entry.isFile() && entry.name.startsWith(`task-${id}-`) && entry.name.endsWith('.log'));
  for (const { name } of own.toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))) {
    const text = await readFile(join(folder, name), 'utf8');
    yield { type: 'transcript', v: 1, loop: id, path: `.volley/transcripts/${name}`, text };
  }
}
