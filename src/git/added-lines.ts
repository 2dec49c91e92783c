import type { GitPlace } from './git.ts';
import { gitError, tryGit } from './git.ts';
import type { PathBytes } from './status.ts';
import { fromPathBytes, toPathBytes } from './status.ts';

/** A run of added lines without a gap; `line` is the number of the first, from 1. */
export type AddedText = { readonly file: string; readonly line: number; readonly text: string };

/** `--text`, because an attribute of the tree under inspection could declare any file binary and hide it. */
const FLAGS = [
  '-r',
  '-p',
  '-U0',
  '--text',
  '--no-renames',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/** Reads the lines that a tree adds to its parent in some files. */
export async function readAddedLines(input: {
  readonly place: GitPlace;
  readonly parentTree: string;
  readonly tree: string;
  readonly paths: readonly PathBytes[];
}): Promise<AddedText[]> {
  const names = input.paths.map(fromPathBytes);
  // A name that is no UTF-8 cannot be passed on, so all files are read then.
  const isNameable = names.every((name, i) => toPathBytes(name) === input.paths[i]);
  const pathspecs = isNameable ? names.map((name) => `:(top,literal)${name}`) : [];
  const args = ['diff-tree', ...FLAGS, '--end-of-options', input.parentTree, input.tree, '--', ...pathspecs];
  const result = await tryGit(input.place, args);
  if (result.exitCode !== 0) throw gitError(args, result);
  return readPatch(result.stdout);
}

/** Reads a patch without context. The counts of the hunk headers drive it, so content cannot pose as a header. */
function readPatch(bytes: Buffer): AddedText[] {
  const lines = new Lines(bytes);
  const added: AddedText[] = [];
  let file = '';
  for (let line = lines.next(); line !== null; line = lines.next()) {
    if (line.startsWith('+++ ')) file = unquote(line.slice(4).replace(/\t$/, '')).replace(/^b\//, '');
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk === null) continue;
    lines.take(Number(hunk[1] ?? 1));
    const text = lines.take(Number(hunk[3] ?? 1)).join('\n');
    if (text !== '') added.push({ file, line: Number(hunk[2]), text });
  }
  return added;
}

/** A cursor over the lines of a patch. */
class Lines {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  next(): string | null {
    if (this.#at >= this.#bytes.length) return null;
    const found = this.#bytes.indexOf(10, this.#at);
    const end = found === -1 ? this.#bytes.length : found;
    const line = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return line;
  }

  /** The next lines of content without their sign; `\ No newline at end of file` stands between them and is not counted. */
  take(count: number): string[] {
    const taken: string[] = [];
    while (taken.length < count) {
      const line = this.next();
      if (line === null) break;
      if (!line.startsWith('\\')) taken.push(line.slice(1));
    }
    return taken;
  }
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** Undoes git's quoting of a path with unusual characters. */
function unquote(path: string): string {
  if (!path.startsWith('"') || !path.endsWith('"')) return path;
  const bytes: Buffer[] = [];
  for (const [part] of path.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/g)) {
    if (!part.startsWith('\\')) bytes.push(Buffer.from(part));
    else bytes.push(Buffer.from([ESCAPES[part.slice(1)] ?? Number.parseInt(part.slice(1), 8)]));
  }
  return Buffer.concat(bytes).toString('utf8');
}
