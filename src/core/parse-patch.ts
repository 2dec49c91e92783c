import type { DiffLine, FilePatch, FileStatus, Hunk } from './diff.ts';

/**
 * Reads the text of a patch as git writes it between two trees. The line counts of the hunk headers drive the reading, so
 * that content which looks like a diff is content; a hunk that ends early is an error, never a shorter hunk.
 */
export function parsePatch(text: string): FilePatch[] {
  const cursor: Cursor = { text, at: 0 };
  const files: FilePatch[] = [];
  while (seekSection(cursor)) {
    const header = readHeader(cursor);
    const hunks: Hunk[] = [];
    while (text.startsWith('@@ ', cursor.at)) hunks.push(readHunk(cursor));
    files.push({ ...nameFile(header), ...header.modes, status: header.status, binary: header.binary, hunks });
  }
  return files;
}

type Cursor = { readonly text: string; at: number };

type Header = {
  /** What follows `diff --git `. */
  title: string;
  from: string | null;
  to: string | null;
  minus: string | null;
  plus: string | null;
  status: FileStatus;
  modes: { oldMode: string | null; newMode: string | null };
  binary: boolean;
};

const SECTION = 'diff --git ';

function seekSection(cursor: Cursor): boolean {
  if (cursor.text.startsWith(SECTION, cursor.at)) return true;
  const found = cursor.text.indexOf(`\n${SECTION}`, Math.max(0, cursor.at - 1));
  if (found >= 0) cursor.at = found + 1;
  return found >= 0;
}

function takeLine(cursor: Cursor): string {
  const newline = cursor.text.indexOf('\n', cursor.at);
  const end = newline < 0 ? cursor.text.length : newline;
  const line = cursor.text.slice(cursor.at, end);
  cursor.at = end + 1;
  return line;
}

function readHeader(cursor: Cursor): Header {
  const header: Header = {
    title: takeLine(cursor).slice(SECTION.length),
    from: null,
    to: null,
    minus: null,
    plus: null,
    status: 'modified',
    modes: { oldMode: null, newMode: null },
    binary: false,
  };
  const { text } = cursor;
  while (cursor.at < text.length && !text.startsWith('@@ ', cursor.at) && !text.startsWith(SECTION, cursor.at)) {
    const line = takeLine(cursor);
    const field = FIELDS.find(([prefix]) => line.startsWith(prefix));
    field?.[1](header, line.slice(field[0].length));
  }
  return header;
}

const FIELDS: readonly (readonly [string, (header: Header, value: string) => void])[] = [
  ['index ', (header, value) => readIndexLine(header, value)],
  ['--- ', (header, value) => void (header.minus = value)],
  ['+++ ', (header, value) => void (header.plus = value)],
  ['new file mode ', (header, value) => startSide(header, { status: 'added', newMode: value })],
  ['deleted file mode ', (header, value) => startSide(header, { status: 'deleted', oldMode: value })],
  ['old mode ', (header, value) => void (header.modes.oldMode = value)],
  ['new mode ', (header, value) => void (header.modes.newMode = value)],
  ['rename from ', (header, value) => setFrom(header, 'renamed', value)],
  ['copy from ', (header, value) => setFrom(header, 'copied', value)],
  ['rename to ', (header, value) => void (header.to = unquote(value))],
  ['copy to ', (header, value) => void (header.to = unquote(value))],
  ['Binary files ', (header) => void (header.binary = true)],
  ['GIT binary patch', (header) => void (header.binary = true)],
];

function readIndexLine(header: Header, value: string): void {
  const space = value.indexOf(' ');
  if (space < 0) return;
  header.modes = { oldMode: value.slice(space + 1), newMode: value.slice(space + 1) };
}

function startSide(header: Header, side: { readonly status: FileStatus; readonly oldMode?: string; readonly newMode?: string }): void {
  header.status = side.status;
  header.modes = { oldMode: side.oldMode ?? null, newMode: side.newMode ?? null };
}

function setFrom(header: Header, status: FileStatus, value: string): void {
  header.status = status;
  header.from = unquote(value);
}

