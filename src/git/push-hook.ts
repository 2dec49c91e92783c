import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VolleyError } from '../core/errors.ts';
import { hooksPath } from './commit-hooks.ts';
import { tryGit } from './git.ts';
import type { Project } from './project.ts';

/** How the hook calls us: two files that must still be there, and what follows them. */
export type HookCall = { readonly node: string; readonly main: string; readonly args: readonly string[] };

/** What was done, and where the hook lies. */
export type HookChange = { readonly path: string; readonly done: 'installed' | 'replaced' | 'removed' | 'absent' };

const MARK = '# Installed by volley; volley hook uninstall removes it.';

/** Writes the hook that git calls before a push; one of somebody else is never touched. */
export async function installPushHook(project: Project, call: HookCall): Promise<HookChange> {
  const path = await ownHookFile(project);
  const before = existsSync(path) ? await readFile(path, 'utf8') : null;
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
  const isOurs = existsSync(path) && (await readFile(path, 'utf8')).includes(MARK);
  if (isOurs) await rm(path);
  return { path, done: isOurs ? 'removed' : 'absent' };
}

/** Whether the repository knows a commit, so that it can be compared with. */
export async function knowsCommit(project: Project, commit: string): Promise<boolean> {
  return /^[0-9a-f]{40,64}$/.test(commit) && (await tryGit(project.place, ['cat-file', '-e', `${commit}^{commit}`])).exitCode === 0;
}

/** The hook's file; where the project keeps its hooks elsewhere, they are for its people to change. */
async function ownHookFile(project: Project): Promise<string> {
  const elsewhere = await hooksPath(project);
  if (elsewhere === null) return join(project.commonDir, 'hooks', 'pre-push');
  throw new VolleyError(
    'conflict',
    `This repository keeps its hooks in ${elsewhere} (core.hooksPath), which is not Volley's to change.`,
    `Add this line to the file pre-push there: volley hook pre-push "$@"`,
  );
}

function lineOf({ node, main, args }: HookCall): string {
  return `${[node, main, 'hook', 'pre-push', ...args].map(quote).join(' ')} "$@" || exit 1`;
}

function textOf({ node, main, args }: HookCall): string {
  return `#!/bin/sh
${MARK}
node=${quote(node)}
volley=${quote(main)}
if [ ! -x "$node" ] || [ ! -f "$volley" ]; then
  echo "volley is no longer where it was when this hook was installed, so nothing was reviewed." >&2
  echo "  Run volley hook install again, or push without it: git push --no-verify" >&2
  exit 1
fi
exec "$node" "$volley" hook pre-push ${args.map(quote).join(' ')} "$@"
`;
}

function quote(word: string): string {
  return /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
