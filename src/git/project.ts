import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { VolleyError } from '../core/errors.ts';
import { bareGit, git, gitError, tryGit } from './git.ts';
import type { GitPlace, GitResult } from './git.ts';

/** The user's repository as seen from the folder that a command was typed in. */
export type Project = {
  /** The main work tree, where `.volley/` lies; a linked one where the repository is bare. */
  readonly root: string;
  /** What makes two work trees the same project. */
  readonly commonDir: string;
  /** The user's repository, with the HEAD of the work tree that they are in. */
  readonly place: GitPlace;
  readonly currentWorktree: string;
  /** Names the project among all projects of this user: `readable-1a2b3c4d`. */
  readonly key: string;
  readonly objectFormat: string;
};

/** Who commits; `assumed` says that git knows nobody and Volley's own name was taken. */
export type Identity = { readonly name: string; readonly email: string; readonly assumed: boolean };

/** What in a work tree is not committed: changes of tracked files, and new files that are not ignored. */
export type WorktreeStatus = { readonly dirty: boolean; readonly untracked: boolean; readonly paths: readonly string[] };

const QUESTIONS = [
  '--path-format=absolute',
  '--is-bare-repository',
  '--git-dir',
  '--git-common-dir',
  '--show-object-format',
  '--show-toplevel',
  'HEAD^{commit}',
];

/** Finds the repository that a folder belongs to; one git process, two in a linked work tree. */
export async function openProject(cwd: string): Promise<Project> {
  const result = await bareGit(['rev-parse', ...QUESTIONS], { cwd });
  const [bare, gitDir, commonDir, objectFormat, currentWorktree] = result.stdout.toString('utf8').split('\n');
  if (!bare || !gitDir || !commonDir || !objectFormat) throw notARepository(cwd, result);
  if (bare === 'true') {
    throw new VolleyError('unsupported-repository', `${gitDir} is a bare repository.`, 'Run volley in a work tree of it, such as a clone.');
  }
  if (!currentWorktree) {
    throw new VolleyError('not-a-repository', `${cwd} is not inside a work tree.`, 'Change to a folder of your project and try again.');
  }
  if (result.exitCode !== 0) {
    throw new VolleyError('no-commits', 'The current branch has no commits yet.', 'Commit something first: git add . && git commit.');
  }
  const place: GitPlace = { gitDir, commonDir, workTree: currentWorktree, trusted: true };
  const root = gitDir === commonDir ? currentWorktree : await mainWorktree(place, currentWorktree);
  return { root, commonDir, place, currentWorktree, key: projectKey(commonDir), objectFormat };
}

/** The name and address that the user commits with. */
export async function userIdentity(project: Project): Promise<Identity> {
  // System-wide config is hidden from all other commands, but it may say who the user is.
  const args = ['config', '--null', '--get-regexp', '^(user|author)\\.(name|email)$'];
  const result = await tryGit(project.place, args, { env: { GIT_CONFIG_NOSYSTEM: '0' } });
  if (result.exitCode > 1) throw gitError(args, result);
  const entries = result.stdout
    .toString('utf8')
    .split('\0')
    .map((entry) => entry.split('\n'));
  const known = new Map(entries.map(([key = '', value = '']) => [key, value.trim()]));
  const name = process.env['GIT_AUTHOR_NAME'] || known.get('author.name') || known.get('user.name');
  const email = process.env['GIT_AUTHOR_EMAIL'] || known.get('author.email') || known.get('user.email');
  return name && email ? { name, email, assumed: false } : { name: 'Volley', email: 'volley@localhost', assumed: true };
}

/** What the user has not committed in the current work tree; their index is read and never refreshed. */
export async function worktreeStatus(project: Project): Promise<WorktreeStatus> {
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=normal', '--ignore-submodules=dirty'];
  const entries = (await git(project.place, args)).split('\0').filter((entry) => entry !== '');
  return {
    dirty: entries.some((entry) => !entry.startsWith('??')),
    untracked: entries.some((entry) => entry.startsWith('??')),
    paths: entries.map((entry) => entry.slice(3)),
  };
}

/** Whether git tracks a path of the work tree, so that it came with somebody's commit. */
export async function isTracked(project: Project, path: string): Promise<boolean> {
  return (await tryGit(project.place, ['ls-files', '--error-unmatch', '--', `:(top,literal)${path}`])).exitCode === 0;
}

/** The folders of all work trees of a repository, the main one first. */
export async function listWorktrees(place: GitPlace): Promise<readonly string[]> {
  const listed = (await git(place, ['worktree', 'list', '--porcelain', '-z'])).split('\0\0');
  return listed.filter((entry) => !entry.split('\0').includes('bare')).flatMap((entry) => /^worktree ([^\0]+)/.exec(entry)?.[1] ?? []);
}

/** In a linked work tree git knows the main one, unless the repository is bare or lies apart from it. */
async function mainWorktree(place: GitPlace, current: string): Promise<string> {
  const [first = current] = await listWorktrees(place);
  if (first !== place.commonDir) return first;
  const configured = await bareGit(['rev-parse', '--show-toplevel'], { cwd: place.commonDir, env: { GIT_DIR: place.commonDir } });
  const top = configured.stdout.toString('utf8').replace(/\n$/, '');
  return configured.exitCode === 0 && top !== place.commonDir ? top : current;
}

function projectKey(commonDir: string): string {
  const slug = basename(commonDir.replace(/\/?\.git$/, ''))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return `${slug || 'project'}-${createHash('sha256').update(commonDir).digest('hex').slice(0, 8)}`;
}

function notARepository(cwd: string, result: GitResult): VolleyError {
  if (result.stderr.includes('dubious ownership')) {
    return new VolleyError(
      'unsupported-repository',
      `The repository at ${cwd} belongs to another user, so git refuses it.`,
      `Trust it with: git config --global --add safe.directory '${cwd}'.`,
    );
  }
  if (!result.stderr.includes('not a git repository')) return gitError(['rev-parse'], result);
  return new VolleyError('not-a-repository', `${cwd} is not in a git repository.`, 'Change to your project, or make one with git init.');
}
