import { z } from 'zod';
import { placeIssue } from './anchor.ts';
import { isUnplaced } from './finding.ts';
import type { Finding, Resolution } from './finding.ts';

/** A stretch of lines that differ, without context; a count of 0 means that the lines lie between `start` and the next one. */
export const HunkSpan = z.object({
  oldStart: z.number().int().nonnegative(),
  oldCount: z.number().int().nonnegative(),
  newStart: z.number().int().nonnegative(),
  newCount: z.number().int().nonnegative(),
});
export type HunkSpan = z.infer<typeof HunkSpan>;

/** How one file differs between two heads; `hunks` is null where its lines are not known (binary, a submodule, too many of them). */
export const FileDelta = z.object({
  path: z.string(),
  oldPath: z.string().nullable(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'typechanged']),
  hunks: z.array(HunkSpan).nullable(),
});
export type FileDelta = z.infer<typeof FileDelta>;

/** What was changed between an earlier head and the one under review. */
export const Delta = z.object({ from: z.string(), files: z.array(FileDelta) });
export type Delta = z.infer<typeof Delta>;

/** Lines of a file; without a line the whole file is meant, without a file the whole tree. */
export type Lines = { readonly file: string | null; readonly line: number | null; readonly lineEnd: number | null };

/** How far away from some lines a change still concerns them. */
export const NEAR_LINES = 3;

/** Whether a delta changes something at these lines or near them; they are numbered as on that side of it. */
export function isTouched(delta: Delta, at: Lines, side: 'old' | 'new'): boolean {
  if (at.file === null) return delta.files.length > 0;
  return delta.files.some((file) => (side === 'old' ? formerPath(file) : file.path) === at.file && isTouchedIn(file, at, side));
}

/** Where a file was before: a copy leaves its original where it is. */
export function formerPath(file: FileDelta): string {
  return file.status === 'renamed' ? (file.oldPath ?? file.path) : file.path;
}

/** The first and the last of some lines, in whatever order they were written. */
export function lineRange(line: number, lineEnd: number | null): readonly [number, number] {
  const end = lineEnd ?? line;
  return [Math.min(line, end), Math.max(line, end)];
}

/** How many lines lie between two stretches of a file, 0 where they meet; null where one has no lines. */
export function gapBetween(a: Pick<Lines, 'line' | 'lineEnd'>, b: Pick<Lines, 'line' | 'lineEnd'>): number | null {
  if (a.line === null || b.line === null) return null;
  const [aFirst, aLast] = lineRange(a.line, a.lineEnd);
  const [bFirst, bLast] = lineRange(b.line, b.lineEnd);
  return Math.max(0, bFirst - aLast, aFirst - bLast);
}

function isTouchedIn(file: FileDelta, { line, lineEnd }: Lines, side: 'old' | 'new'): boolean {
  // Of a file that came, went or became another kind of file no line is as it was.
  if (line === null || file.hunks === null || (file.status !== 'modified' && file.status !== 'renamed')) return true;
  const [first, last] = lineRange(line, lineEnd);
  return file.hunks.some((hunk) => {
    const [start, end] = side === 'old' ? spanEnds(hunk.oldStart, hunk.oldCount) : spanEnds(hunk.newStart, hunk.newCount);
    return start - last <= NEAR_LINES && first - end <= NEAR_LINES;
  });
}

/** Where a side has no lines of a hunk, its neighbours stand for them. */
function spanEnds(start: number, count: number): readonly [number, number] {
  return count === 0 ? [start, start + 1] : [start, start + count - 1];
}

/** A finding as it was when `delta.from` was under review, with what its fixer says about it since. */
export type AnsweredFinding = Readonly<Pick<Finding, 'file' | 'line' | 'lineEnd' | 'place' | 'resolution'>>;

/** Whether a delta holds a change that can have fixed a finding: near its lines, or near a place that its resolution names. */
export function canHaveFixed(finding: AnsweredFinding, delta: Delta): boolean {
  const { file, place, resolution } = finding;
  if (file === null || isUnplaced({ file, place })) return delta.files.length > 0;
  // Lines of a binary file or of a submodule mean nothing.
  const line = place === 'file' ? null : finding.line;
  if (isTouched(delta, { file, line, lineEnd: finding.lineEnd }, 'old')) return true;
  return (resolution?.places ?? []).some((named) => {
    const at = findPlace(named, delta, file);
    return isTouched(delta, at, 'new') || delta.files.some((one) => one.path === at.file && isPureRename(one) && one.oldPath === file);
  });
}

/** Fixers write paths as they see them; the finding's own file is known too, so that its name is not taken for a longer one's end. */
function findPlace(named: Resolution['places'][number], delta: Delta, own: string): Lines & { readonly file: string } {
  const paths = [...new Set([...delta.files.map((file) => file.path), own])];
  const files = paths.map((path) => ({ path, oldPath: null, status: 'modified', binary: false, submodule: false }) as const);
  const found = placeIssue({ file: named.file, line: named.line, lineEnd: null }, { files, hunksOf: () => [] });
  return { ...found, file: found.file ?? named.file };
}

function isPureRename(file: FileDelta): boolean {
  return file.status === 'renamed' && file.hunks?.length === 0;
}
