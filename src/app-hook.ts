import { realpathSync } from 'node:fs';
import { findSecrets } from './core/secrets.ts';
import { addedByCommits, installPushHook, knowsCommit, pushedFrom, removePushHook } from './git/push-hook.ts';
import type { HookChange } from './git/push-hook.ts';
import type { ChangeRequest } from './core/change-request.ts';
import { requireReviewer } from './app-start.ts';
import { openProject } from './git/project.ts';

/** Installs the hook by which a reviewer looks at what is pushed, with the words that follow its call. */
export async function installHook(
  cwd: string,
  { reviewer, args }: { readonly reviewer: string; readonly args: readonly string[] },
): Promise<HookChange> {
  await requireReviewer(cwd, reviewer);
  const main = realpathSync(process.argv[1] ?? '');
  return await installPushHook(await openProject(cwd), { node: realpathSync(process.execPath), main, args });
}

/** Takes the hook away again. */
export async function removeHook(cwd: string): Promise<HookChange> {
  return await removePushHook(await openProject(cwd));
}

/** One ref of a push: what it changes, or why that is not reviewed. */
export type PushedRef =
  | { readonly ref: string; readonly change: Extract<ChangeRequest, { kind: 'range' }> }
  | { readonly ref: string; readonly unreviewed: string };

/** What a push brings, from the lines that git gives its hook; what is deleted, or there already, brings nothing. */
export async function pushedRefs(
  cwd: string,
  { remote, lines }: { readonly remote: string; readonly lines: string },
): Promise<readonly PushedRef[]> {
  const project = await openProject(cwd);
  const refs: PushedRef[] = [];
  for (const line of lines.split('\n')) {
    const [ref = '', local = '', , before = ''] = line.trim().split(/\s+/);
    if (!(await knowsCommit(project, local))) continue;
    const from = (await knowsCommit(project, before)) ? { base: before } : await pushedFrom(project, remote, local);
    if (from === null) continue;
    if (from.base === null) refs.push({ ref, unreviewed: 'it shares no commit with what is known of the remote' });
    else refs.push({ ref, change: { kind: 'range', range: `${from.base}..${local}` } });
  }
  return refs;
}

/** The secrets that commits of a push add, also where a later one takes them away: whoever fetches the branch can read them. */
export async function pushedSecrets(cwd: string, range: string): Promise<readonly { readonly commit: string; readonly kind: string }[]> {
  const added = await addedByCommits(await openProject(cwd), range);
  return added.flatMap(({ commit, text }) => findSecrets(text).map(({ kind }) => ({ commit, kind })));
}
