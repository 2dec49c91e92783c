import type { DiffLine, FilePatch } from '../../core/diff.ts';
import { parsePatch } from '../../core/parse-patch.ts';
import type { Edits } from './frame-rows.ts';

/** The patch of a finding, ready to be shown. */
export type ExactFix = {
  readonly path: string;
  readonly edits: Edits;
  /** The lines that the patch knows of the file as it is, by number. */
  readonly lines: ReadonlyMap<number, string>;
};

/** Reads the patch of a finding; one that changes no lines of exactly one file cannot be shown as lines. */
export function readFix(patch: string): ExactFix | null {
  const file = readFile(patch);
  if (file === null) return null;
  const removed = new Set<number>();
  const added = new Map<number, string[]>();
  const lines = new Map<number, string>();
  for (const hunk of file.hunks) {
    let behind = hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1;
    for (const line of hunk.lines) {
      if (line.oldLine === null) {
        const before = added.get(behind);
        if (before === undefined) added.set(behind, [textOf(line)]);
        else before.push(textOf(line));
      } else {
        behind = line.oldLine;
        lines.set(behind, textOf(line));
        if (line.kind === 'removed') removed.add(behind);
      }
    }
  }
  return removed.size + added.size === 0 ? null : { path: file.path, edits: { removed, added }, lines };
}

/** Whether a fix was made for a file with these lines. */
export function fits(fix: ExactFix, lines: readonly string[]): boolean {
  return [...fix.lines].every(([number, text]) => lines[number - 1] === text);
}

function readFile(patch: string): FilePatch | null {
  try {
    const files = parsePatch(patch);
    return files.length === 1 ? (files[0] ?? null) : null;
  } catch {
    // It came from an agent. Where it does not apply, its suggestion in words still does.
    return null;
  }
}

function textOf(line: DiffLine): string {
  return line.text.endsWith('\r') ? line.text.slice(0, -1) : line.text;
}
