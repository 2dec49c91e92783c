import type { DiffLine, Hunk } from '../diff.ts';
import { parsePatch } from '../parse-patch.ts';
import { findSecrets } from '../secrets.ts';

/** An edit as SARIF writes it. */
export type WrittenReplacement = {
  readonly deletedRegion: {
    readonly startLine: number;
    readonly startColumn: number;
    readonly endLine: number;
    readonly endColumn: number;
  };
  readonly insertedContent?: { readonly text: string };
};

/**
 * The edits of whole lines that a patch makes to the text of its file; none unless all of it is for that file, meets exactly the
 * lines that it expects and brings no secret.
 */
export function replacementsOf(patch: string, file: string, text: string): readonly WrittenReplacement[] {
  const lines = text.split('\n');
  const edits = hunksFor(patch, file).map((hunk) => (meets(hunk, lines) ? runsOf(hunk) : null));
  const runs = edits.includes(null) ? [] : edits.flatMap((some) => some ?? []);
  const inserted = runs.flatMap((run) => run.added.map((line) => line.text)).join('\n');
  // A byte order mark is part of no column, so nobody can say what the first one of line 1 replaces.
  const isBehindMark = text.startsWith('\uFEFF') && runs.some((run) => run.from === 1);
  return isBehindMark || findSecrets(inserted).length > 0 ? [] : runs.map((run) => replacement(run, lines));
}

/** Lines next to each other that a patch takes away and puts in; `to` is the line behind the last that goes. */
type Run = { readonly from: number; readonly to: number; readonly added: readonly DiffLine[] };

function hunksFor(patch: string, file: string): readonly Hunk[] {
  try {
    const [only, ...others] = parsePatch(patch);
    return only?.path === file && only.status === 'modified' && others.length === 0 ? only.hunks : [];
  } catch {
    // Agents write patches with wrong counts; such a patch says nothing exact.
    return [];
  }
}

function meets(hunk: Hunk, lines: readonly string[]): boolean {
  return hunk.lines.every(({ kind, text, oldLine, noNewline }) => {
    if (kind === 'added' || oldLine === null) return true;
    return lines[oldLine - 1] === text && noNewline === (oldLine === lines.length);
  });
}

function runsOf(hunk: Hunk): readonly Run[] {
  const runs: { from: number; to: number; added: DiffLine[] }[] = [];
  let line = hunk.oldCount === 0 ? hunk.oldStart + 1 : hunk.oldStart;
  let open = false;
  for (const one of hunk.lines) {
    if (one.kind !== 'context' && !open) runs.push({ from: line, to: line, added: [] });
    open = one.kind !== 'context';
    if (one.kind !== 'added') line += 1;
    const run = runs.at(-1);
    if (!open || run === undefined) continue;
    run.to = line;
    if (one.kind === 'added') run.added.push(one);
  }
  return runs;
}

function replacement({ from, to, added }: Run, lines: readonly string[]): WrittenReplacement {
  const text = added.map((line) => `${line.text}${line.noNewline ? '' : '\n'}`).join('');
  const last = lines[to - 2] ?? '';
  const isClosed = to <= lines.length;
  const ending = last.endsWith('\r') ? '\r\n' : '\n';
  // Where the last line keeps its ending, it is left out on both sides; the last line of an open file has none to keep.
  const keepsEnding = to > from && isClosed && text.endsWith(ending);
  const endsInside = keepsEnding || (to > from && !isClosed);
  return {
    deletedRegion: {
      startLine: from,
      startColumn: 1,
      endLine: endsInside ? to - 1 : to,
      endColumn: endsInside ? last.length + (ending === '\r\n' && keepsEnding ? 0 : 1) : 1,
    },
    ...(text === '' ? {} : { insertedContent: { text: keepsEnding ? text.slice(0, -ending.length) : text } }),
  };
}
