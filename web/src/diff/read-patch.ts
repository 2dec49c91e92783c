import { processFile } from '@pierre/diffs';
import type { FileDiffMetadata } from '@pierre/diffs';
import { written } from './written.ts';
import { hunkSpans } from './hunk-spans.ts';
import type { HunkSpan } from './hunk-spans.ts';
import { lineEndings } from './line-endings.ts';
import type { LineEndings } from './line-endings.ts';

/** The text of one file's patch and what the list of the files says about it, which is trusted more than the text. */
export type PatchText = { readonly text: string; readonly path: string; readonly oldPath: string | null; readonly key: string };

/** A patch as it was read. */
export type Read = {
  readonly diff: FileDiffMetadata;
  /** What it covers. */
  readonly spans: readonly HunkSpan[];
  /** Whether characters had to be written out, because nobody would see them. */
  readonly hasNamed: boolean;
  readonly endings: LineEndings;
  /** Whether all of it is UTF-8; bytes that are not have become signs that all look the same. */
  readonly isUtf8: boolean;
};

/** Reads the patch of one file, and tells what is in it. */
export function readWhole(patch: PatchText): Read | null {
  const diff = readPatch(patch);
  if (diff === null) return null;
  const isNamed = (line: string): boolean => line.includes('⟦U+');
  const hasNamed = diff.additionLines.some(isNamed) || diff.deletionLines.some(isNamed);
  const isUtf8 = ![...diff.additionLines, ...diff.deletionLines].some((line) => line.includes('\uFFFD'));
  return { diff, spans: hunkSpans(patch.text), hasNamed, endings: lineEndings(diff), isUtf8 };
}

/** Reads the patch of one file for the viewer. Characters that nobody sees are written out. */
export function readPatch({ text, path, oldPath, key }: PatchText): FileDiffMetadata | null {
  const diff = processFile(written(joined(text)), { cacheKey: key, isGitDiff: true });
  if (diff === undefined) return null;
  diff.name = path;
  if (oldPath !== null) diff.prevName = oldPath;
  else delete diff.prevName;
  // All lines are there, so nothing is left that could be shown in addition.
  if (isAtEnd(diff) && diff.hunks.every(({ collapsedBefore }) => collapsedBefore === 0)) diff.isPartial = false;
  return diff;
}

/** So many unchanged lines stand behind a change, unless the file ends before. */
const AROUND = 3;

/** Whether the last hunk of a patch surely reaches the end of the file. */
export function isAtEnd({ hunks }: Pick<FileDiffMetadata, 'hunks'>): boolean {
  const last = hunks.at(-1);
  const tail = last?.hunkContent.at(-1);
  if (last === undefined || tail === undefined) return false;
  return last.noEOFCRAdditions || last.noEOFCRDeletions || tail.type === 'change' || tail.lines < AROUND;
}

/** A file whose type changed has two patches, its deletion and its creation; here they are one, in which all lines change. */
export function joined(text: string): string {
  const second = text.indexOf('\ndiff --git ') + 1;
  if (second === 0) return text;
  const parts = [text.slice(0, second), text.slice(second)].map((part) => {
    const [span] = hunkSpans(part);
    return span === undefined ? null : { ...span, body: part.slice(part.indexOf('\n', span.at) + 1) };
  });
  const oldCount = parts.reduce((sum, part) => sum + (part === null ? 0 : part.oldEnd - part.oldFrom), 0);
  const newCount = parts.reduce((sum, part) => sum + (part === null ? 0 : part.newEnd - part.newFrom), 0);
  const range = (count: number): string => `${count === 0 ? 0 : 1},${count}`;
  const body = parts.map((part) => part?.body ?? '').join('');
  return `${text.slice(0, text.indexOf('\n') + 1)}@@ -${range(oldCount)} +${range(newCount)} @@\n${body}`;
}
