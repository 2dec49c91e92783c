import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkout } from './checkout.ts';
import { copyIndex, giveIndexToAgents, mendCheckout, readTree } from './checkout.ts';
import { writeCommit } from './commit-object.ts';
import type { GitPlace } from './git.ts';
import { git, gitError, tryGit } from './git.ts';
import { stageAll } from './stage.ts';

/** A tree that was not committed and is kept under a ref of the loop. */
export type Partial = { readonly ref: string; readonly tree: string };

/** Keeps what lies uncommitted in a checkout under the loop's next partial ref; null if nothing does. The checkout stays as it is. */
export async function savePartial(input: {
  readonly checkout: Checkout;
  readonly id: number | string;
  /** The commit at which the checkout should stand, wherever an agent moved HEAD to. */
  readonly parent: string;
  readonly exclude: readonly string[];
  readonly at: Date;
}): Promise<Partial | null> {
  const { checkout, parent } = input;
  const index = `${checkout.index}.partial`;
  try {
    await copyIndex(checkout.index, index);
    const { staged } = await stageAll({ checkout, parent, exclude: input.exclude, index });
    if (staged === null) return null;
    const { tree } = staged;
    return { ref: await keepTree({ place: checkout.place, id: input.id, parent, tree, at: input.at }), tree };
  } finally {
    await rm(index, { force: true });
  }
}

/** Puts a kept tree into a checkout, uncommitted, on top of the commit at which it stands. */
export async function restorePartial(checkout: Checkout, ref: string, parent: string): Promise<void> {
  await mendCheckout(checkout, parent);
  await readTree(checkout, ref);
  await giveIndexToAgents(checkout);
}

/** Keeps a tree as a commit under the next free partial ref of a loop. */
export async function keepTree(input: {
  readonly place: GitPlace;
  readonly id: number | string;
  readonly parent: string;
  readonly tree: string;
  readonly at: Date;
}): Promise<string> {
  const { place, parent, tree, at } = input;
  const message = 'Kept by Volley: work that was not finished or not fit to be committed\n';
  const commit = await writeCommit(join(place.commonDir, 'objects'), { tree, parents: [parent], message, identity: VOLLEY, at });
  const prefix = `refs/volley/${input.id}/partial-`;
  const taken = (await git(place, ['for-each-ref', '--format=%(refname)', `refs/volley/${input.id}/`])).split('\n');
  // Only what counts as a number of ours does: an agent may have made refs of any name.
  const numbers = taken.flatMap((ref) =>
    ref.startsWith(prefix) && NUMBER.test(ref.slice(prefix.length)) ? [Number(ref.slice(prefix.length))] : [],
  );
  const first = Math.max(0, ...numbers) + 1;
  for (let n = first; ; n += 1) {
    const ref = `${prefix}${n}`;
    const args = ['update-ref', '--end-of-options', ref, commit, '0'.repeat(commit.length)];
    const made = await tryGit(place, args);
    if (made.exitCode === 0) return ref;
    // Another process took this number in between; anything else is a failure of its own.
    if (
      n - first > MOST_RACES ||
      !/already exists|reference already|unable to resolve|but expected|exists; cannot create/i.test(made.stderr)
    )
      throw gitError(args, made);
  }
}

const NUMBER = /^[1-9]\d{0,8}$/;
const MOST_RACES = 100;

const VOLLEY = { name: 'Volley', email: 'volley@localhost' };
