import { chmod, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VolleyError } from '../core/errors.ts';
import { shellWord } from '../core/words.ts';
import { hooksSetting } from './commit-hooks.ts';
import { git, tryGit } from './git.ts';
import type { Project } from './project.ts';

/** How the hook calls us: two files that must still be there, and what follows them. */
export type HookCall = { readonly node: string; readonly main: string; readonly args: readonly string[] };

/** What was done, and where the hook lies. */
export type HookChange = { readonly path: string; readonly done: 'installed' | 'replaced' | 'removed' | 'absent' };

const MARK = '# Installed by volley; volley hook uninstall removes it.';

/** Writes the hook that git calls before a push; one of somebody else is never touched. */
export async function installPushHook(project: Project, call: HookCall): Promise<HookChange> {
  const path = await ownHookFile(project);
  const before = await readHook(path);
  if (before !== null && !before.includes(MARK)) {
    throw new VolleyError('conflict', `There is a pre-push hook already: ${path}.`, `Add this line to it: ${lineOf(call)}`);
  }
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, textOf(call));
  await chmod(path, 0o755);
  return { path, done: before === null ? 'installed' : 'replaced' };
}

/** Removes our hook; one of somebody else stays. */
export async function removePushHook(project: Project): Promise<HookChange> {
  const path = join(project.commonDir, 'hooks', 'pre-push');
  const isOurs = (await readHook(path))?.includes(MARK) === true;
  if (isOurs) await rm(path);
  return { path, done: isOurs ? 'removed' : 'absent' };
}

/** What stands in the place of the hook: nothing (null), a text, or something that is no text of ours. */
async function readHook(path: string): Promise<string | null> {
  const stat = await lstat(path).catch(() => null);
  if (stat === null) return null;
  return stat.isFile() ? await readFile(path, 'utf8') : '';
}

/** The newest commit below a pushed one that the remote has already: `base` is null where it has none that is known. Null where all is there already. */
export async function pushedFrom(project: Project, remote: string, commit: string): Promise<{ readonly base: string | null } | null> {
  const args = ['rev-list', '--boundary', '--date-order', commit, '--not', `--remotes=${remote.replace(/[*?[\\]/g, '\\$&')}`];
  const result = await tryGit(project.place, args);
  if (result.exitCode !== 0) return { base: null };
  const commits = result.stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  if (commits.length === 0) return null;
  return { base: commits.find((line) => line.startsWith('-'))?.slice(1) ?? null };
}

/** What each commit of a range adds, without those that only merge. */
export async function addedByCommits(
  project: Project,
  range: string,
): Promise<readonly { readonly commit: string; readonly text: string }[]> {
  const flags = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '--unified=0', '--format=%x00%H', '--patch'];
  const log = await git(project.place, ['log', ...flags, '--end-of-options', range]);
  return log
    .split('\0')
    .slice(1)
    .map((entry) => {
      const [commit = '', ...lines] = entry.split('\n');
      const added = lines.filter((line) => line.startsWith('+') && !line.startsWith('+++ '));
      return { commit, text: added.map((line) => line.slice(1)).join('\n') };
    });
}

/** Whether the repository knows a commit, so that it can be compared with. */
export async function knowsCommit(project: Project, commit: string): Promise<boolean> {
  return /^[0-9a-f]{40,64}$/.test(commit) && (await tryGit(project.place, ['cat-file', '-e', `${commit}^{commit}`])).exitCode === 0;
}

/** The hook's file; where the project keeps its hooks elsewhere, they are for its people to change. */
async function ownHookFile(project: Project): Promise<string> {
  const elsewhere = await hooksSetting(project);
  if (elsewhere === null) return join(project.commonDir, 'hooks', 'pre-push');
  throw new VolleyError(
    'conflict',
    `This repository keeps its hooks in ${elsewhere} (core.hooksPath), which is not Volley's to change.`,
    `Add this line to the file pre-push there: volley hook pre-push "$@"`,
  );
}

function lineOf({ node, main, args }: HookCall): string {
  return `${[node, main, 'hook', 'pre-push', ...args].map(shellWord).join(' ')} "$@" || exit 1`;
}

function textOf({ node, main, args }: HookCall): string {
  return `#!/bin/sh
${MARK}
node=${shellWord(node)}
volley=${shellWord(main)}
if [ ! -x "$node" ] || [ ! -f "$volley" ]; then
  echo "volley is no longer where it was when this hook was installed, so nothing was reviewed." >&2
  echo "  Run volley hook install again, or push without it: git push --no-verify" >&2
  exit 1
fi
exec "$node" "$volley" hook pre-push ${args.map(shellWord).join(' ')} "$@"
`;
}
