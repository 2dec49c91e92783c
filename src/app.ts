import type { Agent } from './agents/agent.ts';
import { createAgent } from './agents/index.ts';
import { priceOf } from './agents/prices.ts';
import { landLoop } from './app-land.ts';
import type { Landing } from './app-land.ts';
import { openConfinement, requireHeld } from './app-confine.ts';
import { agentHomes, makeArtefacts, stateFolder } from './app-files.ts';
import type { Open, Preview, TaskRequest, TasksRequest } from './app-start.ts';
import { openStore } from './app-store.ts';
import type { Choice } from './confine/index.ts';
import { VolleyError } from './core/errors.ts';
import type { Loop } from './core/loop.ts';
import type { AgentSpec } from './core/settings.ts';
import type { Watch, WorkReport } from './dispatch/dispatcher.ts';
import { localDispatcher } from './dispatch/local.ts';
import { documentPath } from './engine/artefacts.ts';
import { openBus } from './engine/bus.ts';
import type { Bus } from './engine/bus.ts';
import { followBranch, publishBranch } from './engine/branch.ts';
import { requireLoop } from './engine/commands.ts';
import type { Engine, Progress } from './engine/engine.ts';
import { putAway } from './engine/put-away.ts';
import { runLoop } from './engine/run-loop.ts';
import { openReleases, releaseLoops } from './engine/release.ts';
import { startLoops } from './engine/start.ts';
import type { StartRequest } from './engine/start.ts';
import { wakeLoops } from './engine/wake.ts';
import { matchesPaths, runGate } from './gates/gate.ts';
import { locateChange } from './git/locate.ts';
import type { LocatedChange } from './git/locate.ts';
import { forgetCommit, openMirror } from './git/mirror.ts';
import type { Mirror } from './git/mirror.ts';
import { openWorkspace } from './git/open-workspace.ts';
import { isTracked, openProject, userIdentity } from './git/project.ts';
import type { Identity, Project } from './git/project.ts';
import { branchNames } from './git/refs.ts';
import { killMarked } from './lib/process-tree.ts';
import { serveInbox } from './mcp/result-channel.ts';
import { memoryStore } from './store/memory.ts';
import { leaveOutPrograms } from './lib/executable.ts';

export type { Flags } from './config/value-layers.ts';
export type { Landing } from './app-land.ts';
export type { TaskRequest, TasksRequest } from './app-start.ts';
export type { Progress } from './engine/engine.ts';
export type { ChangeRequest } from './core/change-request.ts';
export { applySuggestion } from './engine/apply-suggestion.ts';
export { commentOnLoop, decideLoop, forgetFinding, overrideLoop, ruleOnFinding } from './engine/commands.ts';

