import type { Finding } from './finding.ts';
import type { DiffLine, Hunk } from './diff.ts';
import { linesOf, patchHead } from './line-patch.ts';
import { parsePatch, unquote } from './parse-patch.ts';

/** What became of the patch of a finding; without a patch there is nothing to do. */
export type PatchAnswer =
  | { readonly kind: 'applied'; readonly line: number }
  | { readonly kind: 'refused'; readonly why: string }
  /** The patch can be read, and the file has other lines now. */
  | { readonly kind: 'outdated'; readonly why: string }
  /** Its lines were just changed by the patch of another finding; the next review looks at them again. */
  | { readonly kind: 'overlaps'; readonly with: string };

/** A file with the patches of its findings applied, and what became of each. */
export type Patched = { readonly text: string; readonly answers: ReadonlyMap<string, PatchAnswer> };

type Patchable = Pick<Finding, 'id' | 'file' | 'line' | 'lineEnd' | 'patch'>;

type Edit = { readonly finding: Patchable; readonly from: number; readonly to: number; readonly added: readonly DiffLine[] };

/**
 * Applies the patches of findings to their file: each one exactly, to the letter and at its line, only on lines of its finding,
 * and all of its edits or none.
 */
export function applyPatches(file: string, text: string, findings: readonly Patchable[]): Patched {
  const written = linesOf(text);
  // A checkout may end its lines in another way than the commit that was reviewed, and then all of them.
  const ending = isCrlf(written) && !findings.some(({ patch }) => patch?.includes('\r\n') === true) ? '\r' : '';
  const lines = ending === '' ? written : written.map((line) => line.replace(/\r$/, ''));
  const answers = new Map<string, PatchAnswer>();
  const edits: Edit[] = [];
  for (const finding of findings) {
    const planned = plan(file, lines, finding);
    if (!Array.isArray(planned)) answers.set(finding.id, planned);
    else {
      const other = edits.find((edit) => planned.some((one) => meet(one, edit)));
      if (other !== undefined) answers.set(finding.id, { kind: 'overlaps', with: other.finding.id });
      else {
        edits.push(...planned);
        answers.set(finding.id, { kind: 'applied', line: (planned[0]?.from ?? 0) + 1 });
      }
    }
  }
  return { text: write(text, { lines: written, ending }, edits), answers };
}

/** The edits of one finding, or why its patch is not applied. */
function plan(file: string, lines: readonly string[], finding: Patchable): Edit[] | PatchAnswer {
  if (finding.patch === null) return refused('it has no exact fix');
  const hunks = readHunks(finding.patch, file);
  if (typeof hunks === 'string') return refused(hunks);
  const edits: Edit[] = [];
  for (const hunk of hunks) {
    if (!stands(hunk, lines)) return { kind: 'outdated', why: 'its lines are not what its patch expects' };
    edits.push(...editsOf(hunk, finding));
  }
  if (edits.length === 0) return refused('its patch changes nothing');
  if (edits.some((edit, index) => index > 0 && edit.from < (edits[index - 1]?.to ?? 0))) return refused('its patch changes a line twice');
  const first = (finding.line ?? 0) - 1;
  const end = finding.lineEnd ?? finding.line ?? 0;
  return edits.every((edit) => edit.from >= first && edit.to <= end) ? edits : refused('its patch touches lines outside of the finding');
}

function refused(why: string): PatchAnswer {
  return { kind: 'refused', why };
}

/** Whether two edits want the same lines, or the same place between lines. */
function meet(one: Edit, other: Edit): boolean {
  const isBetween = one.from === one.to || other.from === other.to;
  return isBetween ? one.from <= other.to && other.from <= one.to : one.from < other.to && other.from < one.to;
}

function readHunks(patch: string, file: string): readonly Hunk[] | string {
  try {
    const files = parsePatch(withHeader(patch, file));
    const [only] = files;
    if (files.length !== 1 || only === undefined || only.path !== file || only.status !== 'modified')
      return 'its patch is not for this file alone';
    // A hunk whose lines were counted wrong would be applied by half.
    return isWhole(patch, only.hunks) ? only.hunks : 'its patch holds other lines than it counts';
  } catch {
    return 'its patch cannot be read';
  }
}

/** A patch of one file as git writes it. Agents write them as diff does: with the two names alone, or with nothing above the hunks. */
export function withHeader(patch: string, file: string): string {
  const start = /^@@ /m.exec(patch)?.index ?? -1;
  const head = start < 0 ? [] : linesOf(patch.slice(0, start));
  const names = head
    .flatMap((line) => /^(?:---|\+\+\+) ("(?:[^"\\]|\\.)*"|[^\t]*)/.exec(line)?.[1] ?? [])
    .map((name) => unquote(name.trim()));
  const isPlain = start >= 0 && !head.some((line) => line.startsWith('diff --git '));
  if (!isPlain || names.some((name) => name !== file && name.replace(/^[ab]\//, '') !== file)) return patch;
  return [...patchHead(file), patch.slice(start)].join('\n');
}

function isWhole(patch: string, hunks: readonly Hunk[]): boolean {
  const lines = linesOf(patch);
  const written =
    lines.length -
    Math.max(
      0,
      lines.findIndex((line) => line.startsWith('@@ ')),
    );
  const marks = hunks.flatMap((hunk) => hunk.lines.filter(({ noNewline }) => noNewline)).length;
  return written === hunks.reduce((sum, hunk) => sum + 1 + hunk.lines.length, marks);
}

function stands(hunk: Hunk, lines: readonly string[]): boolean {
  return hunk.lines.every(({ kind, text, oldLine }) => kind === 'added' || (oldLine !== null && lines[oldLine - 1] === text));
}

/** Each run of removed and added lines is an edit; `from` and `to` are indexes of the old lines. */
function editsOf(hunk: Hunk, finding: Patchable): Edit[] {
  const edits: { finding: Patchable; from: number; to: number; added: DiffLine[] }[] = [];
  let at = hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1;
  let current: (typeof edits)[number] | null = null;
  for (const line of hunk.lines) {
    if (line.kind === 'context') {
      current = null;
      at += 1;
      continue;
    }
    if (current === null) edits.push((current = { finding, from: at, to: at, added: [] }));
    if (line.kind === 'added') current.added.push(line);
    else {
      at += 1;
      current.to = at;
    }
  }
  return edits;
}

function isCrlf(lines: readonly string[]): boolean {
  // The last line alone says nothing: it may have no ending.
  return lines.some((line) => line.endsWith('\r')) && lines.every((line, index) => line.endsWith('\r') || index === lines.length - 1);
}

type Written = { readonly lines: readonly string[]; readonly ending: string };

function write(text: string, { lines, ending }: Written, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  const out = [...lines];
  for (const edit of edits.toSorted((a, b) => b.from - a.from))
    out.splice(edit.from, edit.to - edit.from, ...edit.added.map((line) => line.text + (line.noNewline ? '' : ending)));
  const last = edits.find(({ from, to }) => to === lines.length && from < to);
  const endsOpen = last === undefined ? !text.endsWith('\n') : last.added.at(-1)?.noNewline === true;
  return out.length === 0 ? '' : `${out.join('\n')}${endsOpen ? '' : '\n'}`;
}
