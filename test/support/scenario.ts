import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { EventOutput, LoopOutput } from '../../src/core/output.ts';
import { shellWord } from '../../src/core/words.ts';
import { makeRepository, TEST_IDENTITY } from './repository.ts';
import type { Files, TestRepository } from './repository.ts';
import { readCalls, writeAgent } from './scripted-agent.ts';
import type { Call, ScriptedAgent } from './scripted-agent.ts';

export { answers, APPROVED, issue, rejected, turns } from './scripted-agent.ts';
export type { Call, ScriptedAgent, Turn } from './scripted-agent.ts';

/** The file that the command line starts with. */
export const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
/** Starting from source compiles a hundred files; with a cache that happens once, not for each of a thousand starts. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/volley-scenarios', import.meta.url));

/** What a scenario starts with. Agents are played by scripts; `author`, `reviewer` and `fixer` get the role of their name. */
export type ScenarioOptions = {
  readonly files?: Files;
  readonly agents?: Readonly<Record<string, ScriptedAgent>>;
  /** Joins `volley.yaml` beside `agents` and `roles`; entries of those two win over the ones that are made here. */
  readonly config?: Readonly<Record<string, unknown>>;
};

/** How a command line ended and what it printed. */
export type VolleyResult = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Every line of the output as an object; throws where a line is no JSON. */
  objects(): readonly Readonly<Record<string, unknown>>[];
  /** The loop of the last line, as the published schema has it. */
  loop(): LoopOutput;
};

/** What a command is started with, beside its arguments. */
export type VolleyOptions = { readonly input?: string; readonly env?: Readonly<Record<string, string>>; readonly cwd?: string };

/** A command that runs: to be waited for, or to be ended. */
export type RunningVolley = { readonly process: ChildProcess; readonly ended: Promise<VolleyResult> };

/** What is pressed once a text is on the screen. */
export type Keys = { readonly at: string; readonly press: string };

/** How a command line ended and all that was written on its terminal. */
export type TerminalResult = { readonly code: number | null; readonly screen: string };

/** A repository with a `volley.yaml`, agents, and a home of its own; all of it is gone when it is disposed of. */
export type Scenario = AsyncDisposable & {
  readonly repository: TestRepository;
  readonly root: string;
  /** Where Volley keeps what lies outside of the repository. */
  readonly state: string;
  /** What commands are started with. */
  readonly env: Readonly<Record<string, string>>;
  volley(args: readonly string[], options?: VolleyOptions): Promise<VolleyResult>;
  /** The same without waiting for the end. */
  start(args: readonly string[], options?: VolleyOptions): RunningVolley;
  /** The same on a terminal of 80 columns; each time that a text appears, keys are pressed, in this order. */
  onTerminal(args: readonly string[], keys?: readonly Keys[], env?: Readonly<Record<string, string>>): Promise<TerminalResult>;
  /** A loop as `volley show` tells it. */
  loop(id?: number): Promise<LoopOutput>;
  /** The journal of a loop as `volley log` tells it. */
  journal(id?: number): Promise<readonly EventOutput[]>;
  /** Every start of an agent, oldest first. */
  calls(agent: string): Promise<readonly Call[]>;
};

/** Makes a scenario; `volley.yaml` is part of the first commit, the agents' scripts lie beside the repository. */
export async function makeScenario(options: ScenarioOptions = {}): Promise<Scenario> {
  const { files = { 'README.md': '# Sample\n' }, agents = {}, config = {} } = options;
  const repository = await makeRepository({ files: {} });
  const folders = { home: join(repository.beside, 'home'), state: join(repository.beside, 'state') };
  await mkdir(folders.home);
  await writeFile(join(folders.home, '.gitconfig'), `[user]\n\tname = ${TEST_IDENTITY.name}\n\temail = ${TEST_IDENTITY.email}\n`);
  const agentFolder = (name: string): string => join(repository.beside, 'agents', name);
  const runs = await Promise.all(
    Object.entries(agents).map(
      async ([name, agent]) => [name, { driver: 'command', run: await writeAgent(agentFolder(name), agent) }] as const,
    ),
  );
  await repository.commit('first', { 'volley.yaml': `${JSON.stringify(configOf(Object.fromEntries(runs), config), null, 2)}\n`, ...files });
  return scenarioOf(repository, folders, async (name) => await readCalls(agentFolder(name)));
}

