import { createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { importHistory } from '../../app-import.ts';
import type { ImportReport } from '../../app-import.ts';
import { VolleyError } from '../../core/errors.ts';
import { counted, someOf } from '../../core/words.ts';
import { refuseWords } from '../command.ts';
import type { Command, Io } from '../command.ts';

const USAGE = 'import FILE|-';

/** `volley import FILE`: takes over a history that `volley export` wrote. */
export const command: Command = {
  usage: USAGE,
  options: {},
  run: async (typed, io) => {
    const [name, ...rest] = typed.positionals;
    if (name === undefined) throw new VolleyError('bad-usage', 'The file to import is missing.', `Write volley ${USAGE}.`);
    refuseWords({ ...typed, positionals: rest }, USAGE);
    const report = name === '-' ? await fromInput(io.cwd) : await fromFile(io.cwd, name);
    tell(report, io);
    return 0;
  },
};

async function fromFile(cwd: string, name: string): Promise<ImportReport> {
  const path = resolve(cwd, name);
  if (!existsSync(path)) throw new VolleyError('not-accessible', `There is no file ${name}.`, 'Name one that volley export wrote.');
  return await importHistory(cwd, { path, name });
}

/** It is read more than once, so it is kept in a file meanwhile. */
async function fromInput(cwd: string): Promise<ImportReport> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-import-'));
  try {
    const path = join(folder, 'history.jsonl');
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
    return await importHistory(cwd, { path, name: 'standard input' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function tell({ imported, present, transcripts }: ImportReport, io: Io): void {
  for (const { id, state, wantsWork, isComplete } of imported)
    io.object({ type: 'imported', v: 1, loop: id, state, wantsWork, isComplete });
  io.object({ type: 'import', v: 1, imported: imported.length, present, transcripts });
  const more = transcripts === 0 ? '' : ` and ${counted(transcripts, 'transcript')}`;
  io.out(imported.length === 0 ? 'Nothing was imported.' : `Imported ${counted(imported.length, 'task')}${more}.`);
  if (present.length > 0) io.out(`  Here already, and left as they are: ${numbers(present)}.`);
  const stranded = imported.filter(({ isComplete }) => !isComplete);
  if (stranded.length > 0)
    io.out(`  Their commits are not all in this repository, so they can be looked at and no more: ${numbers(idsOf(stranded))}.`);
  const waiting = stranded.filter(({ wantsWork }) => wantsWork);
  if (waiting.length > 0) io.out(`  To go on with one of ${numbers(idsOf(waiting))}, fetch its commits, then: volley retry ID.`);
  const pending = imported.filter(({ isComplete, wantsWork }) => isComplete && wantsWork);
  if (pending.length > 0)
    io.out(`  volley work goes on with ${numbers(idsOf(pending))}, with the agents and commands that the file names: look at them first.`);
}

function idsOf(loops: ImportReport['imported']): readonly number[] {
  return loops.map(({ id }) => id);
}

function numbers(ids: readonly number[]): string {
  return someOf(ids.map(String));
}
