import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import { VolleyError } from './core/errors.ts';
import { bareGit, gitError, tryGit } from './git/git.ts';
import type { GitPlace } from './git/git.ts';
import { openProject, userIdentity, worktreeStatus } from './git/project.ts';
import type { Project } from './git/project.ts';
import { currentHead, defaultBase } from './git/refs.ts';
import type { NamedCommit } from './git/refs.ts';
import { leaveOutPrograms } from './lib/executable.ts';

/** A repository as a newcomer to it finds it, also one in which nothing is committed yet. */
export type Repository = {
  /** The work tree that the user is in, where `volley.yaml` lies. */
  readonly workTree: string;
  /** What stands before a path of the work tree where the user types it: nothing at the root, `../` in a folder there. */
  readonly toRoot: string;
  readonly place: GitPlace;
  /** What loops need, and null as long as there is no commit. */
  readonly started: Started | null;
};

/** A repository with commits. */
export type Started = {
  readonly project: Project;
  readonly head: string;
  readonly branch: string | null;
  /** What changes are compared with by default. */
  readonly base: NamedCommit | null;
  readonly isShallow: boolean;
  /** Git knows who commits. */
  readonly hasIdentity: boolean;
  /** How many files are changed or new and not committed. */
  readonly uncommitted: number;
};

/** Looks at the repository that a folder belongs to; no repository is an error. */
export async function lookAtRepository(cwd: string): Promise<Repository> {
  const project = await openProject(cwd).catch((error: unknown) => {
    if (error instanceof VolleyError && error.code === 'no-commits') return null;
    throw error;
  });
  leaveOutPrograms(project?.currentWorktree ?? cwd);
  if (project === null) return await lookAtEmpty(cwd);
  const [head, base, shallow, identity, status] = await Promise.all([
    currentHead(project),
    defaultBase(project),
    tryGit(project.place, ['rev-parse', '--is-shallow-repository']),
    userIdentity(project),
    worktreeStatus(project),
  ]);
  const started: Started = {
    project,
    head: head.commit,
    branch: head.branch,
    base,
    isShallow: shallow.stdout.toString('utf8').trim() === 'true',
    hasIdentity: !identity.assumed,
    uncommitted: status.paths.length,
  };
  const { currentWorktree: workTree, place } = project;
  return { workTree, toRoot: await pathToRoot(cwd, workTree), place, started };
}

/** Which of some paths git ignores; a folder is written with a slash at its end. */
export async function ignoredPaths({ workTree, place }: Repository, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const args = ['check-ignore', '--', ...paths];
  const result = await tryGit(place, args, { cwd: workTree });
  if (result.exitCode > 1) throw gitError(args, result);
  return new Set(result.stdout.toString('utf8').split('\n'));
}

async function lookAtEmpty(cwd: string): Promise<Repository> {
  const args = ['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir', '--show-toplevel'];
  const result = await bareGit(args, { cwd });
  if (result.exitCode !== 0) throw gitError(args, result);
  const [gitDir = '', commonDir = '', workTree = ''] = result.stdout.toString('utf8').split('\n');
  const place = { gitDir, commonDir, workTree, trusted: true };
  return { workTree, toRoot: await pathToRoot(cwd, workTree), place, started: null };
}

/** Git tells the work tree by its real path, whatever links the user came through. */
async function pathToRoot(cwd: string, workTree: string): Promise<string> {
  const path = relative(await realpath(cwd), workTree);
  return path === '' ? '' : `${path}/`;
}
