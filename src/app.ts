import { createAgent, DRIVERS } from './agents/index.ts';
import { programs, readConfig } from './app-config.ts';
import { landLoop } from './app-land.ts';
import type { Landing } from './app-land.ts';
import { makeArtefacts, stateFolder } from './app-files.ts';
import { openStore } from './app-store.ts';
import { chooseConfinement } from './confine/index.ts';
import type { Loaded } from './config/load.ts';
import { toSettings } from './config/settings.ts';
import { configRows, valueText } from './config/show.ts';
import type { Flags } from './config/value-layers.ts';
import { VolleyError } from './core/errors.ts';
import type { Loop } from './core/loop.ts';
import type { Settings } from './core/settings.ts';
import type { Task } from './core/task.ts';
import type { WorkReport } from './dispatch/dispatcher.ts';
import { localDispatcher } from './dispatch/local.ts';
import { isAlive } from './dispatch/owner.ts';
import { documentPath } from './engine/artefacts.ts';
import { requireLoop, startLoop } from './engine/commands.ts';
import type { Engine, Progress } from './engine/engine.ts';
import { putAway } from './engine/put-away.ts';
import { runLoop } from './engine/run-loop.ts';
import { matchesPaths, runGate } from './gates/gate.ts';
import { findCommitHooks } from './git/commit-hooks.ts';
import { locateChange, previewChange } from './git/locate.ts';
import type { ChangeRequest, LocatedChange } from './git/locate.ts';
import { openMirror } from './git/mirror.ts';
import type { Mirror } from './git/mirror.ts';
import { openWorkspace } from './git/open-workspace.ts';
import { isTracked, openProject, userIdentity } from './git/project.ts';
import type { Identity, Project } from './git/project.ts';
import { branchNames } from './git/refs.ts';
import { killMarked } from './lib/process-tree.ts';

export type { Flags } from './config/value-layers.ts';
export type { Landing } from './app-land.ts';
export type { Progress } from './engine/engine.ts';
export type { ChangeRequest } from './git/locate.ts';
export { decideLoop, overrideLoop } from './engine/commands.ts';

/** What a person asks for when a loop is started. */
export type TaskRequest = {
  readonly change: ChangeRequest;
  readonly task: Task;
  readonly flags: Flags;
};

/** One project, open: its journal, its engine, and what a person can do. */
export type App = {
  readonly project: Project;
  readonly mirror: Mirror;
  readonly engine: Engine;
  readonly person: Identity;
  /** Finds the change and writes a new loop; null if there is nothing to review. */
  start(request: TaskRequest): Promise<Loop | null>;
  /** Drives these loops, or everything that is pending, until they rest. */
  drive(ids: readonly number[] | null, signal: AbortSignal): Promise<WorkReport>;
  load(id: number): Promise<Loop>;
  /** Whether another living process drives the loop. */
  isDriven(id: number): Promise<boolean>;
  /** Removes the folders of a loop that is over, unless a living process still drives it, which does so itself. */
  putAway(loop: Loop): Promise<void>;
  /** Brings the work of an approved loop to a branch of the user, or to their working tree. */
  land(loop: Loop, onto: string | null): Promise<Landing>;
  /** The newest review document of a loop, relative to the project's root. */
  documentOf(loop: Loop): string | null;
  close(): Promise<void>;
};

/** Opens the project that a folder belongs to, for driving loops. */
export async function openApp(options: { readonly cwd: string; report(progress: Progress): void }): Promise<App> {
  const project = await openProject(options.cwd);
  await refuseForeignJournal(project);
  const folder = stateFolder(project.key);
  const store = openStore(project.root);
  const [mirror, person] = await Promise.all([openMirror({ project, stateDir: stateFolder() }), userIdentity(project)]);
  const engine: Engine = {
    store,
    dispatcher: localDispatcher(store),
    workspace: openWorkspace({ project, mirror, folder, identity: person }),
    confinement: chooseConfinement(),
    artefacts: makeArtefacts(project.root, folder),
    home: `${folder}/home`,
    createAgent,
    runGate,
    gateMatches: matchesPaths,
    killMarked,
    now: () => new Date().toISOString(),
    report: (progress) => options.report(progress),
  };
  const open = { project, mirror, engine, person };
  return {
    ...open,
    start: async (request) => await start(open, request),
    drive: async (ids, signal) =>
      await engine.dispatcher.work({ slots: 1, ...(ids === null ? {} : { only: ids }) }, async ({ loopId }) => {
        if (!signal.aborted) await runLoop(engine, loopId, signal);
      }),
    load: async (id) => await requireLoop(engine, id),
    isDriven: async (id) => {
      const owner = (await store.transaction(async (tx) => await tx.job(id)))?.owner ?? null;
      return owner !== null && (await isAlive(owner));
    },
    putAway: async (loop) => {
      const owner = (await store.rows({ state: loop.state })).find((row) => row.id === loop.id)?.owner ?? null;
      if (owner === null || !(await isAlive(owner))) await putAway(engine, loop);
    },
    land: async (loop, onto) => await landLoop({ ...open, scratch: `${folder}/landing` }, loop, onto),
    documentOf: (loop) => (loop.rounds.length === 0 ? null : documentPath(loop, loop.rounds.length)),
    close: async () => {
      await engine.dispatcher.close();
      await store.close();
    },
  };
}

