import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change } from '../../core/diff.ts';
import { generatedBy } from '../../core/generated.ts';
import { parsePatch } from '../../core/parse-patch.ts';

/** A changed file as it is now, with the lines that the change added or rewrote. */
export type SubjectFile = { readonly path: string; readonly text: string; readonly addedLines: ReadonlySet<number> };

/** What a review looks at; `skipped` says which files are not analysed, and why. */
export type SubjectFiles = {
  /** Every text that changed: secrets lie anywhere. */
  readonly all: readonly SubjectFile[];
  /** Those that somebody wrote by hand, which rules are made for. */
  readonly written: readonly SubjectFile[];
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
};

const LARGEST_BYTES = 1024 * 1024;
const LONGEST_LINE = 20_000;
const MODES = ['100644', '100755'];

/** Reads the changed files of a checkout; links are never followed. */
export async function readSubjectFiles(change: Change, dir: string): Promise<SubjectFiles> {
  const added = addedLinesOf(change);
  const present = change.files.filter((file) => file.status !== 'deleted' && !file.submodule);
  const all: SubjectFile[] = [];
  const written: SubjectFile[] = [];
  const skipped: { path: string; why: string }[] = [];
  for (const { path, binary, newMode } of present) {
    const text = binary || !MODES.includes(newMode) ? { why: 'no text file' } : await readText(join(dir, path));
    if ('why' in text) skipped.push({ path, why: text.why });
    else {
      const file = { path, text: text.text, addedLines: added.get(path) ?? new Set<number>() };
      const why = generatedBy(file);
      all.push(file);
      if (why === null) written.push(file);
      else skipped.push({ path, why });
    }
  }
  return { all, written, skipped };
}

/** Whether a range of lines touches one that the change added. */
export function touches({ addedLines }: SubjectFile, first: number, last: number): boolean {
  for (let line = first; line <= last; line += 1) if (addedLines.has(line)) return true;
  return false;
}

function addedLinesOf(change: Change): ReadonlyMap<string, ReadonlySet<number>> {
  return new Map(
    parsePatch(change.patch).map(({ path, hunks }) => {
      const lines = hunks.flatMap((hunk) => hunk.lines.filter(({ kind }) => kind === 'added').map(({ newLine }) => newLine ?? 0));
      return [path, new Set(lines)] as const;
    }),
  );
}

async function readText(path: string): Promise<{ readonly text: string } | { readonly why: string }> {
  const stat = await lstat(path).catch(() => null);
  if (stat === null || !stat.isFile()) return { why: 'no text file' };
  if (stat.size > LARGEST_BYTES) return { why: 'larger than 1 MB' };
  const bytes = await readFile(path);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.split('\n').some((line) => line.length > LONGEST_LINE) ? { why: 'lines too long to be written by hand' } : { text };
  } catch {
    return { why: 'not UTF-8' };
  }
}
