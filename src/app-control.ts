import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { App } from './app.ts';
import { castOpenRoles } from './app-cast.ts';
import { changeNow } from './app-change-now.ts';
import { editConfig } from './app-edit-config.ts';
import { stateFolder } from './app-files.ts';
import { readSettings } from './app-read-settings.ts';
import { reviewsBefore } from './app-reviews-before.ts';
import type { ReviewsBefore } from './app-reviews-before.ts';
import { configFor } from './app-start.ts';
import type { TrustedCommit } from './app-trusted-commit.ts';
import { AS_FLAGS } from './config/called.ts';
import type { Edit } from './config/edit-yaml.ts';
import type { Loaded } from './config/load.ts';
import type { Flags } from './config/value-layers.ts';
import { moneyUsd } from './config/values.ts';
import { describeChange, sourceOf } from './core/change-request.ts';
import type { ChangeRequest } from './core/change-request.ts';
import { dollars } from './core/ceilings.ts';
import { VolleyError } from './core/errors.ts';
import type { Loop } from './core/loop.ts';
import { HARD_TOTAL_ROUNDS } from './core/policy.ts';
import type { ReviewDefaults, ReviewDefaultsEdit } from './core/review-defaults.ts';
import { plainTask } from './core/task.ts';
import type { Configured, ControlDesk, ReviewRequest, StartedReview } from './engine/control-desk.ts';
import type { StartRequest } from './engine/start.ts';
import { importCommits } from './git/mirror.ts';
import { listWorktrees, openProject, worktreeStatus } from './git/project.ts';
import type { Project } from './git/project.ts';
import { currentHead, defaultBase, latestShared } from './git/refs.ts';
import type { NamedCommit } from './git/refs.ts';
import { withLock } from './lib/lock.ts';

/** What agents that use Volley need of an open project; `trusted` tells whose configuration counts for them. */
export function openControlDesk(app: App, trusted: TrustedCommit): ControlDesk {
  const read = async (project = app.project): Promise<Loaded> => await readSettings(project.currentWorktree, {});
  return {
    review: async (request) => {
      const project = await projectAt(app, request.workTree);
      // One at a time, whoever asks and in whichever process, so that the same change is not paid for twice.
      return await withLock(
        join(stateFolder(project.key), 'control.lock'),
        async () => await startReview({ ...app, project }, request, { here: await read(project), trusted: await trusted() }),
      );
    },
    changeNow: async (loop, workTree) => {
      const project = workTree === null ? await projectOf(app, loop) : await projectAt(app, workTree);
      return await changeNow({ ...app, project }, loop);
    },
    configure: async (changes) => await configure(app, changes, await read()),
    mayDecide: async () => (await read()).config.mcp.decide,
  };
}

/** The project as it is seen from one of its work trees. */
async function projectAt({ project }: App, workTree: string | null): Promise<Project> {
  const found = workTree === null ? project : await findWorkTree(project, workTree);
  if (found !== null) return found;
  throw new VolleyError(
    'refused',
    `${JSON.stringify(workTree?.slice(0, 200))} is no work tree of this project.`,
    `Name one of those that git worktree list tells, or leave it out for ${project.currentWorktree}.`,
  );
}

/** The project as it is seen from where the change of a loop lay when it was reviewed. */
async function projectOf({ project }: App, { id, task: { takenFrom } }: Loop): Promise<Project> {
  const found = takenFrom === null ? project : await findWorkTree(project, takenFrom.workTree);
  if (found !== null) return found;
  throw new VolleyError(
    'refused',
    `Task ${id} reviewed the change in ${takenFrom?.workTree ?? ''}, which is no work tree of this project any more.`,
    'Nothing is written. Name the workTree in which the change lies now, or call review_my_change for a review of its own.',
  );
}

async function findWorkTree(project: Project, path: string): Promise<Project | null> {
  const real = async (one: string): Promise<string | null> => await realpath(one).catch(() => null);
  const [wanted, known] = await Promise.all([real(resolve(project.currentWorktree, path)), listWorktrees(project.place)]);
  for (const one of known) if (wanted !== null && (await real(one)) === wanted) return await openProject(wanted);
  return null;
}