/** A journal that came with a clone names programs to run, and nobody here wrote it. */
async function refuseForeignJournal(project: Project): Promise<void> {
  if (!(await isTracked(project, '.volley/volley.db'))) return;
  throw new VolleyError(
    'store-broken',
    'Git tracks .volley/volley.db, so this journal is not your own.',
    'Look where it comes from, then take it out: git rm --cached .volley/volley.db, and move the file away.',
  );
}

type Open = Pick<App, 'project' | 'mirror' | 'engine' | 'person'>;

async function start(open: Open, request: TaskRequest): Promise<Loop | null> {
  const located = await locateChange(open.project, open.mirror, request.change);
  if (request.task.kind === 'review' && located.paths.length === 0) return null;
  const loaded = await configFor(open, request, located);
  const commitHooks = await findCommitHooks(open.project, open.mirror.place, located.base.commit);
  const settings = { ...(await settingsFor(loaded, request.task)), commitHooks };
  return await startLoop(open.engine, {
    task: request.task,
    settings,
    base: located.base,
    start: located.start,
    by: open.person.name,
    notes: [...located.notes, ...loaded.notes, ...(open.person.assumed ? ['Git knows no name of yours; commits are made as Volley.'] : [])],
    takenBranches: new Set(await branchNames(open.project.place, 'volley/')),
  });
}

async function configFor(open: Open, request: TaskRequest, located: LocatedChange): Promise<Loaded> {
  return await readConfig({
    root: open.project.currentWorktree,
    drivers: DRIVERS.map((driver) => driver.id),
    flags: request.flags,
    change: { base: located.base.commit, paths: located.paths },
    readBase: async (commit, path) => await open.engine.workspace.readText(commit, path),
    exportBase: async (commit) => await open.engine.workspace.exportTree(commit),
  });
}

/** The settings of a task. An agent that cannot be started is an error now, not after an hour. */
async function settingsFor(loaded: Loaded, task: Task): Promise<Settings> {
  const purpose =
    task.kind === 'implement' ? ({ kind: 'implement', autoReview: true } as const) : ({ kind: 'review', fix: task.fix } as const);
  const settings = toSettings(loaded, { ...purpose, detected: [], programs });
  const { author, reviewer, fixer, fallback } = settings.roles;
  const needed =
    task.kind === 'implement' ? [author, ...reviewer, fixer, ...fallback] : [...reviewer, ...(task.fix ? [fixer] : []), ...fallback];
  for (const name of new Set(needed)) {
    const spec = name === null ? undefined : settings.agents[name];
    if (spec === undefined) continue;
    const { available, problem } = await createAgent(spec).detect();
    if (!available)
      throw new VolleyError(
        'agent-not-executable',
        `The agent ${spec.name} cannot be started: ${problem ?? 'unknown reason'}`,
        'Correct its entry in volley.yaml, or choose another agent.',
      );
  }
  return settings;
}

/** What a loop would be started with, without writing anything; null if there is nothing to review. */
export async function previewTask(
  cwd: string,
  request: TaskRequest,
): Promise<{ readonly task: Task; readonly settings: Settings; readonly notes: readonly string[] } | null> {
  const project = await openProject(cwd);
  const preview = await previewChange(project, request.change);
  if (request.task.kind === 'review' && preview.empty) return null;
  const loaded = await readSettings(cwd, request.flags);
  const commitHooks = await findCommitHooks(project, project.place, preview.base);
  const settings = { ...(await settingsFor(loaded, request.task)), commitHooks };
  return { task: request.task, settings, notes: [...preview.notes, ...loaded.notes] };
}

/** The configuration as it lies in the working tree. */
async function readSettings(cwd: string, flags: Flags): Promise<Loaded> {
  const project = await openProject(cwd);
  const none = async (): Promise<never> => await Promise.reject(new Error('there is no base here'));
  return await readConfig({
    root: project.currentWorktree,
    drivers: DRIVERS.map((driver) => driver.id),
    flags,
    change: null,
    readBase: none,
    exportBase: none,
  });
}

/** Every setting in force, as text and value, with its origin. */
export async function settingRows(
  cwd: string,
): Promise<readonly { readonly path: string; readonly value: unknown; readonly text: string; readonly origin: string }[]> {
  return configRows(await readSettings(cwd, {})).map((row) => ({ ...row, text: valueText(row.value) }));
}
