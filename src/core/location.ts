/** What an agent's words for a place may mean. */
export type Location = {
  /** Paths to look for, the most literal first. */
  readonly candidates: readonly string[];
  /** The likeliest path, or null if the words are no path at all. */
  readonly path: string | null;
  readonly line: number | null;
  readonly lineEnd: number | null;
};

/** Reads `path`, `path:12`, "`path` (lines 3-5)", `C:\path`, a link, a diff's `b/path` and the like. */
export function readLocation(written: string): Location {
  if (written.length > LONGEST) return { candidates: [], path: null, line: null, lineEnd: null };
  const { text, line, lineEnd } = takeLines(unwrap(written));
  const whole = plainPath(text);
  // Words of a sentence are not looked up unless they look like paths.
  const words = text
    .split(/[\s,;]+/)
    .map((word) => plainPath(takeLines(unwrap(word)).text))
    .filter(looksLikePath);
  const paths = [whole, ...words].filter((path) => path !== '');
  const candidates = [...new Set([written, text, ...paths, ...paths.flatMap(withoutDiffPrefix)])];
  return { candidates, path: paths.find(looksLikePath) ?? null, line, lineEnd };
}

const LONGEST = 1000;

const WRAPPINGS: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['**', '**'],
  ['<', '>'],
  ['(', ')'],
];

function unwrap(text: string): string {
  const link = /^\[[^\]]*\]\(([^()\s]+)\)$/.exec(text);
  if (link?.[1] !== undefined) return link[1];
  for (const [open, close] of WRAPPINGS) {
    const isWrapped = text.length > open.length + close.length && text.startsWith(open) && text.endsWith(close);
    if (isWrapped) return unwrap(text.slice(open.length, -close.length).trim());
  }
  return text;
}

/** How lines are written behind a path; the first two groups are the first line and the last one. */
const LINES: readonly RegExp[] = [
  /#L(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?$/,
  /:L?(\d+)(?:[-–]L?(\d+))?(?::\d+)?$/,
  /\((\d+)(?:,\d+)?\)$/,
  /[ ,]\(?(?:lines?|L|at line) ?(\d+)(?: ?(?:-|–|to|and) ?(\d+))?\)?$/i,
];

function takeLines(text: string): { readonly text: string; readonly line: number | null; readonly lineEnd: number | null } {
  for (const pattern of LINES) {
    const match = pattern.exec(text);
    const line = positive(match?.[1]);
    if (match === null || line === null) continue;
    const before = text.slice(0, match.index).replace(/[ ,:(]+$/, '');
    return { text: unwrap(before), line, lineEnd: positive(match[2]) };
  }
  return { text, line: null, lineEnd: null };
}

function positive(digits: string | undefined): number | null {
  const value = Number(digits);
  return Number.isSafeInteger(value) && value > 0 ? value : null;
}

function plainPath(text: string): string {
  const path = text.replace(/^file:\/\//, '').replaceAll('\\', '/');
  return path
    .replace(/^(?:\.\/+)+/, '')
    .replace(/[?#].*$/, '')
    .replace(/[.,;:]+$/, '');
}

function withoutDiffPrefix(path: string): readonly string[] {
  return /^[ab]\//.test(path) ? [path.slice(2)] : [];
}

function looksLikePath(text: string): boolean {
  return (
    /^[^\s]+$/.test(text) &&
    !/^n\/?a$/i.test(text) &&
    (/[^/]\/[^/]/.test(text) || /[^.]\.[A-Za-z0-9]+$/.test(text) || /^[./][^./]/.test(text))
  );
}
