import type { App } from './app.ts';
import { reviewedPaths } from './app-reviewed-paths.ts';
import { VolleyError } from './core/errors.ts';
import type { Loop } from './core/loop.ts';
import { branchOf, rangeEnd } from './core/task.ts';
import type { ChangeRequest } from './core/change-request.ts';
import type { ChangeNow } from './engine/control-desk.ts';
import { presentCommits } from './git/keep-named.ts';
import { locateChange } from './git/locate.ts';
import type { Project } from './git/project.ts';
import { currentHead, resolveCommit, treeOf } from './git/refs.ts';
import type { CurrentHead } from './git/refs.ts';
import { workingTreeOf } from './git/snapshot.ts';

/**
 * The change that a loop reviewed, with all that was done since, committed or not where it lies in this work tree, else where its branch
 * is now. What lies here must be the same change: that of the same branch, or, where nobody knows the branch, one that shares a file.
 */
export async function changeNow(app: App, loop: Loop): Promise<ChangeNow> {
  const { project, mirror } = app;
  const workTree = project.currentWorktree;
  const head = await currentHead(project);
  const isHere = liesHere(loop, head);
  if (isHere) refuseOtherBranch(loop, { head, workTree });
  await requireBase(project, loop);
  const change = isHere ? ({ kind: 'working-tree', base: loop.base.commit } as const) : changeElsewhere(loop);
  const tree = isHere ? await workingTreeOf({ project, mirror }) : await treeNamed(project, endOf(change));
  if (tree === loop.start.tree) return { change, workTree, is: 'as-reviewed', notes: isHere ? [] : [commitFirst(endOf(change))] };
  const { paths } = await locateChange(project, mirror, change);
  const before = await reviewedPaths(app, loop);
  if (before?.some((path) => paths.includes(path)) === true) return { change, workTree, is: 'changed', notes: [] };
  if (isHere && branchOf(loop.task) === null) throw nothingShared(loop, workTree);
  if (paths.length === 0) return { change, workTree, is: 'gone', notes: [] };
  const notes = before === null ? [] : [`No file that task ${loop.id} reviewed differs from the base any more.`];
  return { change, workTree, is: 'changed', notes };
}

/** Whether the change is that of what is checked out, so that what is not committed is part of it. */
function liesHere({ task, start }: Loop, head: CurrentHead): boolean {
  const isOfBranch = head.branch !== null && branchOf(task) === head.branch;
  return isOfHead(task) || isOfBranch || (task.source.kind === 'range' && start.commit === head.commit);
}

/** Whether the change was that of whatever was checked out, and named no branch of its own. */
function isOfHead({ source }: Loop['task']): boolean {
  switch (source.kind) {
    case 'working-tree':
      return true;
    case 'branch':
      return source.branch === 'HEAD';
    case 'range':
      return rangeEnd(source.range) === 'HEAD';
    case 'authored':
      return false;
  }
}

type Here = { readonly head: CurrentHead; readonly workTree: string };

/** Without the change there is nothing to find fault with, so that its review would be an approval of something else. */
function refuseOtherBranch({ id, task }: Loop, { head, workTree }: Here): void {
  const branch = branchOf(task);
  if (!isOfHead(task) || branch === null || branch === head.branch) return;
  const now = head.branch === null ? 'no branch is checked out' : `${head.branch} is`;
  throw new VolleyError(
    'refused',
    `Task ${id} reviewed what lay on ${branch}, and in ${workTree} ${now} now.`,
    `Nothing is written. Check out ${branch} there, or name the workTree that has it; for another change call review_my_change.`,
  );
}

async function requireBase({ place }: Project, { id, base }: Loop): Promise<void> {
  if ((await presentCommits(place, new Set([base.commit]))).size > 0) return;
  throw new VolleyError(
    'refused',
    `What task ${id} compared the change with, ${base.commit.slice(0, 12)}, is not in this repository.`,
    'Nothing is written. Call review_my_change for a review of the change as it is now.',
  );
}

function nothingShared({ id }: Loop, workTree: string): VolleyError {
  return new VolleyError(
    'refused',
    `Nothing says that the change in ${workTree} is the one that task ${id} reviewed: they share no file.`,
    'Nothing is written. Name the workTree that you work in, or call review_my_change for a review of its own.',
  );
}

function changeElsewhere({ task: { source }, base }: Loop): Extract<ChangeRequest, { kind: 'branch' | 'range' }> {
  if (source.kind === 'branch') return { ...source, base: base.commit };
  if (source.kind === 'range') return source;
  throw new VolleyError('refused', 'No agent outside made this change.', 'Look at it with show_loop.');
}

function endOf(change: ChangeRequest): string {
  return change.kind === 'branch' ? change.branch : change.kind === 'range' ? rangeEnd(change.range) : 'HEAD';
}

function commitFirst(end: string): string {
  return `It is reviewed as ${end} has it, which is not checked out here: commit your fixes to it first, or call review_my_change for where they are.`;
}

async function treeNamed({ place }: Project, name: string): Promise<string> {
  return await treeOf(place, await resolveCommit(place, name));
}
