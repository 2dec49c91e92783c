import { join } from 'node:path';
import { VolleyError } from '../core/errors.ts';
import { accessOf, openCheckout, removeCheckout } from './checkout.ts';
import type { Access } from '../core/access.ts';
import type { Author } from './commit-object.ts';
import { writeCommit } from './commit-object.ts';
import { readBranch } from './holders.ts';
import { mergeTrees } from './merge-trees.ts';
import type { Mirror } from './mirror.ts';
import { importCommits } from './mirror.ts';
import { findDirty, moveBranch } from './move-branch.ts';
import type { Project } from './project.ts';
import { isAncestor } from './refs.ts';

/** What came of bringing a result over into a branch of the user. */
export type LandResult =
  | { readonly kind: 'fast-forward' | 'merged' | 'already'; readonly from: string; readonly to: string }
  | { readonly kind: 'conflict'; readonly files: readonly string[] }
  /** The user's files stand in the way; none was touched. */
  | { readonly kind: 'dirty'; readonly files: readonly string[] }
  | { readonly kind: 'gates-red'; readonly detail: string };

/** How a result is brought over. */
export type LandInput = {
  readonly project: Project;
  readonly mirror: Mirror;
  readonly onto: string;
  readonly commit: string;
  /** Runs the gates on a merge; a fast-forward brings over what was gated already. */
  readonly runGates?: (place: {
    readonly dir: string;
    readonly access: Access;
  }) => Promise<{ readonly passed: boolean; readonly detail: string }>;
  /** A folder that may be made and removed, for the gates. */
  readonly scratchDir: string;
  readonly identity: Author;
  readonly message: string;
  readonly at: Date;
};

/** Brings a commit into a branch of the user: fast-forward, else a merge that passed the gates. Whatever stops it changes nothing. */
export async function landBranch(input: LandInput): Promise<LandResult> {
  const { project, mirror, onto, commit } = input;
  const from = await readBranch(project.place, onto);
  if (from === null) throw new VolleyError('unknown-ref', `There is no branch called '${onto}'.`, 'Land it onto one of your own branches.');
  await importCommits(mirror, project, [from]);
  if (await isAncestor(mirror.place, commit, from)) return { kind: 'already', from, to: from };
  const dirty = await findDirty(project.place, onto);
  if (dirty !== null) return { kind: 'dirty', files: dirty };
  if (await isAncestor(mirror.place, from, commit)) return await move(input, { kind: 'fast-forward', from, to: commit });

  const merge = await mergeTrees(mirror.place, from, commit);
  if (merge.kind === 'conflict') return merge;
  const draft = { tree: merge.tree, parents: [from, commit], message: input.message, identity: input.identity, at: input.at };
  const to = await writeCommit(join(mirror.dir, 'objects'), draft);
  const gates = await runGatesOn(input, to);
  return gates.passed ? await move(input, { kind: 'merged', from, to }) : { kind: 'gates-red', detail: gates.detail };
}

async function move(input: LandInput, step: Extract<LandResult, { readonly to: string }>): Promise<LandResult> {
  const moved = await moveBranch({
    user: input.project.place,
    mirror: input.mirror.place,
    branch: input.onto,
    from: step.from,
    to: step.to,
  });
  return moved.kind === 'moved' ? step : moved;
}

async function runGatesOn(input: LandInput, commit: string): Promise<{ readonly passed: boolean; readonly detail: string }> {
  if (input.runGates === undefined) return { passed: true, detail: '' };
  const scratch = await openCheckout({ mirror: input.mirror.place, dir: input.scratchDir, commit });
  try {
    return await input.runGates({ dir: scratch.dir, access: await accessOf(scratch) });
  } finally {
    await removeCheckout(scratch);
  }
}
