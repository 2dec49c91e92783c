import { createReadStream } from 'node:fs';
import { VolleyError } from './core/errors.ts';
import type { JournalEntry } from './core/event.ts';
import { foldExported, readExportLine } from './core/export-line.ts';
import type { ExportedLoop, ExportLine, TranscriptLine } from './core/export-line.ts';
import { LineSplitter } from './lib/lines.ts';

/** A file that `volley export` wrote, and what people call it. */
export type ExportFile = { readonly path: string; readonly name: string };

/** A loop of a file that is read; its lines are complete. */
type Open = { readonly line: number; readonly said: Extract<ExportLine, { type: 'loop' }>; readonly journal: JournalEntry[] };

/** Reads an exported history, one loop in memory at a time. The first line that is not what it must be is an error with its number. */
export async function* readHistory(file: ExportFile): AsyncGenerator<ExportedLoop | TranscriptLine, void, undefined> {
  let number = 0;
  let version: string | null = null;
  let open: Open | null = null;
  let announced = 0;
  const counts = { loops: 0, events: 0 };
  let isWhole = false;
  const refuse = (what: string, line = number): VolleyError => broken(file, { what, line, version });
  const fold = ({ said, journal, line }: Open): ExportedLoop => {
    const folded = foldExported(said, journal);
    if (typeof folded === 'string') throw refuse(folded, line);
    return folded;
  };
  for await (const text of linesOf(file.path)) {
    number += 1;
    if (text.trim() === '') continue;
    const line = readExportLine(text);
    if (typeof line === 'string') throw refuse(line);
    if (isWhole) throw refuse('it comes after the end of an export');
    if ((version === null) !== (line.type === 'export'))
      throw refuse('an export begins with one line of the type export, and has no other');
    if (line.type === 'export') [version, announced] = [line.version, line.loops];
    else if (line.type === 'event') {
      if (open === null || line.loop !== open.said.id || line.seq !== open.journal.length + 1)
        throw refuse('it does not follow the line before it');
      open.journal.push({ seq: line.seq, at: line.at, event: line.event });
      counts.events += 1;
    } else if (line.type === 'transcript') {
      if (line.loop !== open?.said.id) throw refuse('it does not follow the line before it');
      yield line;
    } else {
      if (open !== null) yield fold(open);
      open = line.type === 'loop' ? { line: number, said: line, journal: [] } : null;
      if (line.type === 'loop') counts.loops += 1;
      else isWhole = line.loops === counts.loops && line.events === counts.events && announced === counts.loops;
      if (line.type === 'exported' && !isWhole) throw refuse('more or fewer lines came before it than it says');
    }
  }
  if (!isWhole) throw refuse('the end of the export is missing', number + 1);
}

/** Longer than any line that `volley export` writes: a transcript is cut long before. */
const LONGEST_LINE = 256 * 1024 * 1024;

async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  const splitter = new LineSplitter(LONGEST_LINE);
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) yield* splitter.push(String(chunk));
  yield* splitter.end();
}

function broken(
  { name }: ExportFile,
  told: { readonly what: string; readonly line: number; readonly version: string | null },
): VolleyError {
  const by = told.version === null ? '' : ` Volley ${told.version} wrote this one.`;
  return new VolleyError(
    'refused',
    `Line ${told.line} of ${name} cannot be imported: ${told.what}.`,
    `Nothing was written.${by} Export it again, whole.`,
  );
}
