import type { ChangeEnds, ChangeFile, ChangeTotals, DiffMatch, Whitespace } from '../core/change-view.ts';
import type { FoundChange } from '../core/change-request.ts';

/** All files of a change. */
export type ChangeList = { readonly files: readonly ChangeFile[]; readonly totals: ChangeTotals };

/** The patch of one file; `missingLines` are left out at its end because it is too long. */
export type FilePatch = { readonly file: ChangeFile; readonly patch: string; readonly missingLines: number };

/** Lines of a file on one side of a change. */
export type FileLines = {
  readonly blob: string;
  readonly symlink: boolean;
  readonly binary: boolean;
  readonly lines: readonly string[];
  readonly totalLines: number;
  readonly endsWithNewline: boolean;
  /** The last of the lines that were asked for are left out, because they are too long. */
  readonly truncated: boolean;
};

/** Which file is meant. Names that are no UTF-8 may look the same; then their blobs tell them apart. */
export type FileWanted = { readonly path: string; readonly oldBlob?: string | undefined; readonly newBlob?: string | undefined };

/** Which file is meant, and how it is shown. */
export type PatchWanted = FileWanted & {
  /** Left out: as the change has it. */
  readonly oldPath?: string | undefined;
  readonly whitespace: Whitespace;
  readonly context: number;
  readonly signal: AbortSignal;
};

/** Which lines of which file are meant, from 1, the last one included. */
export type LinesWanted = FileWanted & {
  readonly side: 'old' | 'new';
  readonly start: number;
  readonly end: number;
  readonly signal: AbortSignal;
};

/** What is looked for, and which of the matches are wanted. */
export type TextWanted = {
  readonly text: string;
  readonly matchCase: boolean;
  readonly whitespace: Whitespace;
  readonly skip: number;
  readonly limit: number;
  readonly signal: AbortSignal;
};

/** What a search found; not `complete` where the time was over before the end of the change, or a line was too long to be looked through. */
export type TextFound = { readonly matches: readonly DiffMatch[]; readonly hasMore: boolean; readonly complete: boolean };

/** Where changes of any size are read, a piece at a time. What two commits say never changes. */
export type ChangeDesk = {
  /** Finds a change in the repository, whether or not a loop has it. */
  find(request: FoundChange): Promise<ChangeEnds & { readonly notes: readonly string[] }>;
  list(ends: ChangeEnds, how: { readonly whitespace: Whitespace; readonly signal: AbortSignal }): Promise<ChangeList>;
  patch(ends: ChangeEnds, wanted: PatchWanted): Promise<FilePatch>;
  lines(ends: ChangeEnds, wanted: LinesWanted): Promise<FileLines>;
  search(ends: ChangeEnds, wanted: TextWanted): Promise<TextFound>;
};