function defaultsOf({ config: { policy, review } }: Loaded): ReviewDefaults {
  return { maxRounds: policy.maxRounds, costCeiling: moneyUsd(policy.ceiling.loop), autoIterate: review.autoIterate };
}

type Given = { readonly here: Loaded; readonly trusted: NamedCommit };

/**
 * What decides about a verdict is read from a commit that the agent did not choose. Of what lies in the work tree only the three
 * defaults count, which an agent may set: how many rounds, how little money, and whether a fixer follows.
 */
async function startReview(app: App, request: ReviewRequest, { here, trusted }: Given): Promise<StartedReview | null> {
  const change = request.change ?? (await myChange(app));
  await importCommits(app.mirror, app.project, [trusted.commit]);
  const committed = await configFor(app, {}, { base: trusted.commit, paths: [], trusted });
  const fix = request.autoIterate ?? here.config.review.autoIterate;
  const title = `Review ${describeChange(change)}`;
  const task = plainTask({ kind: 'review', title, source: sourceOf(change), fix, follows: request.follows });
  const { reviewer, notes } = await reviewerOf(request, committed);
  const flags = flagsOf({ ...request, reviewer }, { here, committed });
  const most = committed.config.policy.maxRounds;
  let before: ReviewsBefore = { same: null, ofChange: [] };
  const instead = async (prepared: StartRequest): Promise<Loop | null> => {
    before = await reviewsBefore(app, prepared);
    if (before.same === null) refuseOften(before.ofChange, most);
    return before.same;
  };
  const loop = await app.start({ change, task, flags, trusted, at: app.project, instead, by: request.by });
  const isNew = before.same === null;
  const number = before.ofChange.length + (isNew ? 1 : 0);
  const { branch } = await currentHead(app.project);
  return loop === null ? null : { loop, isNew, number, most, change, branch, notes, workTree: app.project.currentWorktree };
}

/** A loop ends, also one whose fixer is not ours. */
function refuseOften(reviews: readonly Loop[], most: number): void {
  const [last] = reviews;
  if (last === undefined || reviews.length < most) return;
  throw new VolleyError(
    'refused',
    `This change was reviewed ${reviews.length} times, which is the limit (policy.maxRounds), and task ${last.id} still does not approve it.`,
    'Stop here: tell the person what is open and what you tried. They can ask for another review with volley review.',
  );
}

/** The reviewers that were asked for, by the names that the configuration has for them; an agent does not choose its judge among all agents. */
async function reviewerOf({ reviewer, follows }: ReviewRequest, committed: Loaded): Promise<Reviewers> {
  if (reviewer === null) return { reviewer, notes: [] };
  const { loaded } = await castOpenRoles(committed, { authored: false, fixed: false });
  const { roles } = loaded.config;
  const offered = [...new Set([roles.reviewer, roles.fallback].flat())];
  // Behind its name stands the model that a task type chose for it.
  const known = reviewer.map((name) => ({ name, is: offered.find((one) => name === one || name.startsWith(`${one}@`)) ?? null }));
  const stranger = known.find(({ is }) => is === null);
  if (stranger === undefined) return { reviewer: known.flatMap(({ is }) => is ?? []), notes: [] };
  const what = `${JSON.stringify(stranger.name)} is not among those who may review here`;
  // Nobody named them: the configuration did when the first review was asked for.
  if (follows !== null) return { reviewer: null, notes: [`${what} any more, so those review that are configured now.`] };
  throw new VolleyError('refused', `${what}.`, `Leave it out, or name one of: ${offered.join(', ')}.`);
}

type Reviewers = { readonly reviewer: readonly string[] | null; readonly notes: readonly string[] };

type Configs = { readonly here: Loaded; readonly committed: Loaded };

