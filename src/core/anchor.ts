import type { ChangedFile, Hunk } from './diff.ts';
import type { Place, ReportedIssue } from './finding.ts';
import { readLocation } from './location.ts';

/** Where a reported issue lies: the path as the change knows it, if it does, and the lines as they were reported. */
export type Placement = {
  readonly file: string | null;
  readonly line: number | null;
  readonly lineEnd: number | null;
  readonly place: Place;
};

/** What an issue is placed in. */
export type PlacedIn = {
  readonly files: readonly Pick<ChangedFile, 'path' | 'oldPath' | 'status' | 'binary' | 'submodule'>[];
  hunksOf(path: string): readonly Hunk[];
  /** The folders in which agents saw the tree; a path below one of them needs no guess. */
  readonly roots?: readonly string[];
};

/** Finds the file and lines that a reported issue means; what cannot be found is kept as it was written. */
export function placeIssue(issue: Pick<ReportedIssue, 'file' | 'line' | 'lineEnd'>, change: PlacedIn): Placement {
  const written = issue.file?.trim() ?? '';
  const location = readLocation(written);
  const lines = orderedLines(issue.line === null ? location : issue);
  if (written === '') return { file: null, ...lines, place: 'unplaced' };
  const file = findFile(location.candidates, change);
  if (file !== null) return { file: file.path, ...lines, place: placeInFile(file, lines, change) };
  return location.path === null
    ? { file: written, ...lines, place: 'unplaced' }
    : { file: withoutRoot(location.path, change), ...lines, place: 'outside' };
}

type File = PlacedIn['files'][number];
type Lines = Pick<Placement, 'line' | 'lineEnd'>;

function orderedLines({ line, lineEnd }: Lines): Lines {
  if (line === null || lineEnd === null) return { line, lineEnd };
  return { line: Math.min(line, lineEnd), lineEnd: Math.max(line, lineEnd) };
}

function placeInFile(file: File, { line, lineEnd }: Lines, change: PlacedIn): Place {
  // Lines of a binary file or of a submodule mean nothing.
  if (line === null || file.binary || file.submodule) return 'file';
  const end = lineEnd ?? line;
  const touches = (hunk: Hunk): boolean => {
    const start = file.status === 'deleted' ? hunk.oldStart : hunk.newStart;
    const count = file.status === 'deleted' ? hunk.oldCount : hunk.newCount;
    // Where lines were only removed, their neighbours stand for them.
    const [first, last] = count === 0 ? [start, start + 1] : [start, start + count - 1];
    return line <= last && end >= first;
  };
  return change.hunksOf(file.path).some(touches) ? 'changed' : 'outside';
}

function findFile(candidates: readonly string[], change: PlacedIn): File | null {
  for (const candidate of candidates) {
    const exact = byName(candidate, change.files);
    if (exact !== null) return exact;
  }
  for (const candidate of candidates) {
    const inside = withoutRoot(candidate, change);
    const found =
      inside === candidate ? (insideAbsolute(candidate, change.files) ?? byTail(candidate, change.files)) : byName(inside, change.files);
    if (found !== null) return found;
  }
  return null;
}

/** What agents write has lost the spaces around a name. */
function byName(name: string, files: PlacedIn['files']): File | null {
  const known = files.find((file) => file.path === name) ?? files.find((file) => file.oldPath === name);
  return known ?? files.find((file) => file.path.trim() === name) ?? null;
}

/** A path that goes on to the left of a changed file's: the checkout of somebody else. */
function insideAbsolute(candidate: string, files: PlacedIn['files']): File | null {
  const isAbsolute = /^(?:\/|[A-Za-z]:\/|~\/|[a-z]+:\/\/)/.test(candidate);
  const matching = files.filter((file) => (isAbsolute || file.path.includes('/')) && candidate.endsWith(`/${file.path}`));
  return matching.toSorted((a, b) => b.path.length - a.path.length)[0] ?? null;
}

/** The end of a changed file's path, if it is the end of one only. */
function byTail(candidate: string, files: PlacedIn['files']): File | null {
  const matching = files.filter((file) => file.path.endsWith(`/${candidate}`));
  return matching.length === 1 ? (matching[0] ?? null) : null;
}

function withoutRoot(path: string, change: PlacedIn): string {
  const root = change.roots?.find((folder) => path.startsWith(`${folder}/`));
  return root === undefined ? path : path.slice(root.length + 1);
}
