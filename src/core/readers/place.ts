/** A place as an agent wrote it: the file in its words, lines from 1, and how many more files it named. */
export type WrittenPlace = {
  readonly file: string | null;
  readonly line: number | null;
  readonly lineEnd: number | null;
  readonly more: number;
};

const NOWHERE: WrittenPlace = { file: null, line: null, lineEnd: null, more: 0 };
const JSON_QUOTED = /^"(?:[^"\\]|\\.){1,4000}"/;
const LINES_AFTER =
  /^(?::L?|#L?|\s*[(,@–—-]*\s*(?:at |on )?(?:lines?|ln|l\.|zeilen?|lignes?)\s*:?\s*#?~?)(\d{1,9})(?:\s*(?:-|–|—|\.\.|to|bis|:)\s*L?(\d{1,9}))?/i;
const LINK = /\[([^\]]{1,1000})\]\(([^)\s]{1,1000})\)/g;
const TOKEN = /[^\s`,;<>|"'*]{2,500}/gu;
/** Without a folder only well-known endings make a path: prose is full of `e.g.` and `object.method`. */
const ENDINGS =
  /\.(?:tsx?|[cm]?[jt]s|jsx|py|rb|go|rs|java|kts?|[ch]|cc|cpp|hpp|cs|php|swift|scala|sh|bash|zsh|sql|md|mdx|txt|json|jsonc|ya?ml|toml|ini|cfg|conf|html?|s?css|less|vue|svelte|lua|pl|exs?|erl|hs|clj|r|jl|dart|tf|proto|graphql|lock|xml|gradle|properties|env|ipynb)$/i;
const PRODUCTS = /^(?:node|next|vue|nuxt|express|react|three|d3|deno)\.js$/i;

/** Reads where an agent says that something lies: `path:10-20`, `path (line 10)`, links, absolute and quoted paths. */
export function readPlace(text: string): WrittenPlace {
  const trimmed = text.trim();
  if (trimmed === '' || /^(?:n\/a|none|-|—|unknown|multiple|various|general|several)\b/i.test(trimmed)) return NOWHERE;
  return quotedPlace(trimmed) ?? wholePlace(trimmed) ?? searchPlace(trimmed) ?? barePlace(trimmed) ?? NOWHERE;
}

/** Reads a place out of prose, where only what is clearly a path counts. */
export function findPlace(prose: string): WrittenPlace {
  return searchPlace(prose) ?? NOWHERE;
}

function quotedPlace(text: string): WrittenPlace | null {
  const quoted = JSON_QUOTED.exec(text)?.[0];
  if (quoted === undefined) return null;
  try {
    const file: unknown = JSON.parse(quoted);
    return typeof file === 'string' ? { file, ...linesAfter(text.slice(quoted.length)), more: 0 } : null;
  } catch {
    // A quote that is no JSON string is read like any other text.
    return null;
  }
}

/** The whole text is one path with its lines, so that the path may hold spaces. */
function wholePlace(text: string): WrittenPlace | null {
  const match = /^`?([^`:,;]+(?::[\\/][^`:,;]*)?)`?:L?(\d{1,9})(?:-L?(\d{1,9})|:\d{1,9})?`?$/.exec(text);
  const file = match?.[1]?.trim();
  if (file === undefined || file === '' || / (?:and|und|et|line|lines) /i.test(file)) return null;
  return { file, ...range(match?.[2], match?.[3]), more: 0 };
}

/** One word in the place of a path is a path, whatever it looks like (`Makefile`, line 3). */
function barePlace(text: string): WrittenPlace | null {
  const [, file, rest] = /^`?([^\s`,;()]{1,300})`?(.{0,80})/.exec(text) ?? [];
  const lines = linesAfter(rest ?? '');
  return file === undefined || (lines.line === null && (rest ?? '').trim() !== '') ? null : { file, ...lines, more: 0 };
}

/** The first path among the words; its lines are its own, or those named right behind it. */
function searchPlace(text: string): WrittenPlace | null {
  const plain = text.replace(LINK, (_, label: string, target: string) => ` ${linkPlace(label, target)} `);
  const found = [...plain.matchAll(TOKEN)].flatMap((match) => {
    const written = unwrapped(match[0]);
    const [, name, line, end] = /^(.+?)(?::L?|#L)(\d{1,9})(?:[-:–]L?(\d{1,9}))?$/.exec(written) ?? [];
    const file = name ?? written;
    if (!looksLikePath(file)) return [];
    const lines =
      line === undefined ? linesAfter(plain.slice(match.index + match[0].length, match.index + match[0].length + 80)) : range(line, end);
    return [{ file, ...lines }];
  });
  const [first] = found;
  return first === undefined ? null : { ...first, more: new Set(found.map((place) => place.file)).size - 1 };
}

/** A word without the brackets and stops that belong to its sentence. */
function unwrapped(word: string): string {
  const inner = /^[([{]([^()[\]{}]*)[)\]}][.:]?$/.exec(word)?.[1];
  return inner ?? word.replace(/[.:]+$/, '').replace(/^[([{](?=[^)\]}]*$)|(?<=^[^([{]*)[)\]}]$/g, '');
}

/** A link's label is the nicer path, its target often has the line. */
function linkPlace(label: string, target: string): string {
  const lines = /(?::L?|#L)(\d{1,9}(?:-L?\d{1,9})?)$/.exec(target)?.[1];
  if (!looksLikePath(label)) return target;
  return lines === undefined || /:\d/.test(label) ? label : `${label.replace(/`/g, '')}:${lines}`;
}

function looksLikePath(text: string): boolean {
  if (text.length > 500 || /^[a-z]+:\/\//i.test(text) || /[(=]/.test(text.replace(/\([a-z-]+\)/g, ''))) return false;
  if (ENDINGS.test(text)) return !PRODUCTS.test(text) && !/^\.[a-z]+$/i.test(text);
  return /[\\/]/.test(text) && /[\\/][^\\/]*\.[A-Za-z0-9]+$|[^\\/]{2,}[\\/][^\\/]{2,}[\\/]/.test(text);
}

function linesAfter(rest: string): { readonly line: number | null; readonly lineEnd: number | null } {
  const match = LINES_AFTER.exec(rest.replace(/^[`*\s]+(?=[:#(,@–—-]|lines?|ln|l\.|zeile|ligne)/i, ' '));
  return match === null ? { line: null, lineEnd: null } : range(match[1], match[2]);
}

function range(from: string | undefined, to: string | undefined): { readonly line: number | null; readonly lineEnd: number | null } {
  const line = Number(from ?? 0);
  const end = Number(to ?? 0);
  return { line: line >= 1 ? line : null, lineEnd: line >= 1 && end > line ? end : null };
}
