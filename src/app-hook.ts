import { realpathSync } from 'node:fs';
import { installPushHook, knowsCommit, removePushHook } from './git/push-hook.ts';
import type { HookChange } from './git/push-hook.ts';
import type { ChangeRequest } from './git/locate.ts';
import { openProject } from './git/project.ts';

/** Installs the hook that reviews what is pushed, with the words that follow its call. */
export async function installHook(cwd: string, args: readonly string[]): Promise<HookChange> {
  const main = realpathSync(process.argv[1] ?? '');
  return await installPushHook(await openProject(cwd), { node: realpathSync(process.execPath), main, args });
}

/** Takes the hook away again. */
export async function removeHook(cwd: string): Promise<HookChange> {
  return await removePushHook(await openProject(cwd));
}

/** The changes that a push brings, from the lines that git gives its hook; what is only deleted brings none. */
export async function pushedChanges(cwd: string, lines: string): Promise<readonly ChangeRequest[]> {
  const project = await openProject(cwd);
  const changes = new Map<string, ChangeRequest>();
  for (const line of lines.split('\n')) {
    const [, local = '', , remote = ''] = line.trim().split(/\s+/);
    if (local === '' || /^0+$/.test(local)) continue;
    const change: ChangeRequest = (await knowsCommit(project, remote))
      ? { kind: 'range', range: `${remote}..${local}` }
      : // A new branch, or one whose commits were never fetched, is compared with the branch that it will be merged into.
        { kind: 'branch', branch: local, base: null };
    changes.set(JSON.stringify(change), change);
  }
  return [...changes.values()];
}
