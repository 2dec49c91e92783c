import type { FileDiffMetadata, Hunk } from '@pierre/diffs';
import { whyNoLines } from './diff-file.ts';
import type { DiffFile } from './diff-file.ts';

/** So many changed lines stand together on average, with three unchanged ones on either side. */
const CHANGED_IN_HUNK = 12;
const AROUND = 3;

/** The rows that a separator takes. */
const SEPARATOR_ROWS = 1.4;

/** A diff of empty lines that is about as long as the one of a file will be, to stand in its place until that is there. */
export function estimated(file: DiffFile): FileDiffMetadata {
  const whole = file.status === 'added' || file.status === 'deleted';
  const type = file.status === 'added' ? 'new' : file.status === 'deleted' ? 'deleted' : 'change';
  const diff = { name: file.path, lang: 'text', type, isPartial: true, cacheKey: `waiting ${file.path}` } as const;
  if (whyNoLines(file) !== null) return { ...diff, ...sides(0, 0), hunks: [], splitLineCount: 0, unifiedLineCount: 0 };
  const context = whole ? 0 : contextRows(file.added + file.removed);
  const added = file.submodule ? 1 : file.added;
  const removed = file.submodule ? 1 : file.removed;
  const hunk = oneHunk({ added, removed, context });
  const { splitLineCount, unifiedLineCount } = hunk;
  return { ...diff, ...sides(context + removed, context + added), hunks: [hunk], splitLineCount, unifiedLineCount };
}

function contextRows(changed: number): number {
  const hunks = Math.max(1, Math.round(changed / CHANGED_IN_HUNK));
  return hunks * 2 * AROUND + Math.round((hunks - 1) * SEPARATOR_ROWS);
}

/** Empty lines, as many as any estimate needs; one list for all of them. */
const blank: string[] = [];

function sides(
  old: number,
  fresh: number,
): Pick<FileDiffMetadata, 'deletionLines' | 'additionLines' | 'deletionCharacterCount' | 'additionCharacterCount'> {
  while (blank.length < Math.max(old, fresh)) blank.push('\n');
  return { deletionLines: blank, additionLines: blank, deletionCharacterCount: old, additionCharacterCount: fresh };
}

function oneHunk({ added, removed, context }: { readonly added: number; readonly removed: number; readonly context: number }): Hunk {
  const change = { type: 'change', additions: added, deletions: removed, additionLineIndex: context, deletionLineIndex: context } as const;
  return {
    collapsedBefore: 0,
    additionStart: 1,
    additionCount: context + added,
    additionLines: added,
    additionLineIndex: 0,
    deletionStart: 1,
    deletionCount: context + removed,
    deletionLines: removed,
    deletionLineIndex: 0,
    hunkContent: [
      ...(context === 0 ? [] : [{ type: 'context', lines: context, additionLineIndex: 0, deletionLineIndex: 0 } as const]),
      ...(added + removed === 0 ? [] : [change]),
    ],
    splitLineStart: 0,
    splitLineCount: context + Math.max(added, removed),
    unifiedLineStart: 0,
    unifiedLineCount: context + added + removed,
    noEOFCRDeletions: false,
    noEOFCRAdditions: false,
  };
}
