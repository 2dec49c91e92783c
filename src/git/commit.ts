import { join } from 'node:path';
import type { WorkOutcome } from '../core/event.ts';
import type { Checkout } from './checkout.ts';
import { giveIndexToAgents } from './checkout.ts';
import type { Author, CommitDraft } from './commit-object.ts';
import { withTrailers, writeCommit } from './commit-object.ts';
import type { CommitGroup } from './group-trees.ts';
import { groupTrees } from './group-trees.ts';
import { inspectStaged } from './inspect.ts';
import { keepFile } from './keep-file.ts';
import { keepTree } from './partial.ts';
import type { Signing } from './sign.ts';
import { writeSignedCommit } from './sign.ts';
import { stageAll } from './stage.ts';

/** How the work in a checkout is committed. */
export type CommitInput = {
  readonly checkout: Checkout;
  /** The loop, under whose partial refs a tree is kept that must not be committed. */
  readonly id: number | string;
  /** The commit that ours follows, wherever an agent moved HEAD to. */
  readonly parent: string;
  readonly message: string;
  readonly trailers: Readonly<Record<string, string>>;
  readonly identity: Author;
  readonly at: Date;
  /** Provisioned paths. */
  readonly exclude: readonly string[];
  readonly groups?: readonly CommitGroup[];
  readonly sign?: Signing | null;
};

/** What became of it; `skipped` names nested repositories, whose files git cannot take. */
export type CommitResult = Extract<WorkOutcome, { kind: 'committed' | 'unchanged' | 'withheld' }> & { readonly skipped: string[] };

/** Commits all tracked and new, not ignored files as the engine's own work; secrets and huge new files hold it back. */
export async function commitAll(input: CommitInput): Promise<CommitResult> {
  const { checkout, parent } = input;
  const { staged, skipped } = await stageAll(input);
  if (staged === null) return { kind: 'unchanged', skipped };
  const { tree, parentTree } = staged;
  const { findings, files } = await inspectStaged(checkout, staged);
  if (findings.length > 0) {
    const ref = await keepTree({ place: checkout.place, id: input.id, parent, tree, at: input.at });
    return { kind: 'withheld', ref, tree, findings: [...findings], skipped };
  }
  const steps = await groupTrees({ checkout, parentTree, tree, groups: input.groups ?? [], message: input.message });
  const commits: string[] = [];
  for (const step of steps) commits.push(await commitStep(input, step, commits.at(-1) ?? parent));
  const commit = commits.at(-1) ?? parent;
  const heads = [checkout.place.gitDir, checkout.agentDir].map(async (dir) => await keepFile(join(dir, 'HEAD'), `${commit}\n`));
  await Promise.all([...heads, giveIndexToAgents(checkout)]);
  return { kind: 'committed', commits, head: { commit, tree }, files: [...files], skipped };
}

async function commitStep(input: CommitInput, step: { readonly tree: string; readonly message: string }, parent: string): Promise<string> {
  const draft: CommitDraft = {
    tree: step.tree,
    parents: [parent],
    message: withTrailers(step.message, input.trailers),
    identity: input.identity,
    at: input.at,
  };
  const { place } = input.checkout;
  return input.sign ? await writeSignedCommit(place, draft, input.sign) : await writeCommit(join(place.commonDir, 'objects'), draft);
}