function flagsOf(request: ReviewRequest, { here, committed }: Configs): Flags {
  const limits = [here, committed].map(({ config }) => moneyUsd(config.policy.ceiling.loop));
  const ceiling = lowest(limits);
  const most = mostRounds(committed.config.policy.maxRounds);
  refuseRaised(request.costCeiling, ceiling);
  refuseRounds(request.maxRounds, most);
  const own = here.origins.get('policy.maxRounds');
  const isOwn = own?.layer === 'project' && own.effort === null;
  const rounds = request.maxRounds ?? (isOwn ? Math.min(here.config.policy.maxRounds, most) : null);
  const money = lowest([ceiling, request.costCeiling]);
  return {
    ...(request.reviewer === null ? {} : { reviewer: request.reviewer.join(',') }),
    ...(rounds === null ? {} : { maxRounds: String(rounds) }),
    ...(money === null ? {} : { ceiling: String(money) }),
    called: { ...AS_FLAGS, reviewer: '`reviewer`', maxRounds: '`maxRounds`', ceiling: '`costCeiling`' },
  };
}

function lowest(amounts: readonly (number | null)[]): number | null {
  const set = amounts.filter((amount) => amount !== null);
  return set.length === 0 ? null : Math.min(...set);
}

function refuseRaised(wanted: number | null, limit: number | null): void {
  if (wanted === null || limit === null || wanted <= limit) return;
  throw new VolleyError(
    'refused',
    `The ceiling of a loop is ${dollars(limit)} here, and an agent may not raise it.`,
    'Ask for no more than that, or tell the person, who can.',
  );
}

function mostRounds(configured: number): number {
  return Math.max(HARD_TOTAL_ROUNDS, configured);
}

function refuseRounds(wanted: number | null, most: number): void {
  if (wanted === null || wanted <= most) return;
  throw new VolleyError('refused', `${most} rounds are the most that an agent may ask for here.`, `Ask for ${most} or fewer.`);
}

/**
 * What whoever works in the work tree changed since the default branch, committed or not: else who commits what was found wrong would have
 * the rest approved. On the default branch itself nothing tells its own commits from others, so it is what is not committed.
 */
async function myChange({ project }: App): Promise<ChangeRequest> {
  const [{ dirty, untracked }, { commit: head }, main] = await Promise.all([
    worktreeStatus(project),
    currentHead(project),
    defaultBase(project),
  ]);
  if (!dirty && !untracked) return { kind: 'branch', branch: 'HEAD', base: null };
  const shared = main === null ? null : await latestShared(project.place, head, [main.commit]);
  return main === null || shared === null || shared === head ? { kind: 'working-tree' } : { kind: 'working-tree', base: main.commit };
}

const PATHS: Readonly<Record<keyof ReviewDefaults, readonly string[]>> = {
  maxRounds: ['policy', 'maxRounds'],
  costCeiling: ['policy', 'ceiling', 'loop'],
  autoIterate: ['review', 'autoIterate'],
};

async function configure(app: App, changes: ReviewDefaultsEdit, here: Loaded): Promise<Configured> {
  const before = defaultsOf(here);
  refuseRounds(changes.maxRounds ?? null, mostRounds(before.maxRounds));
  refuseRaised(changes.costCeiling === null ? Number.POSITIVE_INFINITY : (changes.costCeiling ?? null), before.costCeiling);
  const edits = editsOf(changes);
  const cwd = app.project.currentWorktree;
  if (edits.length === 0) return { file: 'volley.yaml', notes: [], defaults: before };
  const { label, notes } = await editConfig(cwd, edits, { user: false });
  return { file: label, notes, defaults: defaultsOf(await readSettings(cwd, {})) };
}

function editsOf({ maxRounds, costCeiling, autoIterate }: ReviewDefaultsEdit): Edit[] {
  const values = { maxRounds, costCeiling: costCeiling === null ? 'none' : costCeiling, autoIterate };
  return Object.entries(PATHS).flatMap(([name, path]) => {
    const value: unknown = Reflect.get(values, name);
    return value === undefined ? [] : [{ path, value }];
  });
}
