import { createHash } from 'node:crypto';
import type { App } from './app.ts';
import { stateFolder } from './app-files.ts';
import { configFor } from './app-start.ts';
import type { Flags } from './config/value-layers.ts';
import type { Loop } from './core/loop.ts';
import { BUILTIN } from './core/settings.ts';
import { answerStop, isSettled, NO_STOPS } from './core/stop-hook.ts';
import type { StopAnswer, StopMemory } from './core/stop-hook.ts';
import { writeReviewMarkdown } from './core/writers/review-markdown.ts';
import { previewChange } from './git/locate.ts';
import type { ChangeRequest } from './core/change-request.ts';
import type { ChangePreview } from './git/locate.ts';
import { importCommits } from './git/mirror.ts';
import { openProject, worktreeStatus } from './git/project.ts';
import type { Project } from './git/project.ts';
import { currentHead, defaultBase, latestShared, noCommonHistory, treeOf } from './git/refs.ts';
import { workingTreeOf } from './git/snapshot.ts';
import { readStopMemory, writeStopMemory } from './store/stop-memory.ts';

/** What blocks where nobody said what does. */
export const STOP_FAIL_ON = 'high';

/** When a session of a client is looked at: before its agent does anything, or when it wants to stop. */
export type Moment = 'start' | 'stop';

/** What the agent of a session may have changed since it began, its commits and what is not committed together; null if nothing. */
export async function changeOf(cwd: string, session: string, moment: Moment): Promise<ChangeRequest | null> {
  const project = await openProject(cwd);
  const memory = readStopMemory(stateFolder(project.key), session);
  // A session that is taken up again began when it began.
  if (moment === 'start' && memory !== null) return null;
  const [{ commit: head }, { dirty, untracked }] = await Promise.all([currentHead(project), worktreeStatus(project)]);
  const from = memory !== null && memory.from.length > 0 ? memory.from : await commitsBefore(project, head, moment);
  if (from !== memory?.from) await writeStopMemory(stateFolder(project.key), session, { ...(memory ?? NO_STOPS), from: [...from] });
  const base = await latestShared(project.place, head, from);
  if (base === null) throw noCommonHistory(from[0] ?? head, head);
  if (dirty || untracked) return { kind: 'working-tree', base };
  const branch: ChangeRequest = { kind: 'branch', branch: 'HEAD', base };
  return base === head || (await previewChange(project, branch)).paths.length === 0 ? null : branch;
}

/** The commits that are no agent's when its session is first seen; all that follows on them, on any branch, may be its own. */
async function commitsBefore(project: Project, head: string, moment: Moment): Promise<readonly string[]> {
  const base = await defaultBase(project);
  if (base === null || (await latestShared(project.place, head, [base.commit])) === null) return [head];
  // At a stop the commits of the branch may be the agent's already.
  return moment === 'stop' ? [base.commit] : [head, base.commit];
}

/** A change that was looked at, with what tells it from every other one. */
type Seen = { readonly key: string; readonly tree: string; readonly flags: Flags };

/** Remembers what a session finds before its agent does anything: that is not the agent's change. */
export async function rememberFound(
  app: App,
  session: string,
  seeing: { readonly change: ChangeRequest; readonly typed: Flags },
): Promise<void> {
  const home = stateFolder(app.project.key);
  const { key } = await lookAt(app, seeing);
  await writeStopMemory(home, session, { ...(readStopMemory(home, session) ?? NO_STOPS), found: key });
}

/** A stop of a session: the change, what was typed, and how a change is reviewed until its loop rests. */
export type Stop = {
  readonly session: string;
  readonly change: ChangeRequest;
  readonly typed: Flags;
  /** Null if there is nothing to review. */
  readonly review: (flags: Flags) => Promise<Loop | null>;
};

/** Whether the agent may stop with its change; what was reviewed before, or was there before, is not reviewed again. */
export async function judgeStop(app: App, { session, change, typed, review }: Stop): Promise<StopAnswer> {
  const home = stateFolder(app.project.key);
  const memory = readStopMemory(home, session) ?? NO_STOPS;
  const seen = await lookAt(app, { change, typed });
  if (seen.key === memory.found) return {};
  const known = await settledReview(app, memory, seen);
  const loop = known ?? (await review(seen.flags));
  if (loop === null) return {};
  const report = await reportOf(app, loop);
  const judged = answerStop(memory, { key: seen.key, loop, isUnchanged: known !== null, report });
  // Before the agent is held back: a count that cannot be kept would hold it for ever.
  await writeStopMemory(home, session, judged.memory);
  return judged.answer;
}

/** The review that a change got earlier in its session, as it stands now: a person may have accepted it, or refuted what blocked. */
async function settledReview(app: App, memory: StopMemory, { key, tree }: Seen): Promise<Loop | null> {
  const task = memory.reviews.find((review) => review.key === key)?.task;
  const loop = task === undefined ? null : await app.engine.store.load(task);
  return loop !== null && loop.start.tree === tree && isSettled(loop) ? loop : null;
}

async function lookAt(app: App, { change, typed }: { readonly change: ChangeRequest; readonly typed: Flags }): Promise<Seen> {
  const { project, mirror } = app;
  const [preview, tree] = await Promise.all([
    previewChange(project, change),
    change.kind === 'working-tree' ? workingTreeOf({ project, mirror }) : treeOf(project.place, 'HEAD'),
  ]);
  await importCommits(mirror, project, [preview.base]);
  const flags = await flagsFor(app, typed, preview);
  const parts = [preview.base, tree, flags.reviewer ?? null, flags.blockAt ?? null];
  return { key: createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32), tree, flags };
}

/** What was typed, and below what is configured: the built-in reviewer, which costs nothing, and severity high. */
async function flagsFor(app: App, typed: Flags, preview: ChangePreview): Promise<Flags> {
  const { origins } = await configFor({ ...app, drivers: [] }, typed, { ...preview, asCommitted: true });
  const isUnset = (path: string): boolean => (origins.get(path)?.layer ?? 'default') === 'default';
  return {
    ...typed,
    ...(isUnset('roles.reviewer') ? { reviewer: BUILTIN } : {}),
    ...(isUnset('policy.blockAt') ? { blockAt: STOP_FAIL_ON } : {}),
  };
}

async function reportOf(app: App, loop: Loop): Promise<string> {
  const round = loop.rounds.at(-1);
  return round === undefined ? '' : writeReviewMarkdown({ loop, round, files: (await app.changedPaths(loop)).length }).trimEnd();
}
