import type { App } from './app.ts';
import type { Loop } from './core/loop.ts';
import { isAskedByAgent } from './engine/asked-by-agent.ts';
import type { StartRequest } from './engine/start.ts';
import { isAtRest } from './core/at-rest.ts';

/** What agents asked for before a review, newest first. */
export type ReviewsBefore = {
  /** The loop that reviews, or reviewed, the very same: tree, base and reviewers. */
  readonly same: Loop | null;
  /** The reviews of this change, whatever it looked like then, since it was approved last. */
  readonly ofChange: readonly Loop[];
};

/** So many of the newest reviews are looked at. */
const NEWEST = 50;

/** Looks for the reviews of a change that agents asked for; what people asked for is theirs. */
export async function reviewsBefore({ engine }: Pick<App, 'engine'>, prepared: StartRequest): Promise<ReviewsBefore> {
  const { store } = engine;
  const paths = new Set(await pathsOf(engine, prepared));
  const chain = new Set<number>();
  if (prepared.task.follows !== null) chain.add(prepared.task.follows);
  const ofChange: Loop[] = [];
  let same: Loop | null = null;
  let isOpen = true;
  for (const { id } of await store.rows({ kind: 'review', limit: NEWEST })) {
    const loop = await store.load(id);
    if (loop === null || isVain(loop) || !(await isAskedByAgent(store, id))) continue;
    if (same === null && isSame(loop, prepared)) same = loop;
    const isLink = chain.has(id);
    if (isLink && loop.task.follows !== null) chain.add(loop.task.follows);
    if (!isOpen || !(isLink || (await isOfChange(engine, loop, { prepared, paths })))) continue;
    if (loop.approval === null) ofChange.push(loop);
    else isOpen = false;
  }
  return { same, ofChange };
}

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

/** A change has no name of its own: it is the same if it begins at the same commit and touches one of the same files. */
async function isOfChange(engine: App['engine'], loop: Loop, { prepared, paths }: Wanted): Promise<boolean> {
  if (loop.base.mergeBase !== prepared.base.mergeBase) return false;
  return (await pathsOf(engine, loop)).some((path) => paths.has(path));
}

async function pathsOf({ workspace }: App['engine'], { base, start }: Pick<Loop, 'base' | 'start'>): Promise<readonly string[]> {
  return await workspace.changedPaths(base.mergeBase, start.commit);
}
