/** Lines of a text and what stands in their place; `line` starts at 1, and without removed lines it is the line before which is inserted. */
export type LineEdit = { readonly line: number; readonly removed: number; readonly added: readonly string[] };

/** One edit of a file as a patch, with `context` lines around it; an edit that changes nothing is no patch. Without any it says no more than it must. */
export function linePatch(path: string, text: string, { context = 0, ...edit }: LineEdit & { readonly context?: number }): string | null {
  const endsOpen = text !== '' && !text.endsWith('\n');
  const lines = linesOf(text);
  const from = edit.line - 1;
  const to = from + edit.removed;
  const removed = lines.slice(from, to);
  if (removed.length !== edit.removed || removed.join('\n') === edit.added.join('\n')) return null;
  const before = lines.slice(Math.max(0, from - context), from);
  const after = lines.slice(to, to + context);
  const reachesEnd = to + after.length === lines.length;
  const mark = (sign: string, list: readonly string[], isLast: boolean): string[] =>
    list.flatMap((line, index) => [
      `${sign}${line}`,
      ...(endsOpen && reachesEnd && isLast && index === list.length - 1 ? ['\\ No newline at end of file'] : []),
    ]);
  const hunk = [
    ...mark(' ', before, after.length === 0 && removed.length === 0 && edit.added.length === 0),
    ...mark('-', removed, after.length === 0),
    ...mark('+', edit.added, after.length === 0),
    ...mark(' ', after, true),
  ];
  const oldCount = before.length + removed.length + after.length;
  const newCount = before.length + edit.added.length + after.length;
  const start = edit.line - before.length;
  return [
    ...patchHead(path),
    `@@ -${oldCount === 0 ? start - 1 : start},${oldCount} +${newCount === 0 ? start - 1 : start},${newCount} @@`,
    ...hunk,
    '',
  ].join('\n');
}

/** What stands above the hunks of a patch that edits one file. */
export function patchHead(path: string): readonly string[] {
  return [`diff --git ${nameOf('a', path)} ${nameOf('b', path)}`, `--- ${sideOf('a', path)}`, `+++ ${sideOf('b', path)}`];
}

/** The lines of a text; the newline at its end begins no further one. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Git quotes names with control characters, quotes and backslashes, and puts a tab behind one with a space. */
function nameOf(prefix: string, path: string): string {
  const name = `${prefix}/${path}`;
  // eslint-disable-next-line no-control-regex
  if (!/[\u0000-\u001f"\\\u007f]/.test(name)) return name;
  // eslint-disable-next-line no-control-regex
  return `"${name.replace(/["\\]/g, '\\$&').replace(/[\u0000-\u001f\u007f]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`;
}

function sideOf(prefix: string, path: string): string {
  const name = nameOf(prefix, path);
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name;
}
