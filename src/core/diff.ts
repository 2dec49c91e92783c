/** How a file differs between two trees. */
export type FileStatus = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'typechanged';

/** One file of a change, from git's own machine-readable output (never from patch text). */
export type ChangedFile = {
  readonly path: string;
  /** The former path of a rename or copy. */
  readonly oldPath: string | null;
  readonly status: FileStatus;
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldBlob: string | null;
  readonly newBlob: string | null;
  readonly binary: boolean;
  readonly submodule: boolean;
  readonly added: number;
  readonly removed: number;
};

/** One line of a hunk; `noNewline` marks the last line of a file that does not end in a newline. */
export type DiffLine = {
  readonly kind: 'context' | 'added' | 'removed';
  readonly text: string;
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly noNewline: boolean;
};

/** A stretch of changed lines with their context. */
export type Hunk = {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly heading: string;
  readonly lines: readonly DiffLine[];
};

/** What is under review: two commits and the files between them. */
export type Change = {
  readonly base: string;
  readonly mergeBase: string;
  readonly head: string;
  readonly tree: string;
  readonly files: readonly ChangedFile[];
  /** The unified diff of the whole change, as it is shown to reviewers. */
  readonly patch: string;
  readonly patchSha256: string;
};

/** The text part of one file in a patch; a file whose type changed has two, its deletion and its creation. */
export type FilePatch = {
  /** The path after the change, or the last one of a deleted file. */
  readonly path: string;
  /** The former path of a rename or copy. */
  readonly oldPath: string | null;
  readonly status: FileStatus;
  /** Null where the text does not say it: in a rename without an edit, or where there is no such side. */
  readonly oldMode: string | null;
  readonly newMode: string | null;
  readonly binary: boolean;
  readonly hunks: readonly Hunk[];
};
