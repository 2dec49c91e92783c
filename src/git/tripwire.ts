import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { VolleyError } from '../core/errors.ts';
import { fewAtOnce } from '../lib/few-at-once.ts';
import { isOutOfFiles } from '../lib/out-of-files.ts';
import { readPlainFile } from './file-error.ts';
import type { GitPlace, GitResult } from './git.ts';
import { tryGit } from './git.ts';
import { indexDigest } from './index-digest.ts';
import { STATUS, inFolder, readEntries } from './status.ts';

/** Files and folders of a repository that say how it works; `index`, `objects` and logs change when somebody only looks. */
const WATCHED = ['HEAD', 'config', 'config.worktree', 'hooks', 'info', 'shallow', 'commondir', join('objects', 'info', 'alternates')];

/**
 * One hash over all that a reviewer must not change: HEAD, refs, config, hooks, the index's entries, and every file that differs
 * from it or is new. A refreshed index or packed refs do not change it. Costs one git process.
 */
export async function readTripwire(place: GitPlace): Promise<string> {
  const [entries, status, refs, ...watched] = await Promise.all([
    digestIndex(place),
    askGit(place, STATUS),
    readRefs(place.commonDir),
    ...watchedPaths(place).map(async (path) => await digestPath(Buffer.from(path))),
  ]);
  const changed = readEntries(status.stdout);
  const contents = await fewAtOnce(changed, async ({ path }) => await digestPath(inFolder(place.workTree ?? '', path)));
  const hash = createHash('sha256');
  for (const part of [entries, status.exitCode, status.stdout, refs, ...watched, ...contents]) {
    hash.update(typeof part === 'number' ? String(part) : part).update('\0');
  }
  return hash.digest('hex');
}

/** Flags count too: a file marked as unchanged would otherwise be changed unseen. */
async function digestIndex(place: GitPlace): Promise<string | Buffer> {
  const bytes = await readPlainFile(join(place.gitDir, 'index')).catch(() => null);
  if (bytes === null) return 'absent';
  const config = (await readPlainFile(join(place.commonDir, 'config')).catch(() => '')).toString();
  return (
    indexDigest(bytes, /objectformat\s*=\s*"?sha256/i.test(config) ? 32 : 20) ??
    (await askGit(place, ['ls-files', '-z', '--stage', '-v'])).stdout
  );
}

/** A repository in which git cannot work any more is not what it was: that is an answer, not a failure. */
async function askGit(place: GitPlace, args: readonly string[]): Promise<Pick<GitResult, 'exitCode' | 'stdout'>> {
  try {
    return await tryGit(place, args);
  } catch (error) {
    if (error instanceof VolleyError) return { exitCode: -1, stdout: Buffer.from(error.message) };
    throw error;
  }
}

function watchedPaths({ gitDir, commonDir }: GitPlace): string[] {
  const folders = gitDir === commonDir ? [gitDir] : [gitDir, commonDir];
  return folders.flatMap((folder) => WATCHED.map((name) => join(folder, name)));
}

/** Refs by name, wherever they are stored. */
async function readRefs(commonDir: string): Promise<string> {
  const refs = new Map<string, string>();
  const packed = (await readPlainFile(join(commonDir, 'packed-refs')).catch(() => '')).toString();
  for (const [, id = '', name = ''] of packed.matchAll(/^([0-9a-f]+) (.+)$/gm)) refs.set(name, id);
  const loose = await readdir(join(commonDir, 'refs'), { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of loose) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isDirectory())
      refs.set(path.slice(commonDir.length + 1), (await readPlainFile(path).catch(() => 'unreadable')).toString().trim());
  }
  return [...refs]
    .map(([name, id]) => `${name} ${id}`)
    .toSorted()
    .join('\n');
}

/** A digest of a file, a link or a whole folder with names and modes; what cannot be read is said so. */
async function digestPath(path: Buffer): Promise<string> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return 'absent';
  if (found.isSymbolicLink()) return `link ${(await readlink(path, { encoding: 'buffer' })).toString('latin1')}`;
  if (found.isDirectory()) {
    const names = (await readdir(path, { encoding: 'buffer' })).toSorted((a, b) => a.compare(b));
    const parts: string[] = [];
    // One after the other: how many folders are in folders is not ours to say.
    for (const name of names) parts.push(`${name.toString('latin1')}\0${await digestPath(Buffer.concat([path, Buffer.from('/'), name]))}`);
    return createHash('sha256').update(parts.join('\0')).digest('hex');
  }
  return found.isFile() ? `${found.mode} ${await digestFile(path)}` : `mode ${found.mode}`;
}

async function digestFile(path: Buffer): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    if (isOutOfFiles(error)) throw error;
    // Whoever made a file unreadable changed it, and the mode beside this says so.
    return 'unreadable';
  }
  return hash.digest('hex');
}
