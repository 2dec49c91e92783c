import type { Agent } from './agents/agent.ts';
import { createAgent, DRIVERS, rolesOf } from './agents/index.ts';
import { castOpenRoles } from './app-cast.ts';
import { requireHeld } from './app-confine.ts';
import { programs, readConfig } from './app-config.ts';
import type { ConfigContext } from './app-config.ts';
import { agentHomes } from './app-files.ts';
import { readSettings, rolesWith } from './app-read-settings.ts';
import type { Choice } from './confine/index.ts';
import type { Called } from './config/called.ts';
import type { Loaded } from './config/load.ts';
import { unobeyed } from './config/unobeyed.ts';
import { missingScript } from './config/missing-script.ts';
import { toSettings } from './config/settings.ts';
import type { Flags } from './config/value-layers.ts';
import type { ChangeRequest } from './core/change-request.ts';
import { VolleyError } from './core/errors.ts';
import type { Loop } from './core/loop.ts';
import { BUILTIN } from './core/settings.ts';
import type { AgentSpec, Settings } from './core/settings.ts';
import type { Task } from './core/task.ts';
import { requireDependencies } from './engine/commands.ts';
import type { StartRequest } from './engine/start.ts';
import type { Engine } from './engine/engine.ts';
import { readFileAt } from './git/change.ts';
import { findCommitHooks } from './git/commit-hooks.ts';
import { previewChange } from './git/locate.ts';
import type { LocatedChange } from './git/locate.ts';
import type { Mirror } from './git/mirror.ts';
import { openProject } from './git/project.ts';
import type { Identity, Project } from './git/project.ts';
import { currentHead } from './git/refs.ts';
import type { NamedCommit } from './git/refs.ts';
import { leaveOutPrograms } from './lib/executable.ts';

/** What a person asks for when a loop is started. */
export type TaskRequest = {
  readonly change: ChangeRequest;
  readonly task: Task;
  readonly flags: Flags;
  /** Whether a task with an author is reviewed and fixed by itself; left out, the configuration of its type says so. */
  readonly autoReview?: boolean | undefined;
  /** An agent may have written what lies in the work tree, so the project's configuration counts only as it is committed. */
  readonly asCommitted?: boolean;
  /** The commit whose configuration counts, whatever the work tree or the base of the change say. */
  readonly trusted?: NamedCommit;
  /** The work tree that the change lies in, where it is another one than that in which the project was opened. */
  readonly at?: Project;
  /** Looks at what a loop would be started with: a loop that it gives stands in its place, and what it throws keeps it from being started. */
  readonly instead?: (prepared: StartRequest) => Promise<Loop | null>;
  /** Who asks, where it is not the person. */
  readonly by?: string;
};

/** Several tasks of one kind that differ in their words alone. */
export type TasksRequest = Omit<TaskRequest, 'task'> & { readonly tasks: readonly [Task, ...Task[]] };

/** A project that is open for new loops. */
export type Open = {
  readonly project: Project;
  readonly mirror: Mirror;
  readonly engine: Engine;
  readonly person: Identity;
  readonly held: Choice;
  /** Drivers that the configuration may name beside the known ones. */
  readonly drivers: readonly string[];
};

const KNOWN_DRIVERS: readonly string[] = DRIVERS.map(({ id }) => id);

/** Where the change was found, and the branches of the user that loops could have. */
type Found = { readonly located: LocatedChange; readonly taken: readonly string[] };

/** What new loops for a change that was found are started with; none if there is nothing to review. */
export async function prepareTasks(open: Open, request: TasksRequest, { located, taken }: Found): Promise<readonly StartRequest[]> {
  const [task] = request.tasks;
  const [loaded, commitHooks] = await Promise.all([
    configFor(open, request.flags, {
      base: located.base.commit,
      paths: located.paths,
      asCommitted: request.asCommitted === true,
      ...(request.trusted === undefined ? {} : { trusted: request.trusted }),
    }),
    findCommitHooks(open.project, open.mirror.place, located.base.commit),
  ]);
  // Mistakes in flags and files are told also where there is nothing to review.
  if (task.kind === 'review' && located.paths.length === 0) return [];
  const { settings: chosen, notes } = await settingsFor(loaded, { ...request, task }, castOf(open));
  const settings = { ...chosen, commitHooks };
  requireHeld(settings.confine.required, open.held, loaded.called);
  refuseBlockedBranch(settings.branchPrefix, taken);
  for (const { dependsOn } of request.tasks) await requireDependencies(open.engine, null, dependsOn);
  return await Promise.all(
    request.tasks.map(async (one) => ({
      task: await asFound(open.project, one),
      settings,
      base: located.base,
      start: located.start,
      by: request.by ?? open.person.name,
      notes: [
        ...located.notes,
        ...notes,
        ...unobeyed(loaded),
        ...unheld(open.held),
        ...shapeOnly(one, settings, loaded.called),
        ...(open.person.assumed ? ['Git knows no name of yours; commits are made as Volley.'] : []),
      ],
      takenBranches: new Set(taken),
    })),
  );
}

