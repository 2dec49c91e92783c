import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openApp } from './app.ts';
import type { TaskRequest } from './app.ts';
import { BENCH_FOLDER, benchAgents, benchConfig } from './app-bench-agents.ts';
import { stateFolder } from './app-files.ts';
import { nearest } from './lib/nearest.ts';
import { benchOutcome, benchProblems } from './core/bench-outcome.ts';
import type { BenchOutcome } from './core/bench-outcome.ts';
import { BenchScenario, BenchTheme, benchText } from './core/bench-scenario.ts';
import { VolleyError } from './core/errors.ts';
import { bareGit, gitError } from './git/git.ts';
import { plainTask } from './core/task.ts';

/** One scenario, played once. */
export type BenchRun = {
  readonly scenario: BenchScenario;
  /** Which repetition it is, from 1. */
  readonly run: number;
  /** Null where no loop came about. */
  readonly outcome: BenchOutcome | null;
  /** What is not as it was expected; nothing if the ending is the right one. */
  readonly problems: readonly string[];
  readonly durationMs: number;
};

/** How the benchmark is run. */
export type BenchOptions = { readonly scenarios: readonly BenchScenario[]; readonly repeat: number; readonly signal: AbortSignal };

const AT_ONCE = 2;
const LONGEST_MS = 60_000;

/** The scenarios of these names, all of them without a name, theme by theme. */
export async function readScenarios(names: readonly string[] = []): Promise<readonly BenchScenario[]> {
  const files = (await readdir(join(BENCH_FOLDER, 'scenarios'))).filter((file) => file.endsWith('.json')).toSorted();
  const known = files.map((file) => file.slice(0, -'.json'.length));
  refuseUnknown(names, known);
  const wanted = names.length === 0 ? known : known.filter((name) => names.includes(name));
  const scenarios = await Promise.all(
    wanted.map(async (name) => BenchScenario.parse(JSON.parse(await readFile(join(BENCH_FOLDER, 'scenarios', `${name}.json`), 'utf8')))),
  );
  return BenchTheme.options.flatMap((theme) => scenarios.filter((scenario) => scenario.theme === theme));
}

/**
 * A home for the benchmark in the place of the user's: from here on nothing of theirs is read or written by this process.
 * `remove` takes it away; the process is at its end then.
 */
export async function openBenchHome(): Promise<{ readonly dir: string; remove(): Promise<void> }> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'volley-bench-')));
  for (const name of Object.keys(process.env)) if (name === 'CI' || /^(VOLLEY|GIT|XDG)_/.test(name)) delete process.env[name];
  const folders = {
    HOME: dir,
    XDG_STATE_HOME: join(dir, 'state'),
    XDG_CONFIG_HOME: join(dir, 'config'),
    XDG_CACHE_HOME: join(dir, 'cache'),
  };
  // The scripted agents count their calls beside the checkout, which no sandbox would let them.
  Object.assign(process.env, folders, { GIT_CONFIG_NOSYSTEM: '1', VOLLEY_CONFINE: 'copy' });
  return { dir, remove: async () => await removeFolder(dir) };
}

/** Plays the scenarios, two at a time, each in a repository of its own below `dir`; tells each when it ends. */
export async function runBench(dir: string, { scenarios, repeat, signal }: BenchOptions, tell: (run: BenchRun) => void): Promise<void> {
  const queue = Array.from({ length: repeat }, (_, index) => scenarios.map((scenario) => ({ scenario, run: index + 1 }))).flat();
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let next = queue.shift(); next !== undefined && !signal.aborted; next = queue.shift()) {
      const { scenario, run } = next;
      const startedMs = performance.now();
      const played = await playScenario(join(dir, `${scenario.name}-${run}`), scenario, signal);
      if (!signal.aborted) tell({ scenario, run, ...played, durationMs: Math.round(performance.now() - startedMs) });
    }
  });
  await Promise.all(workers);
}

type Played = Pick<BenchRun, 'outcome' | 'problems'>;

async function playScenario(dir: string, scenario: BenchScenario, outer: AbortSignal): Promise<Played> {
  const signal = AbortSignal.any([outer, AbortSignal.timeout(LONGEST_MS)]);
  try {
    const root = join(dir, 'shop');
    await makeRepository(root, scenario, join(dir, 'calls'));
    return await drive(root, scenario, signal);
  } catch (error) {
    // One story that cannot be told must not hide the others.
    return { outcome: null, problems: [`no loop: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`] };
  } finally {
    await removeFolder(dir);
  }
}

async function drive(root: string, scenario: BenchScenario, signal: AbortSignal): Promise<Played> {
  const app = await openApp({ cwd: root, report: () => undefined, createAgent: benchAgents(scenario), drivers: ['fake'] });
  try {
    const loop = await app.start(requestOf(scenario));
    if (loop === null) return { outcome: null, problems: ['there is nothing to review'] };
    await app.drive([loop.id], signal);
    const outcome = benchOutcome(await app.load(loop.id));
    return { outcome, problems: benchProblems(scenario.expect, outcome) };
  } finally {
    await app.close();
    await removeFolder(stateFolder(app.project.key));
  }
}

/** With an author the task is built, otherwise the branch is reviewed; it is answered where there is somebody to answer. */
function requestOf({ task: title, agents, change }: BenchScenario): TaskRequest {
  if (change === undefined) {
    return {
      change: { kind: 'authored', base: null },
      task: plainTask({ kind: 'implement', title, source: { kind: 'authored' } }),
      autoReview: true,
      flags: {},
    };
  }
  return {
    change: { kind: 'branch', branch: 'change', base: null },
    task: plainTask({ kind: 'review', title, source: { kind: 'branch', branch: 'change' }, fix: 'fixer' in agents }),
    flags: {},
  };
}

/** A repository whose first commit is the base, with the change on a branch that is checked out. */
async function makeRepository(root: string, scenario: BenchScenario, stateDir: string): Promise<void> {
  await mkdir(root, { recursive: true });
  const git = async (...args: readonly string[]): Promise<void> => {
    const result = await bareGit(args, { cwd: root });
    if (result.exitCode !== 0) throw gitError(args, result);
  };
  const commit = async (files: NonNullable<BenchScenario['change']>, message: string): Promise<void> => {
    for (const [path, text] of Object.entries(files)) await writeOne(join(root, path), text);
    await git('add', '--all', '.');
    await git('commit', '--quiet', '-m', message);
  };
  await git('init', '--quiet', '--initial-branch=main', '.');
  await git('config', 'user.name', 'Volley bench');
  await git('config', 'user.email', 'bench@localhost');
  await commit({ ...scenario.files, 'volley.yaml': benchConfig(scenario, stateDir) }, 'The shop');
  if (scenario.change === undefined) return;
  await git('switch', '--quiet', '--create', 'change');
  await commit(scenario.change, scenario.task);
}

async function writeOne(path: string, text: string | readonly string[] | null): Promise<void> {
  if (text === null) return await rm(path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, benchText(text));
}

async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
}

function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const messages = unknown.map((name) => {
    const near = nearest(name, known);
    return `There is no scenario '${name}'${near === null ? '.' : `; did you mean ${near}?`}`;
  });
  throw new VolleyError('bad-usage', messages.join('\n'), 'See volley bench for all of them.');
}
