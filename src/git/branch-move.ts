import type { GitPlace } from './git.ts';
import { git } from './git.ts';
import { readBranch } from './holders.ts';

/** Where a branch stands if somebody else moved it away from the commits that we know; null if it is ours or does not exist. */
export async function findBranchMove(
  user: GitPlace,
  { branch, known }: { readonly branch: string; readonly known: readonly string[] },
): Promise<string | null> {
  const to = await readBranch(user, branch);
  return to === null || known.includes(to) ? null : to;
}

/** Keeps a commit of ours that its branch no longer leads to, under the next `ours` ref of its loop; once is enough. */
export async function keepOurs(mirror: GitPlace, loopId: number, commit: string): Promise<void> {
  const kept = (await git(mirror, ['for-each-ref', '--format=%(objectname)', `refs/volley/${loopId}/ours-*`])).split('\n').filter(Boolean);
  if (kept.includes(commit)) return;
  await git(mirror, ['update-ref', '--end-of-options', `refs/volley/${loopId}/ours-${kept.length + 1}`, commit]);
}
