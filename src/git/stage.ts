import { lstat } from 'node:fs/promises';
import type { Checkout } from './checkout.ts';
import { mendCheckout } from './checkout.ts';
import { treeOfCommit } from './commit-object.ts';
import { git } from './git.ts';
import type { StatusEntry } from './status.ts';
import { fromPathBytes, inFolder, isBelow, readStatus, toPathBytes } from './status.ts';

/** What lies in a checkout and not in its parent commit, brought into an index. */
export type Staged = {
  readonly index: string;
  readonly tree: string;
  readonly parentTree: string;
  /** The files that may differ from the parent. */
  readonly candidates: readonly Candidate[];
};

/** A file that may differ from the parent's, with its size in the work tree; 0 if it is gone or no plain file. */
export type Candidate = StatusEntry & { readonly size: number };

/** What came of staging: `staged` is null if nothing changed, `skipped` names nested repositories, which git cannot add. */
export type StageResult = { readonly staged: Staged | null; readonly skipped: string[] };

/** Brings all tracked and new, not ignored files into an index and writes its tree; paths of `exclude` stay as they are in it. */
export async function stageAll(input: {
  readonly checkout: Checkout;
  readonly parent: string;
  readonly exclude: readonly string[];
  /** Another index than the checkout's own, to leave that one as it is. */
  readonly index?: string;
}): Promise<StageResult> {
  const { checkout, parent, index = checkout.index } = input;
  await mendCheckout(checkout, parent);
  const excluded = input.exclude.map(toPathBytes);
  const entries = (await readStatus(checkout.place, index)).filter((entry) => !isBelow(entry.path, excluded));
  const skipped = entries.filter((entry) => entry.path.endsWith('/')).map((entry) => fromPathBytes(entry.path.slice(0, -1)));
  const changed = entries.filter((entry) => !entry.path.endsWith('/'));
  if (changed.length === 0) return { staged: null, skipped };

  const stdin = Buffer.from(changed.map((entry) => `${entry.path}\0`).join(''), 'latin1');
  const options = { indexFile: index };
  await git(checkout.place, ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { ...options, input: stdin });
  const [tree, parentTree, candidates] = await Promise.all([
    git(checkout.place, ['write-tree'], options),
    treeOfCommit(checkout.place, parent),
    Promise.all(changed.map(async (entry) => ({ ...entry, size: await sizeOf(checkout.dir, entry) }))),
  ]);
  return { staged: tree.trim() === parentTree ? null : { index, tree: tree.trim(), parentTree, candidates }, skipped };
}

async function sizeOf(dir: string, { path }: StatusEntry): Promise<number> {
  const found = await lstat(inFolder(dir, path)).catch(() => null);
  return found?.isFile() === true ? found.size : 0;
}
