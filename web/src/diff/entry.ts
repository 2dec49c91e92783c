import type { CodeView, CodeViewDiffItem, DiffLineAnnotation, FileDiffMetadata } from '@pierre/diffs';
import type { DiffFile } from './diff-file.ts';
import { estimated } from './estimate.ts';
import type { HunkSpan } from './hunk-spans.ts';
import { NO_ENDINGS } from './line-endings.ts';
import type { LineEndings } from './line-endings.ts';
import type { Note } from './notes.ts';

/** A file in the viewer. */
export type DiffItem = CodeViewDiffItem<Hung>;

/** What the viewer keeps for a note. */
export type Hung = { readonly note: Note };

/** The viewer of the diff library. */
export type Viewer = CodeView<Hung>;

/** A file of the change that is shown: what is known of it, and how far it has got. */
export type Entry = {
  readonly id: string;
  file: DiffFile;
  /** Which patch it should show. */
  key: string;
  /** `late` shows an older patch until the right one is there. */
  state: 'waiting' | 'late' | 'ready' | 'failed';
  problem: string;
  /** In which connection to the server it failed. */
  failedIn: number;
  loading: boolean;
  folded: boolean;
  item: DiffItem;
  spans: readonly HunkSpan[];
  missing: number;
  endings: LineEndings;
  /** Whether all that is known of it is UTF-8. */
  isUtf8: boolean;
  notes: readonly Note[];
  /** Lines that somebody wanted to see, though nothing changed there. */
  readonly shown: Set<number>;
};

let versions = 0;

/** A file that waits for its patch. */
export function newEntry(id: string, file: DiffFile, key: string): Entry {
  return {
    id,
    file,
    key,
    state: 'waiting',
    problem: '',
    failedIn: 0,
    loading: false,
    folded: false,
    item: { id, type: 'diff', fileDiff: estimated(file), annotations: [] },
    spans: [],
    missing: 0,
    endings: NO_ENDINGS,
    isUtf8: true,
    notes: [],
    shown: new Set(),
  };
}

/** Makes what the viewer is given of a file anew; it looks only at what has a new version. */
export function renew(entry: Entry, fileDiff: FileDiffMetadata = entry.item.fileDiff): DiffItem {
  versions += 1;
  const annotations = entry.state === 'ready' || entry.state === 'late' ? annotationsOf(entry, fileDiff) : [];
  entry.item = { id: entry.id, type: 'diff', fileDiff, annotations, collapsed: entry.folded, version: versions };
  return entry.item;
}

function annotationsOf({ notes, spans, missing }: Entry, { type, hunks }: FileDiffMetadata): DiffLineAnnotation<Hung>[] {
  const side = type === 'deleted' ? 'deletions' : 'additions';
  const last = hunks.at(-1);
  const all: Note[] = notes.map((note) => (isCovered(spans, note.line) ? note : { ...note, line: 0, from: 0 }));
  if (missing > 0 && last !== undefined) {
    const line = side === 'deletions' ? last.deletionStart + last.deletionCount - 1 : last.additionStart + last.additionCount - 1;
    all.push({ kind: 'cut', key: 'cut', missing, line, from: line });
  }
  return all.map((note) => ({ side, lineNumber: note.line, metadata: { note } }));
}

/** Whether a line of the new side is among what a patch covers. */
export function isCovered(spans: readonly HunkSpan[], line: number): boolean {
  return spans.some(({ newFrom, newEnd }) => newFrom <= line && line < newEnd);
}
