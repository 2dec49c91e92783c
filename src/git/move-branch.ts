import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { VolleyError } from '../core/errors.ts';
import { copyObjects } from './copy-objects.ts';
import type { GitPlace } from './git.ts';
import { git, gitError, tryGit } from './git.ts';
import { findHolder } from './holders.ts';

/** A branch of the user that is to be moved from one commit to another. */
export type BranchMove = {
  readonly user: GitPlace;
  readonly mirror: GitPlace;
  readonly branch: string;
  readonly from: string;
  readonly to: string;
};

/** Moves a branch; where it is checked out, its files and index go along if nothing of the user's stands in the way. */
export async function moveBranch(
  move: BranchMove,
): Promise<{ readonly kind: 'moved' } | { readonly kind: 'dirty'; readonly files: readonly string[] }> {
  const { user, branch, from, to } = move;
  await copyObjects({ from: move.mirror, to: user, commit: to, except: [from] });
  const holder = await findHolder(user, branch);
  if (holder === null) {
    await updateRef(move);
    return { kind: 'moved' };
  }
  const dirty = await findDirty(user, branch);
  if (dirty !== null) return { kind: 'dirty', files: dirty };
  const inTheWay = await filesInTheWay(holder, move);
  if (inTheWay.length > 0) return { kind: 'dirty', files: inTheWay };
  // Files that were only touched look changed to a merge until the index has seen them again.
  await tryGit(holder, ['update-index', '-q', '--refresh']);
  const args = ['read-tree', '-m', '-u', '--end-of-options', from, to];
  const updated = await tryGit(holder, args);
  if (updated.exitCode !== 0) return { kind: 'dirty', files: namedFile(gitError(args, updated)) };
  try {
    await updateRef(move);
  } catch (error) {
    await git(holder, ['read-tree', '-m', '-u', '--end-of-options', to, from]);
    throw error;
  }
  return { kind: 'moved' };
}

/** The changed tracked files where a branch is checked out, or null if it is checked out nowhere or clean there. */
export async function findDirty(user: GitPlace, branch: string): Promise<readonly string[] | null> {
  const holder = await findHolder(user, branch);
  if (holder === null) return null;
  const listed = await git(holder, ['status', '--porcelain=v1', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=dirty']);
  const files = listed
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(3));
  const isBusy = (
    await Promise.all(['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'].map(async (name) => await exists(join(holder.gitDir, name))))
  ).includes(true);
  return files.length > 0 || isBusy ? files : null;
}

async function updateRef({ user, branch, from, to }: BranchMove): Promise<void> {
  const args = ['update-ref', '-m', 'volley: land', '--end-of-options', `refs/heads/${branch}`, to, from];
  const result = await tryGit(user, args);
  if (result.exitCode === 0) return;
  throw new VolleyError('busy', `Branch '${branch}' was moved or locked meanwhile.`, 'Run volley land again.').from(gitError(args, result));
}

/** Untracked files where the new commit has files of its own. Ignored ones count too, although git itself would overwrite them. */
async function filesInTheWay(holder: GitPlace, { from, to }: BranchMove): Promise<string[]> {
  const listed = await git(holder, [
    'diff-tree',
    '-r',
    '-z',
    '--name-status',
    '--diff-filter=AD',
    '--no-renames',
    '--end-of-options',
    from,
    to,
  ]);
  const changes = [...listed.matchAll(/([AD])\0([^\0]+)\0/g)].map(([, status = '', path = '']) => ({ status, path }));
  const removed = changes.filter((change) => change.status === 'D').map((change) => change.path);
  const added = changes.filter((change) => change.status === 'A').map((change) => change.path);
  const found = await Promise.all(added.map(async (path) => await blocker(holder.workTree ?? '', path)));
  return found.filter((path) => path !== null).filter((path) => !removed.some((one) => one === path || one.startsWith(`${path}/`)));
}

/** What stands where a file is to be written: the path itself, or a part of it that is no folder. */
async function blocker(root: string, path: string): Promise<string | null> {
  const parts = path.split('/');
  for (const [i] of parts.entries()) {
    const prefix = parts.slice(0, i + 1).join('/');
    const found = await lstat(join(root, prefix)).catch(() => null);
    if (found === null) return null;
    if (prefix === path || !found.isDirectory()) return prefix;
  }
  return null;
}

function namedFile(cause: VolleyError): string[] {
  const named = /'(.+)'/.exec(cause.message)?.[1];
  if (named === undefined) throw cause;
  return [named];
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}
