/** Which lines of both sides a hunk of a patch covers, up to but not including the ends; and where in the text it stands. */
export type HunkSpan = {
  readonly at: number;
  readonly oldFrom: number;
  readonly oldEnd: number;
  readonly newFrom: number;
  readonly newEnd: number;
};

const HEADER = /@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/y;

/** The hunks in the text of one file's patch. Every line of a hunk begins with a mark, so that no content looks like a header. */
export function hunkSpans(text: string): HunkSpan[] {
  const spans: HunkSpan[] = [];
  for (let at = nextHeader(text, 0); at >= 0; at = nextHeader(text, at + 1)) {
    HEADER.lastIndex = at;
    const [, oldStart, oldCount = '1', newStart, newCount = '1'] = HEADER.exec(text) ?? [];
    if (oldStart === undefined || newStart === undefined) continue;
    // A side without lines is named by the line before it.
    const oldFrom = Number(oldStart) + (oldCount === '0' ? 1 : 0);
    const newFrom = Number(newStart) + (newCount === '0' ? 1 : 0);
    spans.push({ at, oldFrom, oldEnd: oldFrom + Number(oldCount), newFrom, newEnd: newFrom + Number(newCount) });
  }
  return spans;
}

function nextHeader(text: string, from: number): number {
  if (from === 0 && text.startsWith('@@ ')) return 0;
  const found = text.indexOf('\n@@ ', Math.max(0, from - 1));
  return found < 0 ? -1 : found + 1;
}

/** A stretch of lines of the new side. */
export type Stretch = { readonly from: number; readonly end: number };

/** So many lines are shown around a line that is not near any change. */
const AROUND = 3;

/** What has to be fetched so that some lines can be shown that no hunk covers; with what is around them, and never twice. */
export function uncovered(spans: readonly HunkSpan[], lines: Iterable<number>): Stretch[] {
  const stretches: Stretch[] = [];
  for (const line of [...new Set(lines)].toSorted((a, b) => a - b)) {
    const next = spans.findIndex(({ newEnd }) => newEnd > line);
    if (next >= 0 && (spans[next]?.newFrom ?? 0) <= line) continue;
    const before = next < 0 ? spans.at(-1) : spans[next - 1];
    const from = Math.max(line - AROUND, before?.newEnd ?? 1);
    const end = Math.min(line + AROUND + 1, next < 0 ? Infinity : (spans[next]?.newFrom ?? Infinity));
    const last = stretches.at(-1);
    if (last !== undefined && from <= last.end) stretches[stretches.length - 1] = { from: last.from, end: Math.max(end, last.end) };
    else stretches.push({ from, end });
  }
  return stretches;
}

/** Lines of the new side as they are fetched; `open` where the last one is the end of a file without a newline. */
export type Context = { readonly from: number; readonly lines: readonly string[]; readonly open: boolean };

/** A patch with some unchanged lines in it as hunks of their own, in their order. */
export function withContext(text: string, contexts: readonly Context[]): string {
  const spans = hunkSpans(text);
  const inserts = contexts
    .filter(({ lines }) => lines.length > 0)
    .map((context) => {
      const next = spans.findIndex(({ newFrom }) => newFrom > context.from);
      const before = next < 0 ? spans.at(-1) : spans[next - 1];
      return { at: spans[next]?.at ?? text.length, hunk: hunkText(context, before) };
    });
  let result = '';
  let taken = 0;
  for (const { at, hunk } of inserts) {
    result += text.slice(taken, at);
    if (result !== '' && !result.endsWith('\n')) result += '\n';
    result += hunk;
    taken = at;
  }
  return result + text.slice(taken);
}

function hunkText({ from, lines, open }: Context, before: HunkSpan | undefined): string {
  const oldFrom = from - (before === undefined ? 0 : before.newEnd - before.oldEnd);
  const body = lines.map((line) => ` ${line}\n`).join('');
  return `@@ -${oldFrom},${lines.length} +${from},${lines.length} @@\n${body}${open ? '\\ No newline at end of file\n' : ''}`;
}
