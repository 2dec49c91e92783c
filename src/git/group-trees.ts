import { rm } from 'node:fs/promises';
import type { Checkout } from './checkout.ts';
import { git, gitError, tryGit } from './git.ts';
import { isBelow, toPathBytes } from './status.ts';

/** Files that belong together in one commit; a path may be a folder. */
export type CommitGroup = { readonly message: string; readonly paths: readonly string[] };

/** A tree on the way from the parent to the whole, and the message of its commit. */
export type CommitStep = { readonly tree: string; readonly message: string };

type Entry = { readonly path: string; readonly line: string };

/** Splits a difference into one tree per group whose paths changed; the rest comes last, with the main message. */
export async function groupTrees(input: {
  readonly checkout: Checkout;
  readonly parentTree: string;
  readonly tree: string;
  readonly groups: readonly CommitGroup[];
  readonly message: string;
}): Promise<CommitStep[]> {
  const whole = { tree: input.tree, message: input.message };
  if (input.groups.length === 0) return [whole];
  const { place } = input.checkout;
  const indexFile = `${input.checkout.index}.groups`;
  await rm(indexFile, { recursive: true, force: true });
  try {
    let left = await readEntries(input);
    const steps: CommitStep[] = [];
    await git(place, ['read-tree', '--end-of-options', input.parentTree], { indexFile });
    for (const group of input.groups) {
      const paths = group.paths.map((path) => toPathBytes(path.replace(/^\.\//, '').replace(/\/$/, '')));
      const own = left.filter((entry) => isBelow(entry.path, paths));
      left = left.filter((entry) => !own.includes(entry));
      if (own.length === 0) continue;
      const lines = Buffer.from(own.map((entry) => entry.line).join(''), 'latin1');
      await git(place, ['update-index', '--replace', '-z', '--index-info'], { indexFile, input: lines });
      steps.push({ tree: (await git(place, ['write-tree'], { indexFile })).trim(), message: group.message });
    }
    return steps.at(-1)?.tree === input.tree ? steps : [...steps, whole];
  } finally {
    await rm(indexFile, { force: true });
  }
}

/** Removals first, so that a file can take the place of a folder. */
async function readEntries({ checkout, parentTree, tree }: Parameters<typeof groupTrees>[0]): Promise<Entry[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--end-of-options', parentTree, tree];
  const result = await tryGit(checkout.place, args);
  if (result.exitCode !== 0) throw gitError(args, result);
  const found = [...result.stdout.toString('latin1').matchAll(/:\d+ (\d+) \S+ (\S+) \w+\0([^\0]+)\0/g)];
  const entries = found.map(([, mode, id, path = '']) => ({ path, line: `${mode} ${id}\t${path}\0`, isRemoval: mode === '000000' }));
  return entries.toSorted((a, b) => Number(b.isRemoval) - Number(a.isRemoval));
}
