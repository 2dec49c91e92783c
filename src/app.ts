import type { Agent } from './agents/agent.ts';
import { createAgent } from './agents/index.ts';
import { priceOf } from './agents/prices.ts';
import { landLoop } from './app-land.ts';
import type { Landing } from './app-land.ts';
import { openConfinement, requireHeld } from './app-confine.ts';
import { agentHomes, makeArtefacts, stateFolder } from './app-files.ts';
import type { Open, TaskRequest, TasksRequest } from './app-start.ts';
import { openStore } from './app-store.ts';
import type { Choice } from './confine/index.ts';
import { VolleyError } from './core/errors.ts';
import type { Loop } from './core/loop.ts';
import type { AgentSpec } from './core/settings.ts';
import type { WorkReport } from './dispatch/dispatcher.ts';
import { localDispatcher } from './dispatch/local.ts';
import { isAlive } from './dispatch/owner.ts';
import { documentPath } from './engine/artefacts.ts';
import { followBranch, publishBranch } from './engine/branch.ts';
import { requireLoop } from './engine/commands.ts';
import type { Engine, Progress } from './engine/engine.ts';
import { putAway } from './engine/put-away.ts';
import { runLoop } from './engine/run-loop.ts';
import { releaseLoops } from './engine/release.ts';
import { wakeLoops } from './engine/wake.ts';
import { matchesPaths, runGate } from './gates/gate.ts';
import { locateChange } from './git/locate.ts';
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
export type { ChangeRequest } from './git/locate.ts';
export { commentOnLoop, decideLoop, forgetFinding, overrideLoop, ruleOnFinding } from './engine/commands.ts';

/** A loop that waits for a time, or, for money that others have reserved, until then somebody looks again. */
export type TimedWait = { readonly id: number; readonly until: string; readonly isForMoney: boolean };

/** One project, open: its journal, its engine, and what a person can do. */
export type App = {
  readonly project: Project;
  readonly mirror: Mirror;
  readonly engine: Engine;
  readonly person: Identity;
  /** Whether what happens is kept in the project. */
  readonly recorded: boolean;
  /** Finds the change and writes a new loop; null if there is nothing to review. */
  start(request: TaskRequest): Promise<Loop | null>;
  /** The same for several tasks at once: all of them are written, or none. */
  startAll(request: TasksRequest): Promise<readonly Loop[]>;
  /** Drives these loops, or everything that is pending, at most `slots` at once (1), until they rest. */
  drive(ids: readonly number[] | null, signal: AbortSignal, slots?: number): Promise<WorkReport>;
  /** The loops that wait for a time that is known, soonest first. */
  timedWaits(): Promise<readonly TimedWait[]>;
  load(id: number): Promise<Loop>;
  /** The loop as it rests, with its branch where it should be: it may have been held when the loop was driven. */
  catchUp(id: number): Promise<Loop>;
  /** The loop with what somebody did to its branch since anybody looked. */
  follow(id: number): Promise<Loop>;
  /** Whether another living process drives the loop. */
  isDriven(id: number): Promise<boolean>;
  /** Removes the folders of a loop that is over, unless a living process still drives it, which does so itself. */
  putAway(loop: Loop): Promise<void>;
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
    report: (progress) => options.report(progress),
  };
  const open = { project, mirror, engine, person };
  const unkept: Loop[] = [];
  const startAll: App['startAll'] = async (request) => {
    const loops = await startFound({ ...open, held, drivers: options.drivers ?? [] }, request);
    if (!record) unkept.push(...loops);
    return loops;
  };
  return {
    ...open,
    recorded: record,
    start: async ({ task, ...request }) => (await startAll({ ...request, tasks: [task] }))[0] ?? null,
    startAll,
    drive: async (ids, signal, slots = 1) => await drive({ engine, held, signal, slots }, ids),
    timedWaits: async () => await timedWaits(engine),
    load: async (id) => await requireLoop(engine, id),
    follow: async (id) => await followBranch(engine, await requireLoop(engine, id)),
    catchUp: async (id) => await publishBranch(engine, await requireLoop(engine, id)),
    ...custody(engine),
    land: async (loop, { onto, signal }) => await landLoop({ ...open, scratch: `${folder}/landing`, signal }, loop, onto),
    ...looks(engine),
    close: async () => {
      for (const loop of unkept) await Promise.all([putAway(engine, loop), forgetSnapshot(mirror, loop)]);
      await engine.dispatcher.close();
      await store.close();
    },
  };
}

/** Finds the change and writes the loops. What reads the configuration takes longer to load than git to answer, so it is loaded meanwhile. */
async function startFound(open: Open, request: TasksRequest): Promise<readonly Loop[]> {
  const locating = Promise.all([locateChange(open.project, open.mirror, request.change), branchNames(open.project.place, '')]);
  // It fails where it is awaited.
  locating.catch(() => undefined);
  const { startTasks } = await import('./app-start.ts');
  const [located, taken] = await locating;
  return await startTasks(open, request, { located, taken });
}

type Driving = { readonly engine: Engine; readonly held: Choice; readonly signal: AbortSignal; readonly slots: number };

async function drive({ engine, held, signal, slots }: Driving, ids: readonly number[] | null): Promise<WorkReport> {
  await wakeLoops(engine, ids);
  await releaseLoops(engine, ids);
  return await engine.dispatcher.work({ slots, signal, ...(ids === null ? {} : { only: ids }) }, async ({ loopId }) => {
    if (signal.aborted) return;
    requireHeld((await requireLoop(engine, loopId)).settings.confine.required, held);
    await runLoop(engine, loopId, signal);
    // What waited for this one may start.
    if (ids === null) await releaseLoops(engine, null);
  });
}

async function timedWaits(engine: Engine): Promise<readonly TimedWait[]> {
  const rows = await engine.store.rows({ waiting: true });
  const timed = rows.flatMap(({ id, waiting, waitingUntil: until }) =>
    until === null ? [] : [{ id, until, isForMoney: waiting === 'slot' }],
  );
  return timed.toSorted((a, b) => a.until.localeCompare(b.until));
}

/** Who drives a loop, and what goes when nobody does. */
function custody(engine: Engine): Pick<App, 'isDriven' | 'putAway'> {
  return {
    isDriven: async (id) => await engine.store.transaction(async (tx) => await engine.dispatcher.isDriven(tx, id)),
    putAway: async (loop) => {
      const owner = (await engine.store.rows({ state: loop.state })).find((row) => row.id === loop.id)?.owner ?? null;
      if (owner === null || !(await isAlive(owner))) await putAway(engine, loop);
    },
  };
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
