import { copyObjects } from './copy-objects.ts';
import type { GitPlace } from './git.ts';
import { gitError, tryGit } from './git.ts';
import { findHolder, readBranch } from './holders.ts';

/** What became of a branch that was given to the user's repository. */
export type PublishResult =
  | { readonly kind: 'published' }
  | { readonly kind: 'up-to-date' }
  /** Somebody else moved it. */
  | { readonly kind: 'moved'; readonly to: string }
  /** A work tree of the user has it checked out, so moving it would make their files look changed. */
  | { readonly kind: 'checked-out'; readonly workTree: string };

/** Gives the user's repository a branch by one ref update; `known` are the commits that we put there before, oldest first. */
export async function publishBranch(input: {
  readonly mirror: GitPlace;
  readonly user: GitPlace;
  readonly branch: string;
  readonly commit: string;
  readonly known: readonly string[];
}): Promise<PublishResult> {
  const { mirror, user, branch, commit, known } = input;
  const ref = `refs/heads/${branch}`;
  const [holder, old] = await Promise.all([findHolder(user, branch), readBranch(user, branch)]);
  if (old === commit) return { kind: 'up-to-date' };
  if (old !== null && !known.includes(old)) return { kind: 'moved', to: old };
  if (holder !== null) return { kind: 'checked-out', workTree: holder.workTree ?? '' };
  await copyObjects({ from: mirror, to: user, commit, except: old === null ? [] : [old] });
  const args = [
    'update-ref',
    '--create-reflog',
    '-m',
    'volley: publish',
    '--end-of-options',
    ref,
    commit,
    old ?? '0'.repeat(commit.length),
  ];
  const moved = await tryGit(user, args);
  if (moved.exitCode === 0) return { kind: 'published' };
  const now = await readBranch(user, branch);
  if (now === null || now === old) throw gitError(args, moved);
  return { kind: 'moved', to: now };
}
