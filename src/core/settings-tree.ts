/** Settings as they are written: keys in order, also those that stand there twice. */
export type Tree = { readonly line: number; readonly text: string | null; readonly isList: boolean; readonly branches: Branch[] };
type Branch = { readonly key: string; readonly tree: Tree };
export type ReadTree = { readonly root: Tree; readonly isWhole: boolean };
type Selected = { readonly keys: readonly string[]; readonly tree: Tree };

export function select(root: Tree, at: string): readonly Selected[] {
  return at
    .split('/')
    .reduce<readonly Selected[]>(
      (found, key) =>
        found.flatMap(({ keys, tree }) =>
          tree.branches.filter((one) => key === '*' || isKey(one, key)).map((one) => ({ keys: [...keys, one.key], tree: one.tree })),
        ),
      [{ keys: [], tree: root }],
    );
}

export function isKey(branch: Branch, key: string): boolean {
  return branch.key.length === key.length && branch.key.toLowerCase() === key.toLowerCase();
}

/** A comment ends at either line break, as editors have it. */
const JSON_TOKEN = /\s+|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n\r]|\\[^\n\r])*"?|[{}[\],:]|[^\s"{}[\],:/]+|\//g;
const TOML_TOKEN =
  /\n|[^\S\n]+|#[^\n]*|"""(?:\\[\s\S]|[^\\])*?(?:"{3,5}|$)|'''[\s\S]*?(?:'{3,5}|$)|"(?:[^"\\\n]|\\[^\n])*"?|'[^'\n]*'?|[{}[\],=]|[^\s"'{}[\],=#]+/g;

type Token = { readonly text: string; readonly line: number };
/** A list or table that is being read, and the names of the key that waits for its value. */
type Open = { readonly tree: Tree; key: readonly string[] | null };

export function readJson(text: string): ReadTree {
  const top = grown(1, { isList: true });
  const open: Open[] = [{ tree: top, key: null }];
  let isWhole = true;
  for (const token of tokensOf(text, JSON_TOKEN)) {
    if (!/^(?:\s|\/[/*])/.test(token.text)) isWhole = take(open, token) && isWhole;
  }
  const documents = top.branches.flatMap((one) => one.tree.branches);
  return { root: { ...top, isList: false, branches: documents }, isWhole: isWhole && open.length === 1 && top.branches.length === 1 };
}

/** Each table and each dotted key grows a branch of its own: which of them are the same does not matter here. */
export function readToml(text: string): ReadTree {
  const root = grown(1, {});
  let [table, open, names, isHeader]: [Tree, Open[], string[], boolean] = [root, [], [], false];
  let isWhole = true;
  for (const token of tokensOf(text, TOML_TOKEN)) {
    const isBreak = token.text === '\n';
    if (/^(?:[^\S\n]|#)/.test(token.text) || (isBreak && open.length > 1)) continue;
    if (open.length > 0 && !isBreak) {
      isWhole = take(open, token) && isWhole;
      if (open.length === 1) [open, names] = [[], []];
    } else if (isBreak) {
      if (isHeader) table = grow(root, names, token.line);
      [open, names, isHeader] = [[], [], false];
    } else if (token.text === '[') isHeader = true;
    else if (token.text === '=') open = [{ tree: table, key: names }];
    else if (token.text !== ']') for (const name of namesIn(token.text)) names.push(name);
  }
  return { root, isWhole: isWhole && open.length === 0 };
}

/** Takes one more token into what is open; false if it does not belong there. */
function take(open: Open[], { text, line }: Token): boolean {
  const last = open.at(-1);
  if (last === undefined) return false;
  if (text === '{' || text === '[') {
    const tree = grown(line, { isList: text === '[' });
    put(last, tree);
    last.key = null;
    open.push({ tree, key: null });
    return true;
  }
  if (text === '}' || text === ']') {
    const closes = open.length > 1 && last.tree.isList === (text === ']');
    if (closes) open.pop();
    return closes && last.key === null;
  }
  if (text === ',') {
    const isDue = last.key === null;
    last.key = null;
    return isDue;
  }
  if (text === ':' || text === '=') return last.key !== null;
  if (last.tree.isList || last.key !== null) {
    put(last, grown(line, { text: plainText(text) }));
    last.key = null;
  } else last.key = namesIn(text);
  return !/^["']/.test(text) || (text.length > 1 && text.endsWith(text.charAt(0)));
}

function put({ tree, key }: Open, value: Tree): void {
  const names = key ?? [String(tree.branches.length)];
  grow(tree, names.slice(0, -1), value.line).branches.push({ key: names.at(-1) ?? '', tree: value });
}

/** The names in a part of a key: dots part them where there are no quotes. */
function namesIn(token: string): readonly string[] {
  return /^["']/.test(token) ? [plainText(token)] : token.split('.').filter((name) => name !== '');
}

function grow(from: Tree, names: readonly string[], line: number): Tree {
  return names.reduce((tree, key) => {
    const branch = grown(line, {});
    tree.branches.push({ key, tree: branch });
    return branch;
  }, from);
}

function grown(line: number, { text = null, isList = false }: { readonly text?: string | null; readonly isList?: boolean }): Tree {
  return { line, text, isList, branches: [] };
}

function* tokensOf(text: string, pattern: RegExp): Generator<Token> {
  let line = 1;
  for (const [token] of text.matchAll(pattern)) {
    yield { text: token, line };
    if (token.includes('\n')) line += token.split('\n').length - 1;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', e: '\u001b' };

/** What a string stands for; words without quotes stand for themselves. */
function plainText(token: string): string {
  const quotes = /^(?:"""|'''|"|')/.exec(token)?.[0];
  if (quotes === undefined) return token;
  const inner = token.slice(quotes.length, token.length > quotes.length && token.endsWith(quotes) ? -quotes.length : undefined);
  if (quotes.startsWith("'")) return inner;
  return inner.replace(/\\(?:U[\dA-Fa-f]{8}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[\s\S])/g, decoded);
}

function decoded(escape: string): string {
  const code = escape.length > 2 ? Number.parseInt(escape.slice(2), 16) : null;
  if (code === null) return ESCAPES[escape.charAt(1)] ?? escape.slice(1);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
