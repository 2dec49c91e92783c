import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent } from './file-error.ts';
import type { GitPlace } from './git.ts';
import { bareGit, git } from './git.ts';

/** The work tree of the user's repository in which a branch is checked out, or null. No process in the common case. */
export async function findHolder(user: GitPlace, branch: string): Promise<GitPlace | null> {
  const wanted = `ref: refs/heads/${branch}`;
  const linked = await readdir(join(user.commonDir, 'worktrees')).catch(() => []);
  const gitDirs = [user.commonDir, ...linked.map((name) => join(user.commonDir, 'worktrees', name))];
  const heads = await Promise.all(gitDirs.map(async (gitDir) => (await readIfPresent(join(gitDir, 'HEAD')))?.trim()));
  // With reftables the file says nothing.
  const isHidden = heads.some((head) => head === 'ref: refs/heads/.invalid');
  if (!isHidden && !heads.includes(wanted)) return null;
  if (!isHidden && user.workTree !== null && heads[gitDirs.indexOf(user.gitDir)] === wanted) return user;
  return await askGit(user, branch);
}

/** The commit of a branch, or null if there is none. */
export async function readBranch(user: GitPlace, branch: string): Promise<string | null> {
  const loose = await readIfPresent(join(user.commonDir, 'refs', 'heads', branch)).catch(() => null);
  if (loose !== null && /^[0-9a-f]{40}(?:[0-9a-f]{24})?\n$/.test(loose)) return loose.trim();
  const listed = await git(user, ['for-each-ref', '--format=%(objectname) %(refname)', `refs/heads/${branch}`]);
  const line = listed.split('\n').find((entry) => entry.endsWith(` refs/heads/${branch}`));
  return line?.split(' ')[0] ?? null;
}

async function askGit(user: GitPlace, branch: string): Promise<GitPlace | null> {
  const listed = (await git(user, ['worktree', 'list', '--porcelain', '-z'])).split('\0\0');
  const fields = listed
    .map((entry) => entry.split('\0'))
    .find((entry) => entry.includes(`branch refs/heads/${branch}`) && !entry.includes('bare'));
  const workTree = fields?.[0]?.replace(/^worktree /, '');
  if (workTree === undefined) return null;
  const asked = await bareGit(['rev-parse', '--absolute-git-dir'], { cwd: workTree });
  // Its folder is gone: nobody can see the branch there.
  if (asked.exitCode !== 0) return null;
  return { ...user, gitDir: asked.stdout.toString('utf8').replace(/\n$/, ''), workTree };
}
