import { join } from 'node:path';
import type { Head } from '../core/event.ts';
import { treeOfCommit, writeCommit } from './commit-object.ts';
import type { Author } from './commit-object.ts';
import { mergeTrees } from './merge-trees.ts';
import { importCommits } from './mirror.ts';
import type { Mirror } from './mirror.ts';
import type { Project } from './project.ts';
import { isAncestor } from './refs.ts';

/** One commit that holds what several do, or the files in which they conflict. */
export type Joined = { readonly kind: 'joined'; readonly head: Head } | { readonly kind: 'conflict'; readonly files: readonly string[] };

/** Which commits of the mirror are joined, and in whose name. */
export type JoinInput = {
  readonly project: Project;
  readonly mirror: Mirror;
  readonly commits: readonly [string, ...string[]];
  readonly identity: Author;
  readonly message: string;
  readonly at: Date;
};

/** The commit that has all that these have: one of them where that is so, else their merge, which the mirror keeps. */
export async function joinCommits({ project, mirror, commits, identity, message, at }: JoinInput): Promise<Joined> {
  let [head] = commits;
  for (const commit of commits.slice(1)) {
    if (await isAncestor(mirror.place, commit, head)) continue;
    if (await isAncestor(mirror.place, head, commit)) {
      head = commit;
      continue;
    }
    const merge = await mergeTrees(mirror.place, head, commit);
    if (merge.kind === 'conflict') return merge;
    head = await writeCommit(join(mirror.dir, 'objects'), { tree: merge.tree, parents: [head, commit], message, identity, at });
  }
  await importCommits(mirror, project, [head]);
  return { kind: 'joined', head: { commit: head, tree: await treeOfCommit(mirror.place, head) } };
}