/** Waits until a check gives something else than null, undefined or false; fails after the deadline. */
export async function eventually<T>(what: string, check: () => Promise<T | null | undefined | false>, deadlineMs = 20_000): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const found = await check();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`it did not happen in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function configOf(agents: Readonly<Record<string, object>>, config: Readonly<Record<string, unknown>>): object {
  const has = (name: string): boolean => Object.hasOwn(agents, name);
  const roles = {
    ...(has('author') ? { author: 'author' } : {}),
    ...(has('reviewer') ? { reviewer: ['reviewer'] } : {}),
    ...(has('fixer') ? { fixer: 'fixer' } : {}),
  };
  const { agents: more = {}, roles: chosen = {}, ...rest } = config;
  return { agents: mergeEntries(agents, more), roles: { ...roles, ...Object(chosen) }, ...rest };
}

function mergeEntries(entries: Readonly<Record<string, object>>, more: unknown): object {
  const added = Object.entries(Object(more)).map(([name, entry]) => [name, { ...entries[name], ...Object(entry) }] as const);
  return { ...entries, ...Object.fromEntries(added) };
}

type Folders = { readonly home: string; readonly state: string };

function scenarioOf(repository: TestRepository, folders: Folders, calls: Scenario['calls']): Scenario {
  const running = new Set<ChildProcess>();
  const start: Scenario['start'] = (args, options = {}) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: options.cwd ?? repository.root,
      env: { ...environment(folders), ...options.env },
      stdio: 'pipe',
    });
    running.add(child);
    // A command that reads nothing may end before its input is written.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    const closed = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    const ended = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(([code, stdout, stderr]) => {
      running.delete(child);
      return resultOf({ code, stdout, stderr });
    });
    return { process: child, ended };
  };
  const volley: Scenario['volley'] = async (args, options) => await start(args, options).ended;
  return {
    repository,
    root: repository.root,
    state: folders.state,
    env: environment(folders),
    start,
    volley,
    onTerminal: async (args, keys = [], env = {}) =>
      await onTerminal(args, keys, { cwd: repository.root, env: { ...environment(folders), ...env } }),
    calls,
    loop: async (id = 1) => (await volley(['show', String(id), '--json'])).loop(),
    journal: async (id = 1) => (await volley(['log', String(id), '--json'])).objects().map((one) => EventOutput.parse(one)),
    async [Symbol.asyncDispose]() {
      for (const child of running) child.kill('SIGKILL');
      await repository[Symbol.asyncDispose]();
    },
  };
}

/** Runs a command on a terminal of its own; a part of util-linux. */
const TERMINAL_PROGRAM = 'script';

async function onTerminal(
  args: readonly string[],
  keys: readonly Keys[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<TerminalResult> {
  const words = [process.execPath, MAIN, ...args].map(shellWord).join(' ');
  const line = `stty cols 80 rows 24; TERM=xterm exec ${words}`;
  const child = spawn(TERMINAL_PROGRAM, ['--quiet', '--return', '--command', line, '/dev/null'], { ...options, stdio: 'pipe' });
  const left = [...keys];
  let screen = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (written: string) => {
    screen += written;
    const [next] = left;
    if (next === undefined || !screen.slice(seen).includes(next.at)) return;
    left.shift();
    seen = screen.length;
    // Whoever reads a question presses nothing in the same moment.
    setTimeout(() => child.stdin.write(next.press), 200);
  });
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, screen: screen.replaceAll('\r\n', '\n') };
}

/** What a user's shell would pass on, with nothing of this machine's user in it. */
function environment({ home, state }: Folders): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => name !== 'CI' && !/^(VOLLEY|GIT|XDG|NODE)_/.test(name));
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, value ?? ''])),
    HOME: home,
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: join(home, '.config'),
    GIT_CONFIG_NOSYSTEM: '1',
    // Scripted agents write down what they did beside their checkout; what the sandbox lets them has tests of its own.
    VOLLEY_CONFINE: 'copy',
    NO_COLOR: '1',
    TZ: 'UTC',
    NODE_COMPILE_CACHE: COMPILED,
  };
}

function resultOf(printed: Pick<VolleyResult, 'code' | 'stdout' | 'stderr'>): VolleyResult {
  const objects: VolleyResult['objects'] = () =>
    printed.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Object(JSON.parse(line)));
  const loop = (): LoopOutput => {
    const parsed = LoopOutput.safeParse(objects().at(-1));
    if (parsed.success) return parsed.data;
    throw new Error(`the last line is no loop: ${printed.stdout.slice(-2000)}${printed.stderr}`, { cause: parsed.error });
  };
  return { ...printed, objects, loop };
}