function nameFile(header: Header): { path: string; oldPath: string | null } {
  if (header.from !== null && header.to !== null) return { path: header.to, oldPath: header.from };
  const path = nameInTitle(header.title) ?? nameOnSide(header.plus) ?? nameOnSide(header.minus);
  if (path === null) throw new Error(`a file of the patch has no name: ${header.title}`);
  return { path, oldPath: null };
}

/** Without a rename both names in the title are equal but for their prefix, so its middle divides them. */
function nameInTitle(title: string): string | null {
  const middle = (title.length - 1) / 2;
  if (!Number.isInteger(middle) || title[middle] !== ' ') return null;
  const left = unquote(title.slice(0, middle));
  const right = unquote(title.slice(middle + 1));
  if (left === right) return left;
  const name = withoutPrefix(left);
  return name === withoutPrefix(right) ? name : null;
}

function nameOnSide(value: string | null): string | null {
  if (value === null || value === '/dev/null') return null;
  // Git puts a tab behind a name with a space in it.
  return withoutPrefix(unquote(value.endsWith('\t') ? value.slice(0, -1) : value));
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

const HUNK = /@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?/y;
const PLUS = 43;
const MINUS = 45;
const SPACE = 32;
const NEWLINE = 10;
const BACKSLASH = 92;

function readHunk(cursor: Cursor): Hunk {
  HUNK.lastIndex = cursor.at;
  const match = HUNK.exec(cursor.text);
  if (match === null) throw new Error(`not a hunk header: ${takeLine(cursor)}`);
  const [matched, oldStart = '', oldCount = '1', newStart = '', newCount = '1'] = match;
  cursor.at += matched.length;
  const heading = takeLine(cursor);
  const range = { oldStart: Number(oldStart), oldCount: Number(oldCount), newStart: Number(newStart), newCount: Number(newCount) };
  return { ...range, heading, lines: readLines(cursor, range) };
}

function readLines(cursor: Cursor, range: Pick<Hunk, 'oldStart' | 'oldCount' | 'newStart' | 'newCount'>): DiffLine[] {
  const { text } = cursor;
  const lines: DiffLine[] = [];
  let oldLine = range.oldStart;
  let newLine = range.newStart;
  const oldEnd = oldLine + range.oldCount;
  const newEnd = newLine + range.newCount;
  let at = cursor.at;
  while (oldLine < oldEnd || newLine < newEnd) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const mark = text.charCodeAt(at);
    // Content never starts a line with a backslash here: it has its own mark before it.
    const noNewline = text.charCodeAt(end + 1) === BACKSLASH;
    const content = text.slice(at + 1, end);
    if (mark === PLUS) lines.push({ kind: 'added', text: content, oldLine: null, newLine: newLine++, noNewline });
    else if (mark === MINUS) lines.push({ kind: 'removed', text: content, oldLine: oldLine++, newLine: null, noNewline });
    else if (mark === SPACE || mark === NEWLINE)
      lines.push({ kind: 'context', text: content, oldLine: oldLine++, newLine: newLine++, noNewline });
    else throw new Error(`a hunk of the patch ends early, at line ${newLine}`);
    at = end + 1;
    if (noNewline) at = afterLine(text, at);
  }
  cursor.at = at;
  return lines;
}

function afterLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline < 0 ? text.length : newline + 1;
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', '"': '"', '\\': '\\' };

/** The name that git quotes: C escapes, and bytes in octal, which together are UTF-8. What is not quoted is the name. */
export function unquote(value: string): string {
  if (!value.startsWith('"') || !value.endsWith('"') || value.length < 2) return value;
  return value.slice(1, -1).replace(/((?:\\[0-3][0-7]{2})+)|\\(.)/g, (_, octets: string | undefined, escape: string) => {
    return octets === undefined ? (ESCAPES[escape] ?? escape) : decodeOctets(octets);
  });
}

function decodeOctets(octets: string): string {
  const bytes = octets
    .split('\\')
    .slice(1)
    .map((octet) => Number.parseInt(octet, 8));
  try {
    return decodeURIComponent(bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
  } catch {
    // Not UTF-8: one replacement character each, as everywhere else where bytes become text.
    return bytes.map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : '\uFFFD')).join('');
  }
}
