import { git } from './git.ts';
import { keepCommits } from './mirror.ts';
import type { Mirror } from './mirror.ts';

const COMMIT = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g;

/** Every word of a text that could be a commit. */
export function commitsIn(text: string): readonly string[] {
  return text.match(COMMIT) ?? [];
}

/** Those of some ids that are commits here. */
export async function presentCommits(place: Mirror['place'], ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  if (ids.size === 0) return new Set();
  const input = `${[...ids].join('\n')}\n`;
  const listed = await git(place, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input });
  return new Set([...listed.matchAll(/^([0-9a-f]+) commit$/gm)].map(([, id = '']) => id));
}

/**
 * Gives every one of these commits that the mirror has, and that no ref leads to, a ref of its own. What only the HEAD of a
 * checkout leads to counts as well, because a checkout may go at any time.
 */
export async function keepNamed(mirror: Mirror, ids: ReadonlySet<string>): Promise<void> {
  const present = await presentCommits(mirror.place, ids);
  if (present.size === 0) return;
  const args = ['rev-list', '--single-worktree', '--stdin', '--not', '--all'];
  const loose = (await git(mirror.place, args, { input: `${[...present].join('\n')}\n` })).split('\n');
  await keepCommits(
    mirror,
    loose.filter((commit) => present.has(commit)),
  );
}
