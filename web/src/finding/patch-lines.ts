import { withHeader } from '../../../src/core/exact-patch.ts';
import { parsePatch } from '../../../src/core/parse-patch.ts';
import type { DiffLine } from '../../../src/core/diff.ts';

/** A stretch of a line; `changed` where the line that it replaces differs. */
export type Word = { readonly text: string; readonly changed: boolean };

/** One row of a small diff. */
export type PatchRow =
  | { readonly kind: 'context' | 'added' | 'removed'; readonly number: number | null; readonly words: readonly Word[] }
  | { readonly kind: 'gap'; readonly text: string };

/** The rows of an exact patch, without what only git reads; null where it is no patch that can be read. */
export function patchRows(patch: string, file: string | null): readonly PatchRow[] | null {
  try {
    const files = parsePatch(file === null ? patch : withHeader(patch, file));
    if (files.length === 0) return null;
    const rows: PatchRow[] = [];
    for (const [index, one] of files.entries()) {
      if (files.length > 1 || (file !== null && one.path !== file)) rows.push({ kind: 'gap', text: one.path });
      for (const [at, hunk] of one.hunks.entries()) {
        if (at > 0 || (index > 0 && rows.at(-1)?.kind !== 'gap')) rows.push({ kind: 'gap', text: '' });
        rows.push(...hunkRows(hunk.lines));
      }
    }
    return rows;
  } catch {
    // An agent wrote it: one that cannot be read is shown as it is.
    return null;
  }
}

function hunkRows(lines: readonly DiffLine[]): readonly PatchRow[] {
  const rows: PatchRow[] = [];
  for (let at = 0; at < lines.length;) {
    const removed = run(lines, at, 'removed');
    const added = run(lines, at + removed.length, 'added');
    // Of unlike numbers of lines the last ones are taken for each other: what is left over was put before them.
    const shift = added.length - removed.length;
    rows.push(...removed.map((line, index) => row(line, added[index + shift]?.text)));
    rows.push(...added.map((line, index) => row(line, removed[index - shift]?.text)));
    at += removed.length + added.length;
    const line = lines[at];
    if (line?.kind === 'context') {
      rows.push(row(line, undefined));
      at += 1;
    }
  }
  return rows;
}

function run(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): readonly DiffLine[] {
  let end = from;
  while (lines[end]?.kind === kind) end += 1;
  return lines.slice(from, end);
}

function row({ kind, text, oldLine, newLine }: DiffLine, other: string | undefined): PatchRow {
  return { kind, number: newLine ?? oldLine, words: other === undefined ? [{ text, changed: false }] : wordsOf(text, other) };
}

/** Lines that share less are different lines, and marking nearly all of both tells nothing. */
const LEAST_SHARED = 0.35;

/** A line with the part marked in which it differs from another: what is between their common beginning and their common end. */
export function wordsOf(text: string, other: string): readonly Word[] {
  const most = Math.min(text.length, other.length);
  let start = 0;
  while (start < most && text[start] === other[start]) start += 1;
  let end = 0;
  while (end < most - start && text[text.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  start = wordStart(text, start);
  end = text.length - wordEnd(text, text.length - end);
  const indent = text.length - text.trimStart().length;
  if (start - indent + end < LEAST_SHARED * (Math.max(text.length, other.length) - indent)) return [{ text, changed: false }];
  const words = [
    { text: text.slice(0, start), changed: false },
    { text: text.slice(start, text.length - end), changed: true },
    { text: text.slice(text.length - end), changed: false },
  ];
  return words.filter((word) => word.text !== '');
}

function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && /\w/.test(text[start - 1] ?? '') && /\w/.test(text[start] ?? '')) start -= 1;
  return start;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && end > 0 && /\w/.test(text[end - 1] ?? '') && /\w/.test(text[end] ?? '')) end += 1;
  return end;
}
