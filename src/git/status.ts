import type { GitPlace } from './git.ts';
import { gitError, tryGit } from './git.ts';

/** A path with one character per byte, as git gave it: names need not be UTF-8. */
export type PathBytes = string;

/** A file that differs from HEAD or from the index, or a new one; a nested repository ends with a slash. */
export type StatusEntry = {
  readonly path: PathBytes;
  readonly isNew: boolean;
  /** The index differs from HEAD here, so the file itself may still equal HEAD's. */
  readonly mayEqualHead: boolean;
};

/** Submodules are compared by their commit alone: a look into them would be git working under their own config. */
export const STATUS = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty'];

/** What differs from HEAD in a work tree, ignored files aside, seen through an index of ours, which is refreshed. */
export async function readStatus(place: GitPlace, indexFile: string): Promise<StatusEntry[]> {
  const result = await tryGit(place, STATUS, { indexFile, env: { GIT_OPTIONAL_LOCKS: '1' } });
  if (result.exitCode !== 0) throw gitError(STATUS, result);
  return readEntries(result.stdout);
}

/** `1 XY sub mH mI mW hH hI path` for a tracked file, `u XY sub m1 m2 m3 mW h1 h2 h3 path` for an unmerged, `? path` for a new one. */
export function readEntries(output: Buffer): StatusEntry[] {
  return output
    .toString('latin1')
    .split('\0')
    .flatMap((entry) => {
      if (entry.startsWith('? ')) return [{ path: entry.slice(2), isNew: true, mayEqualHead: false }];
      const tracked = /^(?:1 (.). \S+ (\d+) \d+ \d+ \S+ \S+|u(?: \S+){9}) ([^]*)$/.exec(entry);
      if (tracked === null) return [];
      return [{ path: tracked[3] ?? '', isNew: tracked[2] === '000000', mayEqualHead: tracked[1] !== '.' }];
    });
}

/** A path as people write it, in the form that git gave. */
export function toPathBytes(path: string): PathBytes {
  return Buffer.from(path, 'utf8').toString('latin1');
}

/** A path of git's in the form that people read; bytes that are no UTF-8 are replaced. */
export function fromPathBytes(path: PathBytes): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

/** The absolute path of a file, for the file system. */
export function inFolder(folder: string, path: PathBytes): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}

/** Whether a path is one of the others or lies below one. */
export function isBelow(path: string, others: readonly string[]): boolean {
  return others.some((other) => path === other || path.startsWith(`${other}/`));
}