/** Agents in the place of those that the configuration describes, and the drivers that it may name beside the known ones. */
export type Cast = { readonly drivers: readonly string[]; readonly createAgent: Engine['createAgent'] };

function castOf({ drivers, engine }: Open): Cast {
  return { drivers, createAgent: (spec) => engine.createAgent(spec) };
}

const NOBODY_ELSE: Cast = { drivers: [], createAgent: makeAgent };

/** Whoever has no sandbox should know; whoever asked for none does. */
function unheld({ confinement, why }: Choice): string[] {
  return confinement.level === 'os' || why === null
    ? []
    : ['Agents and gates are not held by the operating system here; volley doctor tells why.'];
}

/** Whoever lets the built-in reviewer alone approve what was built should know what that means. */
function shapeOnly(task: Task, { roles, agents, review }: Settings, called: Called): string[] {
  const isAlone = roles.reviewer.every((name) => agents[name]?.driver === BUILTIN);
  return task.kind === 'implement' && review.enabled && isAlone
    ? [
        `builtin reviews: it finds defects by their shape and cannot tell whether the task is done. Name a reviewer who can with ${called.reviewer}.`,
      ]
    : [];
}

/** A review remembers where its change lay; that of the current branch is a review of that branch, also when another one is current later. */
async function asFound(project: Project, task: Task): Promise<Task> {
  if (task.kind !== 'review') return task;
  const { branch } = await currentHead(project);
  const found = { ...task, takenFrom: { workTree: project.currentWorktree, branch } };
  if (branch === null || task.source.kind !== 'branch' || task.source.branch !== 'HEAD') return found;
  const title = `Review ${branch}`;
  return { ...found, title, text: title, source: { kind: 'branch', branch } };
}

/** Git cannot have a branch below the name of another one; better told now than after the author was paid. */
function refuseBlockedBranch(prefix: string, taken: readonly string[]): void {
  const blocking = taken.find((name) => prefix.startsWith(`${name}/`));
  if (blocking === undefined) return;
  throw new VolleyError(
    'conflict',
    `You have a branch called '${blocking}', so git cannot make one called '${prefix}…'.`,
    'Rename that branch, or set another checkout.branchPrefix in volley.yaml.',
  );
}

/** The configuration in force for a change that was found. */
export async function configFor(
  open: Pick<Open, 'project' | 'engine' | 'drivers'>,
  flags: Flags,
  change: NonNullable<ConfigContext['change']>,
): Promise<Loaded> {
  return await readConfig({
    root: open.project.currentWorktree,
    drivers: [...KNOWN_DRIVERS, ...open.drivers],
    flags,
    change,
    readBase: async (commit, path) => await open.engine.workspace.readText(commit, path),
    exportBase: async (commit) => await open.engine.workspace.exportTree(commit),
  });
}

type Chosen = { readonly settings: Settings; readonly notes: readonly string[] };