/** One project, open: its journal, its engine, and what a person can do. */
export type App = {
  readonly project: Project;
  readonly mirror: Mirror;
  readonly engine: Engine;
  /** Follows the journal, whoever writes it. */
  readonly bus: Bus;
  readonly person: Identity;
  /** The drivers that a configuration may name here beside the known ones. */
  readonly drivers: readonly string[];
  /** Whether what happens is kept in the project. */
  readonly recorded: boolean;
  /** Finds the change and writes a new loop; null if there is nothing to review. */
  start(request: TaskRequest): Promise<Loop | null>;
  /** The same for several tasks at once: all of them are written, or none. */
  startAll(requests: readonly TasksRequest[]): Promise<readonly Loop[]>;
  /** What would be started, without writing anything; null if there is nothing to review. */
  preview(request: TaskRequest): Promise<Preview | null>;
  /** Drives these loops, or everything that is pending, at most `slots` at once (1), until they rest. */
  drive(ids: readonly number[] | null, signal: AbortSignal, slots?: number): Promise<WorkReport>;
  /** Drives what is pending, at most `slots` at once, for somebody who goes on looking for work. */
  work(how: { readonly slots: number; readonly signal: AbortSignal }, watch: Watch): Promise<WorkReport>;
  load(id: number): Promise<Loop>;
  /** The loop as it rests, with its branch where it should be: it may have been held when the loop was driven. */
  catchUp(id: number): Promise<Loop>;
  /** The loop with what somebody did to its branch since anybody looked. */
  follow(id: number): Promise<Loop>;
  /** Whether another living process drives the loop. */
  isDriven(id: number): Promise<boolean>;
  /** Brings the work of an approved loop to a branch of the user, or to their working tree. */
  land(loop: Loop, how: { readonly onto: string | null; readonly signal: AbortSignal }): Promise<Landing>;
  /** The newest review document of a loop, relative to the project's root. */
  documentOf(loop: Loop): string | null;
  /** The paths that the loop's change touches. */
  changedPaths(loop: Loop): Promise<readonly string[]>;
  /** The texts of files at the loop's head; those that are gone are left out. */
  readFiles(loop: Loop, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
};

/** Where the project is, who watches, and whether what happens is kept. */
export type AppOptions = {
  readonly cwd: string;
  /** False: nothing is written into the project; only a review that nobody fixes can do without a record. */
  readonly record?: boolean;
  /** True: an error where the operating system cannot hold agents, before anything is written. */
  readonly requireSandbox?: boolean;
  /** Agents in the place of those that the configuration describes, and the drivers that it may name besides; for trials. */
  readonly createAgent?: (spec: AgentSpec) => Agent;
  readonly drivers?: readonly string[];
  report(progress: Progress): void;
};

/** Opens the project that a folder belongs to, for driving loops. */
export async function openApp(options: AppOptions): Promise<App> {
  const project = await openProject(options.cwd);
  leaveOutPrograms(project.currentWorktree);
  const folder = stateFolder(project.key);
  const { record = true } = options;
  const asking = Promise.all([
    openMirror({ project, stateDir: stateFolder() }),
    userIdentity(project),
    openConfinement(),
    ...(record ? [refuseForeignJournal(project)] : []),
  ]);
  const store = record ? openStore(project.root) : memoryStore();
  const bus = openBus(store);
  const [mirror, person, held] = await asking;
  requireHeld(options.requireSandbox ?? false, held);
  const engine: Engine = {
    store,
    dispatcher: localDispatcher(store),
    workspace: openWorkspace({ project, mirror, folder, identity: person }),
    confinement: held.confinement,
    artefacts: makeArtefacts(record ? project.root : null, folder),
    home: `${folder}/home`,
    createAgent: options.createAgent ?? ((spec) => createAgent(spec, { homes: agentHomes() })),
    price: async (spec, model, usage) => await priceOf(model, usage, spec.price),
    openChannel: serveInbox,
    runGate,
    gateMatches: matchesPaths,
    killMarked,
    now: () => new Date().toISOString(),
    report: (progress) => tell(progress, bus, options),
  };
  const open = { project, mirror, engine, bus, person, drivers: options.drivers ?? [] };
  const unkept: Loop[] = [];
  const startAll: App['startAll'] = async (requests) => {
    const loops = await startFound({ ...open, held }, requests);
    if (!record) unkept.push(...loops);
    return loops;
  };
  return {
    ...open,
    recorded: record,
    start: async ({ task, ...request }) => (await startAll([{ ...request, tasks: [task] }]))[0] ?? null,
    startAll,
    preview: async (request) => {
      const { previewTask } = await import('./app-start.ts');
      return await previewTask(options.cwd, request, { drivers: open.drivers, createAgent: (spec) => engine.createAgent(spec) });
    },
    ...drivingOf(engine, held),
    load: async (id) => await requireLoop(engine, id),
    follow: async (id) => await followBranch(engine, await requireLoop(engine, id)),
    catchUp: async (id) => await publishBranch(engine, await requireLoop(engine, id)),
    land: async (loop, { onto, signal }) => await landLoop({ ...open, scratch: `${folder}/landing`, signal }, loop, onto),
    ...looks(engine),
    close: async () => {
      for (const loop of unkept) await Promise.all([putAway(engine, loop), forgetSnapshot(mirror, loop)]);
      await engine.dispatcher.close();
      await store.close();
    },
  };
}

/** Whoever follows the journal hears at once of what this process writes. */
function tell(progress: Progress, bus: Bus, { report }: Pick<AppOptions, 'report'>): void {
  if (progress.type === 'journal') bus.poke();
  report(progress);
}

/** Finds the changes and writes the loops. What reads the configuration takes longer to load than git to answer, so it is loaded meanwhile. */
async function startFound(open: Open, requests: readonly TasksRequest[]): Promise<readonly Loop[]> {
  const [first] = requests;
  if (first === undefined) return [];
  const locate = async ({ change, at = open.project }: TasksRequest): Promise<LocatedChange> => await locateChange(at, open.mirror, change);
  const locating = Promise.all([locate(first), branchNames(open.project.place, '')]);
  // It fails where it is awaited.
  locating.catch(() => undefined);
  const { prepareTasks } = await import('./app-start.ts');
  const [firstLocated, taken] = await locating;
  const prepared: StartRequest[] = [];
  for (const request of requests) {
    const located = request === first ? firstLocated : await locate(request);
    const { at: project = open.project, instead } = request;
    const starting = await prepareTasks({ ...open, project }, request, { located, taken });
    const known = starting[0] === undefined ? null : await instead?.(starting[0]);
    if (known) return [known];
    prepared.push(...starting);
  }
  return await startLoops(open.engine, prepared);
}

/** Who drives loops, and when. */
function drivingOf(engine: Engine, held: Choice): Pick<App, 'drive' | 'work' | 'isDriven'> {
  return {
    drive: async (ids, signal, slots = 1) => await drive({ engine, held, signal, slots }, ids),
    work: async ({ slots, signal }, watch) =>
      await engine.dispatcher.work({ slots, signal, watch }, async ({ loopId }) => await driveOne({ engine, held, signal }, loopId)),
    isDriven: async (id) => await engine.store.transaction(async (tx) => await engine.dispatcher.isDriven(tx, id)),
  };
}

type Driving = { readonly engine: Engine; readonly held: Choice; readonly signal: AbortSignal };

async function drive({ slots, ...driving }: Driving & { readonly slots: number }, ids: readonly number[] | null): Promise<WorkReport> {
  const { engine, signal } = driving;
  await wakeLoops(engine, ids);
  const release = ids === null ? releaseAll(engine) : async () => await releaseLoops(engine, ids);
  await release();
  return await engine.dispatcher.work({ slots, signal, ...(ids === null ? {} : { only: ids }) }, async ({ loopId }) => {
    await driveOne(driving, loopId);
    // What waited for this one may start.
    if (ids === null && !signal.aborted) await release();
  });
}

function releaseAll(engine: Engine): () => Promise<void> {
  const releases = openReleases(engine);
  return async () => {
    for (let isMore = true; isMore;) {
      const released = await releases.next(RELEASES_AT_ONCE);
      for (const { error } of released.broken) throw error;
      isMore = released.isMore;
    }
  };
}

const RELEASES_AT_ONCE = 64;

async function driveOne({ engine, held, signal }: Driving, loopId: number): Promise<void> {
  if (signal.aborted) return;
  requireHeld((await requireLoop(engine, loopId)).settings.confine.required, held);
  await runLoop(engine, loopId, signal);
}

/** The commit of a working tree is only for its review, and may hold what nobody wants to keep. */
async function forgetSnapshot(mirror: Mirror, { task, start }: Loop): Promise<void> {
  if (task.source.kind === 'working-tree') await forgetCommit(mirror, start.commit);
}

/** What can be seen of a loop without driving it. */
function looks({ workspace }: Engine): Pick<App, 'documentOf' | 'changedPaths' | 'readFiles'> {
  const headOf = (loop: Loop): string => (loop.head ?? loop.start).commit;
  return {
    documentOf: (loop) => (loop.rounds.length === 0 ? null : documentPath(loop, loop.rounds.length)),
    changedPaths: async (loop) => await workspace.changedPaths(loop.base.mergeBase, headOf(loop)),
    readFiles: async (loop, paths) => {
      const texts = await Promise.all(paths.map(async (path) => [path, await workspace.readText(headOf(loop), path)] as const));
      return new Map(texts.flatMap(([path, text]) => (text === null ? [] : [[path, text]])));
    },
  };
}

/** A journal that came with a clone names programs to run, and nobody here wrote it. */
export async function refuseForeignJournal(project: Project): Promise<void> {
  if (!(await isTracked(project, '.volley/volley.db'))) return;
  throw new VolleyError(
    'store-broken',
    'Git tracks .volley/volley.db, so this journal is not your own.',
    'Look where it comes from, then take it out: git rm --cached .volley/volley.db, and move the file away.',
  );
}
