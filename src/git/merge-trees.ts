import type { GitPlace } from './git.ts';
import { gitError, tryGit } from './git.ts';

/** Merges two commits without a work tree, so attributes of the tree choose no driver. */
export async function mergeTrees(
  mirror: GitPlace,
  ours: string,
  theirs: string,
): Promise<{ kind: 'clean'; tree: string } | { kind: 'conflict'; files: string[] }> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', '--end-of-options', ours, theirs];
  const result = await tryGit(mirror, args);
  const [tree = '', ...files] = result.stdout
    .toString('utf8')
    .split('\0')
    .filter((part) => part !== '');
  if (result.exitCode === 0) return { kind: 'clean', tree };
  if (result.exitCode === 1) return { kind: 'conflict', files };
  throw gitError(args, result);
}