/** The settings of a task, with open roles given to agents that are ready. An agent that cannot be started is an error now, not after an hour. */
async function settingsFor(read: Loaded, request: Pick<TaskRequest, 'task' | 'autoReview'>, cast: Cast): Promise<Chosen> {
  const { task, autoReview } = request;
  const isBuilt = task.kind === 'implement';
  const purpose = isBuilt ? ({ kind: 'implement', autoReview } as const) : ({ kind: 'review', fix: task.fix } as const);
  const { loaded, detected } = await castOpenRoles(read, { authored: isBuilt, fixed: isBuilt || task.fix });
  const settings = toSettings(loaded, { ...purpose, detected, programs, rolesOf: rolesWith(cast.drivers) });
  const { author, reviewer, fixer, arbiter, fallback } = settings.roles;
  const fixing = [fixer, settings.improve.fixer, arbiter];
  const needed = isBuilt ? [author, ...reviewer, ...fixing, ...fallback] : [...reviewer, ...(task.fix ? fixing : []), ...fallback];
  const agents = { ...settings.agents };
  for (const name of new Set(needed)) {
    const spec = settings.agents[name ?? ''];
    if (spec !== undefined) agents[spec.name] = await requireAgent(spec, cast.createAgent, loaded.called);
  }
  return { settings: { ...settings, agents }, notes: loaded.notes };
}

function makeAgent(spec: AgentSpec): Agent {
  return createAgent(spec, { homes: agentHomes() });
}

/** Refuses a reviewer that could not be started in the project that a folder belongs to. */
export async function requireReviewer(cwd: string, reviewer: string): Promise<void> {
  const loaded = await readSettings(cwd, { reviewer });
  const { agents } = toSettings(loaded, {
    kind: 'review',
    detected: DRIVERS.map(({ id }) => id).filter((id) => id === reviewer),
    programs,
    rolesOf,
  });
  const spec = agents[reviewer];
  if (spec !== undefined) await requireAgent(spec, makeAgent, loaded.called);
}

/** Refuses an agent that cannot be started or is not logged in; says of any other how it is paid for, where nobody else did. */
async function requireAgent(spec: AgentSpec, create: Engine['createAgent'], called: Called): Promise<AgentSpec> {
  const script = missingScript(spec.run);
  const { available, problem, login } = await create(spec).detect();
  if (available && script === null) {
    if (login?.by === 'none') throw notLoggedIn(spec, login.text);
    return { ...spec, billing: spec.billing ?? login?.billing ?? null };
  }
  const what = script === null ? (problem ?? 'unknown reason') : `there is no file ${script} beside the configuration that names it.`;
  throw new VolleyError('agent-not-executable', `The agent ${spec.name} cannot be started: ${what}`, remedyFor(spec, called));
}

/** The words of an agent about its login say what to do behind a colon. */
function notLoggedIn({ name, driver }: AgentSpec, text: string): VolleyError {
  const how = text.split(': ').slice(1).join(': ') || `run volley login ${driver}`;
  const remedy = `${how.slice(0, 1).toUpperCase()}${how.slice(1)}, or choose another agent.`;
  return new VolleyError('agent-not-executable', `The agent ${name} is not logged in.`, remedy);
}

function remedyFor({ driver }: AgentSpec, called: Called): string {
  if (driver === BUILTIN)
    return `Install Volley with its optional packages (npm install --include=optional), or name another agent with ${called.reviewer}.`;
  return 'Correct its entry in volley.yaml, or choose another agent.';
}

/** What a loop would be started with. */
export type Preview = { readonly task: Task; readonly settings: Settings; readonly notes: readonly string[] };

/** What a loop would be started with, without writing anything; null if there is nothing to review. */
export async function previewTask(cwd: string, request: TaskRequest, cast = NOBODY_ELSE): Promise<Preview | null> {
  const project = await openProject(cwd);
  leaveOutPrograms(project.currentWorktree);
  const preview = await previewChange(project, request.change);
  if (request.task.kind === 'review' && preview.paths.length === 0) return null;
  const loaded = await readConfig({
    root: project.currentWorktree,
    drivers: [...KNOWN_DRIVERS, ...cast.drivers],
    flags: request.flags,
    change: { base: preview.base, paths: preview.paths },
    readBase: async (commit, path) => (await readFileAt(project.place, commit, path))?.toString('utf8') ?? null,
    // Nothing may be written, so programs are looked for where the base's version would be put in their place.
    exportBase: async () => await Promise.resolve(project.currentWorktree),
  });
  const commitHooks = await findCommitHooks(project, project.place, preview.base);
  const { settings, notes } = await settingsFor(loaded, request, cast);
  return { task: request.task, settings: { ...settings, commitHooks }, notes: [...preview.notes, ...notes, ...unobeyed(loaded)] };
}
