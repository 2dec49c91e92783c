import { queryOptions } from '@tanstack/react-query';
import type { Answered } from '../../../src/api/contract/client.ts';
import type { Whitespace } from '../../../src/core/change-view.ts';
import { ask, queries } from '../api/queries.ts';
import type { DiffFile } from './diff-file.ts';
import { hunkSpans, uncovered, withContext } from './hunk-spans.ts';
import type { Context } from './hunk-spans.ts';
import { parse } from './parse.ts';
import type { Read } from './read-patch.ts';
import { written } from './written.ts';

/** A file of a change, and which of its lines must be there, changed or not. */
export type PatchWanted = {
  readonly change: string;
  readonly file: DiffFile;
  readonly whitespace: Whitespace;
  readonly lines: readonly number[];
};

/** A patch as it is shown. */
export type LoadedPatch = Read & {
  /** So many of its lines are too many to be sent. */
  readonly missing: number;
};

/** What tells a patch from every other one. The commits do not: a file that a new head leaves alone keeps its patch. */
export function patchKey(file: DiffFile, whitespace: Whitespace): string {
  return JSON.stringify([file.path, file.oldPath, file.oldBlob, file.newBlob, file.oldMode, file.newMode, whitespace]);
}

/** So long a patch is kept that nobody looks at. */
const KEPT_MS = 120_000;

/** Asks for the patch of a file and reads it. */
export async function loadPatch({ change, file, whitespace, lines }: PatchWanted): Promise<LoadedPatch> {
  const key = patchKey(file, whitespace);
  const { patch, missingLines } = await queries.fetchQuery(askPatch({ change, file, whitespace, key }));
  const contexts = await missingContext({ change, file, patch, lines, cut: missingLines > 0 });
  const text = contexts.length === 0 ? patch : withContext(patch, contexts);
  const read = await parse({ text, path: file.path, oldPath: file.oldPath, key: `${key} ${contexts.map(({ from }) => from).join()}` });
  if (read === null) throw new Error('The patch of this file could not be read.');
  return { ...read, missing: missingLines };
}

function askPatch({ change, file, whitespace, key }: Omit<PatchWanted, 'lines'> & { readonly key: string }) {
  return queryOptions<Answered<'changePatch'>>({
    queryKey: ['patch', key],
    queryFn: async () =>
      await ask('changePatch', {
        params: { change },
        query: {
          path: file.path,
          ...(file.oldPath === null ? {} : { oldPath: file.oldPath }),
          ...blobsOf(file),
          whitespace,
        },
      }),
    staleTime: Infinity,
    gcTime: KEPT_MS,
  });
}

function blobsOf({ oldBlob, newBlob }: DiffFile): { readonly oldBlob?: string; readonly newBlob?: string } {
  return { ...(oldBlob === null ? {} : { oldBlob }), ...(newBlob === null ? {} : { newBlob }) };
}

type ContextWanted = Pick<PatchWanted, 'change' | 'file' | 'lines'> & { readonly patch: string; readonly cut: boolean };

async function missingContext({ change, file, patch, lines, cut }: ContextWanted): Promise<Context[]> {
  if (lines.length === 0 || file.newBlob === null || file.submodule) return [];
  const spans = hunkSpans(patch);
  // Behind the end of a patch that was cut nobody knows what is unchanged.
  const known = cut ? lines.filter((line) => line < (spans.at(-1)?.newEnd ?? 0)) : lines;
  return await Promise.all(
    uncovered(spans, known).map(async ({ from, end }): Promise<Context> => {
      const query = { path: file.path, ...blobsOf(file), side: 'new' as const, start: from, end: end - 1 };
      const answer = await ask('changeBlob', { params: { change }, query });
      const open = !answer.endsWithNewline && from + answer.lines.length > answer.totalLines;
      return { from, lines: answer.binary ? [] : answer.lines, open };
    }),
  );
}

/** So many lines of a file are asked for at once, which is all that is given. */
const PAGE = 5000;

/** The whole of a file as it is after the change, with what hides in it written out. */
export async function wholeFile(change: string, file: DiffFile): Promise<string> {
  const parts: string[] = [];
  for (let start = 1; ;) {
    const page = await ask('changeBlob', {
      params: { change },
      query: { path: file.path, ...blobsOf(file), side: 'new', start, end: start + PAGE - 1 },
    });
    if (page.truncated) throw new Error('This file has lines that are too long to be shown.');
    parts.push(...page.lines.map((line) => `${line}\n`));
    start += page.lines.length;
    if (page.lines.length === 0 || start > page.totalLines) {
      const text = written(parts.join(''));
      return page.endsWithNewline ? text : text.slice(0, -1);
    }
  }
}
