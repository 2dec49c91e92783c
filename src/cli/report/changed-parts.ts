import type { FrameRow } from './frame-rows.ts';

/** A part of a line: the characters from one index up to another. */
export type Part = { readonly from: number; readonly to: number };

type Line = { readonly kind: FrameRow['kind']; readonly text: string };

/** Where lines differ from those that come in their place, by index; only where as many come as go. */
export function changedParts(lines: readonly Line[]): ReadonlyMap<number, Part> {
  const parts = new Map<number, Part>();
  let at = 0;
  while (at < lines.length) {
    const removed = runOf(lines, at, 'removed');
    const added = runOf(lines, at + removed, 'added');
    const pairs = removed === added ? removed : 0;
    for (let offset = 0; offset < pairs; offset += 1) {
      const changed = differences(lines[at + offset]?.text ?? '', lines[at + removed + offset]?.text ?? '');
      if (changed === null) continue;
      parts.set(at + offset, changed.before);
      parts.set(at + removed + offset, changed.after);
    }
    at += Math.max(1, removed + added);
  }
  return parts;
}

function runOf(lines: readonly Line[], from: number, kind: Line['kind']): number {
  let length = 0;
  while (lines[from + length]?.kind === kind) length += 1;
  return length;
}

/** Null for lines that have so little in common that the whole line is the difference. */
function differences(before: string, after: string): { readonly before: Part; readonly after: Part } | null {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  if (start + end < shorter / 2) return null;
  return { before: { from: start, to: before.length - end }, after: { from: start, to: after.length - end } };
}
