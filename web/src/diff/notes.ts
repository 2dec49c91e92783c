import { isClosed, Severity } from '../../../src/core/finding.ts';
import type { FindingOutput, LoopOutput } from '../../../src/core/output.ts';
import type { DiffFile } from './diff-file.ts';

/** What hangs from a line of the new side of a file, or stands above its first line where `line` is 0. */
export type Note = {
  /** The same for the same thing, whatever else changes. */
  readonly key: string;
  readonly line: number;
  /** The first of its lines; the rule beside them runs from here to `line`. */
  readonly from: number;
} & (
  | { readonly kind: 'finding'; readonly id: string; readonly severity: Severity; readonly settled: boolean }
  | { readonly kind: 'comment'; readonly index: number }
  | { readonly kind: 'cut'; readonly missing: number }
);

/** Notes by the path of their file, and those that belong to no file of the change. */
export type PlacedNotes = { readonly byFile: ReadonlyMap<string, readonly Note[]>; readonly above: readonly Note[] };

type Comment = LoopOutput['comments'][number];

/** Where findings and the comments of people stand in a change. What cannot be placed stands above, it never goes missing. */
export function placeNotes(files: readonly DiffFile[], findings: readonly FindingOutput[], comments: readonly Comment[]): PlacedNotes {
  const now = new Map(files.map((file) => [file.path, file]));
  const before = new Map(files.flatMap((file) => (file.status === 'renamed' && file.oldPath !== null ? [[file.oldPath, file]] : [])));
  const byFile = new Map<string, Note[]>();
  const above: Note[] = [];
  const put = (note: Note, path: string | null): void => {
    const file = path === null ? undefined : (now.get(path) ?? before.get(path));
    if (file === undefined) above.push(note);
    else byFile.set(file.path, [...(byFile.get(file.path) ?? []), file.newBlob === null ? { ...note, line: 0, from: 0 } : note]);
  };
  for (const finding of findings) put(findingNote(finding), finding.file);
  comments.forEach((comment, index) => {
    // An answer to a finding stands with it.
    if (comment.findingId === null) put(commentNote(comment, index), comment.file);
  });
  for (const notes of byFile.values()) notes.sort((a, b) => a.line - b.line);
  return { byFile, above };
}

function findingNote({ id, severity, status, anchor, line, lineEnd }: FindingOutput): Note {
  const placed = line !== null && (anchor === 'exact' || anchor === 'moved');
  const end = placed ? Math.max(line, lineEnd ?? line) : 0;
  return { kind: 'finding', key: `finding ${id}`, id, severity, settled: isClosed({ status }), line: end, from: placed ? line : 0 };
}

function commentNote({ line, lineEnd }: Comment, index: number): Note {
  return { kind: 'comment', key: `comment ${index}`, index, line: Math.max(line ?? 0, lineEnd ?? 0), from: line ?? 0 };
}

/** Which lines of a file must be there so that all its notes stand at their place. */
export function linesOf(notes: readonly Note[]): number[] {
  return notes.flatMap(({ line }) => (line === 0 ? [] : [line]));
}

/** The notes of a file of so many lines; one behind its end is about the file. */
export function within(notes: readonly Note[], totalLines: number): readonly Note[] {
  return notes.map((note) => (note.line > totalLines ? { ...note, line: 0, from: 0 } : note));
}

/** What the edge of a line shows: the gravest finding that is about it and not settled. */
export function ruleAt(notes: readonly Note[], line: number): Severity | null {
  let worst: Severity | null = null;
  for (const note of notes) {
    if (note.kind !== 'finding' || note.settled || line < note.from || line > note.line || note.line === 0) continue;
    if (worst === null || Severity.options.indexOf(note.severity) < Severity.options.indexOf(worst)) worst = note.severity;
  }
  return worst;
}
