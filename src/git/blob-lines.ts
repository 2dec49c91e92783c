import { git, streamGit } from './git.ts';
import type { GitPlace } from './git.ts';
import { withoutFiles } from './patch-flags.ts';

/** A file of a commit. */
export type TreeFile = { readonly mode: string; readonly blob: string };

/** Finds a file of a commit by its path; folders, submodules and what no tree has are not found. No link is followed. */
export async function findFile(place: GitPlace, commit: string, path: string): Promise<TreeFile | null> {
  if (!isTreePath(path)) return null;
  const args = ['ls-tree', '-z', '--full-tree', '--end-of-options', commit, '--', path];
  const listed = await git(withoutFiles(place), args, { env: { GIT_LITERAL_PATHSPECS: '1' } });
  for (const entry of listed.split('\0')) {
    const [, mode = '', blob = '', found] = /^(\d+) blob ([0-9a-f]+)\t([^]*)$/.exec(entry) ?? [];
    if (found === path) return { mode, blob };
  }
  return null;
}

/** Whether a path could be one of a tree: relative, without detours, and none of git's own. */
export function isTreePath(path: string): boolean {
  const parts = path.split('/');
  return !path.includes('\0') && !parts.some((part) => part === '' || part === '.' || part === '..' || part.toLowerCase() === '.git');
}

/** Which lines of a blob are wanted, from 1, the last one included. */
export type LinesWanted = {
  readonly place: GitPlace;
  readonly blob: string;
  readonly start: number;
  readonly end: number;
  readonly mostBytes: number;
  readonly signal?: AbortSignal;
};

/** Lines of a blob as they are, a carriage return at their end included. */
export type LinesRead = {
  readonly lines: readonly string[];
  readonly totalLines: number;
  readonly endsWithNewline: boolean;
  readonly binary: boolean;
  /** They are more than `mostBytes`, so the last ones are left out. */
  readonly truncated: boolean;
};

const NEWLINE = 10;
/** As far as git itself looks. */
const BINARY_BYTES = 8000;
const BINARY: LinesRead = { lines: [], totalLines: 0, endsWithNewline: false, binary: true, truncated: false };

/** Reads lines of a blob, in memory that does not grow with it. */
export async function readBlobLines({ place, blob, start, end, mostBytes, signal }: LinesWanted): Promise<LinesRead> {
  if (!/^[0-9a-f]{40,64}$/.test(blob)) throw new Error(`not an object id: ${blob}`);
  const options = signal === undefined ? {} : { signal };
  const kept: Buffer[] = [];
  let seen = 0;
  let line = 1;
  let keptBytes = 0;
  let last = NEWLINE;
  let truncated = false;
  for await (const chunk of streamGit(withoutFiles(place), ['cat-file', 'blob', blob], options)) {
    if (seen < BINARY_BYTES && chunk.subarray(0, BINARY_BYTES - seen).includes(0)) return BINARY;
    seen += chunk.length;
    last = chunk.at(-1) ?? last;
    for (let at = 0; at < chunk.length;) {
      const found = chunk.indexOf(NEWLINE, at);
      const next = found < 0 ? chunk.length : found + 1;
      if (line >= start && line <= end && !truncated) {
        truncated = keptBytes + next - at > mostBytes;
        keptBytes += next - at;
        if (!truncated) kept.push(chunk.subarray(at, next));
      }
      if (found >= 0) line += 1;
      at = next;
    }
  }
  const endsWithNewline = seen > 0 && last === NEWLINE;
  return { lines: wholeLines(kept, truncated), totalLines: line - (last === NEWLINE ? 1 : 0), endsWithNewline, binary: false, truncated };
}

/** Of a line that did not fit, its beginning goes too. */
function wholeLines(kept: readonly Buffer[], truncated: boolean): readonly string[] {
  const lines = Buffer.concat(kept).toString('utf8').split('\n');
  return truncated || lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
