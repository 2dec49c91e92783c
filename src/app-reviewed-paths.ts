import type { App } from './app.ts';
import type { Loop } from './core/loop.ts';
import { presentCommits } from './git/keep-named.ts';

/**
 * The files that a review looked at; null where its commits are gone, as they are when a project was moved, its state folder was lost or
 * its journal comes from elsewhere.
 */
export async function reviewedPaths(
  { engine, mirror }: Pick<App, 'engine' | 'mirror'>,
  { base, start }: Pick<Loop, 'base' | 'start'>,
): Promise<readonly string[] | null> {
  const ends = new Set([base.mergeBase, start.commit]);
  const present = await presentCommits(mirror.place, ends);
  return present.size < ends.size ? null : await engine.workspace.changedPaths(base.mergeBase, start.commit);
}
