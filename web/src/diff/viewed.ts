import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { readChangeName } from '../../../src/core/change-view.ts';
import type { ChangeFile } from '../../../src/core/change-view.ts';

/** By what files are ticked off (a loop, or the base of a change without one), then by path: the version that was seen. */
export type Viewed = { readonly [scope: string]: { readonly [path: string]: string } };

/** So many loops and changes are remembered; whoever looks at another one forgets the one that was ticked longest ago. */
const MOST_SCOPES = 60;

/** The files that somebody has ticked off on this browser. */
export const useViewed = create<{ readonly viewed: Viewed }>()(
  persist((): { readonly viewed: Viewed } => ({ viewed: {} }), { name: 'volley-viewed' }),
);

/** What files are ticked off for: a loop, or else whatever starts at the same commit, because a working tree has many heads. */
export function viewedScope(loop: { readonly uid: string } | null, change: string): string {
  return loop === null ? readChangeName(change).base : loop.uid;
}

type Seen = Pick<ChangeFile, 'path' | 'newBlob' | 'oldBlob' | 'newMode'>;

/** Whether a file was ticked off as it is now; one that changed since is unseen again. */
export function isViewed(viewed: Viewed, scope: string, file: Seen): boolean {
  return viewed[scope]?.[file.path] === versionOf(file);
}

/** How many of the files are ticked off. */
export function viewedCount(viewed: Viewed, scope: string, files: readonly Seen[]): number {
  return files.filter((file) => isViewed(viewed, scope, file)).length;
}

/** What is remembered after a file was ticked off, or no longer is. */
export function withViewed(viewed: Viewed, scope: string, { file, on }: { readonly file: Seen; readonly on: boolean }): Viewed {
  const { [scope]: before = {}, ...others } = viewed;
  const { [file.path]: _, ...rest } = before;
  const kept = Object.entries(others).slice(1 - MOST_SCOPES);
  return { ...Object.fromEntries(kept), [scope]: on ? { ...rest, [file.path]: versionOf(file) } : rest };
}

/** Ticks a file off, or takes that back. */
export function setViewed(scope: string, file: Seen, on: boolean): void {
  useViewed.setState(({ viewed }) => ({ viewed: withViewed(viewed, scope, { file, on }) }));
}

function versionOf({ newBlob, oldBlob, newMode }: Seen): string {
  return newBlob === null ? `gone ${oldBlob ?? ''}` : `${newBlob} ${newMode}`;
}
