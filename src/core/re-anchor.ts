import { formerPath, lineRange } from './delta.ts';
import type { Delta, FileDelta, HunkSpan, Lines } from './delta.ts';
import type { Anchor } from './finding.ts';

/** Where lines of an earlier head are now, and how sure that is. */
export type Reanchored = Lines & {
  /** `outdated`: the lines changed or are gone; the numbers are those of the earlier head then. */
  readonly anchor: Exclude<Anchor, 'unplaced'>;
};

/** Follows lines from the earlier head of a delta to its newer one. */
export function reanchor(at: Lines, delta: Delta): Reanchored {
  const { file, line, lineEnd } = at;
  const change = delta.files.find((one) => formerPath(one) === file);
  if (change === undefined) return { file, line, lineEnd, anchor: 'exact' };
  const moved = change.path === file ? 'exact' : 'moved';
  const shift = line === null ? (change.status === 'deleted' ? null : 0) : shiftOf(lineRange(line, lineEnd), change);
  if (shift === null) return { file: change.path, line, lineEnd, anchor: 'outdated' };
  return { file: change.path, line: plus(line, shift), lineEnd: plus(lineEnd, shift), anchor: shift === 0 ? moved : 'moved' };
}

/** Where lines of an earlier head lie now as far as can be told: those that changed are where what replaced them is. */
export function followLines(at: Lines, delta: Delta): Lines {
  const { anchor, ...found } = reanchor(at, delta);
  const change = delta.files.find((one) => formerPath(one) === at.file);
  if (anchor !== 'outdated' || at.line === null || change === undefined || change.hunks === null) return found;
  const follow = (line: number): number => {
    const shift = change.hunks?.filter((hunk) => isAbove(hunk, line)).reduce((sum, hunk) => sum + hunk.newCount - hunk.oldCount, 0) ?? 0;
    const around = change.hunks?.find((hunk) => !isAbove(hunk, line) && !isBelow(hunk, line));
    if (around === undefined) return Math.max(1, line + shift);
    return Math.max(1, Math.min(line + shift, around.newStart + Math.max(0, around.newCount - 1)));
  };
  return { file: found.file, line: follow(at.line), lineEnd: at.lineEnd === null ? null : follow(at.lineEnd) };
}

/** By how many lines a stretch moved within its file; null if something in it changed. */
function shiftOf([first, last]: readonly [number, number], { status, hunks }: FileDelta): number | null {
  if (hunks === null || (status !== 'modified' && status !== 'renamed')) return null;
  let shift = 0;
  for (const hunk of hunks) {
    if (isAbove(hunk, first)) shift += hunk.newCount - hunk.oldCount;
    else if (!isBelow(hunk, last)) return null;
  }
  return shift;
}

function isAbove({ oldStart, oldCount }: HunkSpan, first: number): boolean {
  return oldCount === 0 ? oldStart < first : oldStart + oldCount <= first;
}

function isBelow({ oldStart, oldCount }: HunkSpan, last: number): boolean {
  return oldCount === 0 ? oldStart >= last : oldStart > last;
}

function plus(line: number | null, shift: number): number | null {
  return line === null ? null : line + shift;
}
