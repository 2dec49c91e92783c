import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { VolleyError } from '../core/errors.ts';
import { readPlainFile } from './file-error.ts';

/** Where git works, and thus may meet what an agent left there. */
export type Workplace = { readonly gitDir: string; readonly commonDir: string; readonly workTree: string | null };

/** A path with one character per byte, since an agent may choose names that are no UTF-8. */
type PathBytes = string;

const FIRST_LOOK_MS = 1_000;
const NEXT_LOOK_MS = 30_000;
const LONGEST_MS = 30 * 60_000;

/** A look at a git that takes its time. */
export type StuckWatch = {
  /** Throws what was found, if git was stopped because of it. */
  throwIfStuck(): void;
  end(): void;
};

/** Stops a git that will never end: one that waits for a writer of a named pipe where a file should be, or one that is far too slow. */
export function watchStuck(place: Workplace, stop: () => void): StuckWatch {
  const startedAt = performance.now();
  let problem: VolleyError | null = null;
  let timer: NodeJS.Timeout;
  let isOver = false;
  const look = async (): Promise<void> => {
    const [pipe] = await findPipes(place);
    if (isOver) return;
    if (pipe !== undefined) problem = aboutPipe(pipe);
    else if (performance.now() - startedAt > LONGEST_MS) problem = tooSlow(place);
    if (problem === null) timer = setTimeout(() => void look(), NEXT_LOOK_MS);
    else stop();
  };
  timer = setTimeout(() => void look(), FIRST_LOOK_MS);
  return {
    throwIfStuck: () => {
      if (problem !== null) throw problem;
    },
    end: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** Whether git was stopped because of a named pipe. */
export function isAboutPipe(error: unknown): boolean {
  return error instanceof VolleyError && error.code === 'git-failed' && error.message.endsWith(PIPE);
}

/** Every named pipe in a place that git would open as if it were a file; links to one, and pointers to repositories that have one. */
export async function findPipes({ gitDir, commonDir, workTree }: Workplace): Promise<PathBytes[]> {
  const found: PathBytes[] = [];
  const bytes = (path: string): PathBytes => Buffer.from(path).toString('latin1');
  const folders: Folder[] = [...new Set([gitDir, commonDir])].map((path) => ({ path: bytes(path), of: 'git' }));
  if (workTree !== null) folders.push({ path: bytes(workTree), of: 'top' });
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await listFolder(folder.path)) {
      const path = `${folder.path}/${entry.name}`;
      const of = folder.of === 'git' || entry.name.startsWith('.git') ? 'git' : 'tree';
      if (isUnread(folder, entry.name)) continue;
      if (entry.isDirectory()) folders.push({ path, of });
      else if (of === 'git' && (entry.isFIFO() || (await leadsToPipe(entry, path)))) found.push(path);
    }
  }
  return found;
}

/** Belongs to git itself, is the top of a work tree, or lies below it. */
type Folder = { readonly path: PathBytes; readonly of: 'git' | 'top' | 'tree' };

/** What our git never looks at, because it is told where its repository is: the agents' own. */
function isUnread({ of }: Folder, name: string): boolean {
  return of === 'top' ? name === '.git' : of === 'git' && name === 'agent.git';
}

const PIPE = 'which is a pipe and no file.';

function aboutPipe(path: PathBytes): VolleyError {
  return new VolleyError(
    'git-failed',
    `Git waits for ${Buffer.from(path, 'latin1').toString('utf8')}, ${PIPE}`,
    'Remove it, then try again.',
  );
}

function tooSlow({ commonDir, workTree }: Workplace): VolleyError {
  const where = workTree ?? commonDir;
  return new VolleyError('git-failed', `Git did not come to an end in ${where}.`, 'Look what is slow there: git status, git fsck.');
}

async function listFolder(path: PathBytes): Promise<Dirent[]> {
  // What went away or is closed to us is closed to git too.
  return await readdir(Buffer.from(path, 'latin1'), { withFileTypes: true, encoding: 'latin1' }).catch(() => []);
}

async function leadsToPipe(entry: Dirent, path: PathBytes): Promise<boolean> {
  if (entry.isSymbolicLink()) return await isPipe(path);
  if (entry.name !== '.git' || !entry.isFile()) return false;
  const text = (await readPlainFile(Buffer.from(path, 'latin1')).catch(() => Buffer.alloc(0))).toString('latin1');
  const named = /^gitdir: ([^\n]+)/.exec(text)?.[1];
  const opened = named === undefined ? [] : ['HEAD', 'commondir', 'packed-refs'].map((name) => join(resolve(dirname(path), named), name));
  return (await Promise.all(opened.map(isPipe))).includes(true);
}

async function isPipe(path: PathBytes): Promise<boolean> {
  return (await stat(Buffer.from(path, 'latin1')).catch(() => null))?.isFIFO() === true;
}
