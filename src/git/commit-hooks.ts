import { mkdir, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import type { Access } from '../core/access.ts';
import type { Settings } from '../core/settings.ts';
import { listFiles } from './change.ts';
import { git, gitError, tryGit } from './git.ts';
import { objectFolders } from './agent-repository.ts';
import type { GitPlace } from './git.ts';
import type { Project } from './project.ts';

type CommitHooks = NonNullable<Settings['commitHooks']>;

const NAMES = ['pre-commit', 'commit-msg'] as const;

/** The commit hooks that the base branch carries, where the user's repository is set to use hooks of the tree; null if none. */
export async function findCommitHooks(project: Project, place: GitPlace, base: string): Promise<CommitHooks | null> {
  const path = await hooksPath(project);
  if (path === null) return null;
  const files = new Set(await listFiles(place, base));
  const names = NAMES.filter((name) => files.has(`${path}/${name}`));
  return names.length === 0 ? null : { path, names };
}

/** Where the user told git to look for hooks, as it is written; null where it looks in its own folder. */
export async function hooksSetting(project: Project): Promise<string | null> {
  const args = ['config', '--null', '--show-scope', '--get-all', 'core.hooksPath'];
  // System-wide config is hidden from all other commands, but git obeys it when it looks for hooks.
  const result = await tryGit(project.place, args, { env: { GIT_CONFIG_NOSYSTEM: '0' } });
  if (result.exitCode > 1) throw gitError(args, result);
  const parts = result.stdout.toString('utf8').split('\0');
  // Our own switch for hooks stands in the scope `command`; what the user set stands before it.
  const values = parts.filter((_, index) => index % 2 === 1 && parts[index - 1] !== 'command');
  return values.at(-1) || null;
}

/** The folder of the tree that holds the hooks. */
async function hooksPath(project: Project): Promise<string | null> {
  const value = await hooksSetting(project);
  if (value === null) return null;
  const path = isAbsolute(value) ? relative(project.currentWorktree, value) : value;
  // Husky points git at a generated folder below the one that holds the hooks.
  const folder = path.replace(/^\.\//, '').replace(/\/+$/, '').replace(/\/_$/, '');
  return folder === '' || folder.split('/').some((step) => step === '..' || step === '.git') ? null : folder;
}

/** A moment before the commit of the whole change, as hooks expect it. */
export type HookMoment = {
  readonly env: Readonly<Record<string, string>>;
  /** What the hooks have to reach, beside the checkout. */
  readonly access: Access;
  remove(): Promise<void>;
};

/** Makes a git dir whose HEAD is the merge base and whose index is the change, so that hooks see it staged. */
export async function stageForHooks(input: {
  readonly mirror: GitPlace;
  readonly dir: string;
  readonly workTree: string;
  readonly hooks: string;
  readonly mergeBase: string;
  readonly head: string;
}): Promise<HookMoment> {
  const { mirror, dir, workTree } = input;
  const place: GitPlace = { gitDir: dir, commonDir: dir, workTree, trusted: false };
  const remove = async (): Promise<void> => await rm(dir, { recursive: true, force: true });
  await remove();
  await mkdir(join(dir, 'objects', 'info'), { recursive: true });
  await mkdir(join(dir, 'refs'));
  await Promise.all([
    writeFile(join(dir, 'HEAD'), `${input.mergeBase}\n`),
    writeFile(join(dir, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n'),
    writeFile(join(dir, 'objects', 'info', 'alternates'), `${join(mirror.commonDir, 'objects')}\n`),
    writeFile(join(dir, 'COMMIT_EDITMSG'), await git(mirror, ['log', '-1', '--format=%B', '--end-of-options', input.head])),
  ]);
  await git(place, ['read-tree', '--end-of-options', input.head]);
  const env = {
    GIT_DIR: dir,
    GIT_WORK_TREE: workTree,
    GIT_EDITOR: ':',
    VOLLEY_HOOKS: input.hooks,
    VOLLEY_MESSAGE: join(dir, 'COMMIT_EDITMSG'),
  };
  const read = [input.hooks, ...(await objectFolders(join(mirror.commonDir, 'objects')))];
  return { env, access: { read, write: [dir], protect: [], hide: [] }, remove };
}
