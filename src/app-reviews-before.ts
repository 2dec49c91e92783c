import type { App } from './app.ts';
import { reviewedPaths } from './app-reviewed-paths.ts';
import type { Loop } from './core/loop.ts';
import { isAskedByAgent } from './engine/asked-by-agent.ts';
import type { StartRequest } from './engine/start.ts';
import { isAtRest } from './core/at-rest.ts';
import { branchOf } from './core/task.ts';
import { isAncestor } from './git/refs.ts';

/** What agents asked for before a review, newest first. */
export type ReviewsBefore = {
  /** The loop that reviews, or reviewed, the very same: tree, base and reviewers. */
  readonly same: Loop | null;
  /** The reviews of this change, whatever it looked like then, that no approval came after. */
  readonly ofChange: readonly Loop[];
};

/** So many of the newest reviews are looked at. */
const NEWEST = 50;

/** Looks for the reviews of a change that agents asked for; what people asked for is theirs, but an approval is one whoever asked. */
export async function reviewsBefore(app: Opened, prepared: StartRequest): Promise<ReviewsBefore> {
  const { store } = app.engine;
  /** The files that were not approved since. */
  const paths = new Set(await reviewedPaths(app, prepared));
  const chain = new Set<number>();
  if (prepared.task.follows !== null) chain.add(prepared.task.follows);
  const ofChange: Loop[] = [];
  let same: Loop | null = null;
  for (const { id } of await store.rows({ kind: 'review', limit: NEWEST })) {
    const loop = await store.load(id);
    if (loop === null || isVain(loop)) continue;
    const isAgents = await isAskedByAgent(store, id);
    if (isAgents && same === null && isSame(loop, prepared)) same = loop;
    const isLink = chain.has(id);
    if (isLink && loop.task.follows !== null) chain.add(loop.task.follows);
    const shared = paths.size === 0 ? [] : await sharedPaths(app, loop, { prepared, paths });
    if (loop.approval !== null) {
      if (shared.length > 0 && (await coversBase(app, loop, prepared))) for (const path of shared) paths.delete(path);
    } else if (isAgents && paths.size > 0 && (isLink || shared.length > 0)) ofChange.push(loop);
  }
  return { same, ofChange };
}

type Opened = Pick<App, 'engine' | 'mirror'>;

/** Cancelled before anybody answered: it said nothing about the change. */
function isVain({ state, rounds }: Loop): boolean {
  return state === 'cancelled' && rounds.length === 0;
}

/** One that came to rest without an answer is no answer for anybody else either. */
function isSame(loop: Loop, { task, start, base, settings }: StartRequest): boolean {
  const reviewers = (names: readonly string[]): string => names.toSorted().join('\n');
  return (
    loop.state !== 'cancelled' &&
    (loop.rounds.length > 0 || !isAtRest(loop)) &&
    loop.task.fix === task.fix &&
    loop.start.tree === start.tree &&
    loop.base.mergeBaseTree === base.mergeBaseTree &&
    reviewers(loop.settings.roles.reviewer) === reviewers(settings.roles.reviewer)
  );
}

type Wanted = { readonly prepared: StartRequest; readonly paths: ReadonlySet<string> };

/**
 * The files that an earlier review has in common with a change. A change has no name of its own: it is the same if it begins at the same
 * commit or is of the same branch, and touches one of the same files. A review whose commits are gone is of none.
 */
async function sharedPaths(app: Opened, loop: Loop, { prepared, paths }: Wanted): Promise<readonly string[]> {
  const branch = branchOf(prepared.task);
  const isOfBranch = branch !== null && branchOf(loop.task) === branch;
  if (loop.base.mergeBase !== prepared.base.mergeBase && !isOfBranch) return [];
  return ((await reviewedPaths(app, loop)) ?? []).filter((path) => paths.has(path));
}

/** Who approved what was done since a later commit did not see what was done before it. */
async function coversBase({ mirror }: Opened, { base }: Loop, prepared: StartRequest): Promise<boolean> {
  return base.mergeBase === prepared.base.mergeBase || (await isAncestor(mirror.place, base.mergeBase, prepared.base.mergeBase));
}
