import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VolleyError } from '../core/errors.ts';
import { looksOnly, Role } from '../core/settings.ts';
import type { AgentSpec } from '../core/settings.ts';
import type { AgentEvent, AgentInput, AgentNeeds, Detection, Driver, DriverPlace, FailureReason, LoginCommand } from './agent.ts';
import { findCli, locateCli } from './cli-detect.ts';
import { codexArguments } from './codex-arguments.ts';
import { cleanHome, codexHome, keepThread, makeSessionHome, readThread } from './codex-home.ts';
import type { SessionHome } from './codex-home.ts';
import { accessOf, AUTH_FILE, howToLogIn, loginOf, renewableLogin } from './codex-login.ts';
import type { OwnAccess } from './codex-login.ts';
import { withRecord } from './codex-record.ts';
import { findSkills } from './codex-skills.ts';
import { codexReader } from './codex-stream.ts';
import { withFreshLogin } from './config-home.ts';
import { programFolders } from './program-folders.ts';
import { hostOf } from './provider-host.ts';
import { runsApart } from './runs-apart.ts';
import { runStream } from './stream-agent.ts';

const PROGRAM = 'codex';

/**
 * Codex takes 1,048,576 characters, but not every model has a window for as many. At three characters a token these are 200,000
 * tokens, which leaves room for instructions, for reading and for the answer in a window of 272,000.
 */
const PROMPT_CHARS = 600_000;

/** Where requests go: with a key, with a login of ChatGPT (whose workspaces have hosts of their own), and to refresh that login. */
const HOSTS = ['api.openai.com', 'chatgpt.com', '*.chatgpt.com', 'auth.openai.com'];

/** OpenAI's Codex CLI, headless. */
export const codex: Driver = {
  id: 'codex',
  roles: Role.options,
  create: (spec, place) => ({
    spec,
    reportsBy: ['mcp', 'structured'],
    holdsItself: true,
    maxPromptChars: spec.maxPromptChars ?? PROMPT_CHARS,
    detect: async () => await detect(spec, place),
    needs: async () => await needs(spec, place),
    run: (input, signal) => run({ spec, place }, input, signal),
  }),
  login,
};

async function detect(spec: AgentSpec, place: DriverPlace): Promise<Detection> {
  const [cli, account] = await Promise.all([findCli(PROGRAM, spec), loginOf(spec, accessOf(spec, process.env), codexHome(place))]);
  const { by, billing, text } = account;
  return { available: cli.path !== null, version: cli.version, problem: cli.problem, login: { by, billing, text } };
}

/** Whoever brings a key has no use for the login, and nobody has one for what lies beside it. */
async function needs(spec: AgentSpec, place: DriverPlace): Promise<AgentNeeds> {
  const access = accessOf(spec, process.env);
  const [{ path }, { by, isRenewed }] = await Promise.all([locateCli(PROGRAM, spec), loginOf(spec, access, codexHome(place))]);
  const stored = by === 'login' ? [join(codexHome(place), AUTH_FILE)] : [];
  const program = path === null ? [] : await programFolders(path);
  return {
    read: isRenewed ? program : [...program, ...stored],
    write: isRenewed ? stored : [],
    protect: [],
    hosts: [...HOSTS, ...spec.hosts, ...hostOf(access.baseUrl)],
  };
}

/** Codex's own login, in a browser; `--device-auth` behind it prints a code for machines that have none. */
async function login(spec: AgentSpec, place: DriverPlace): Promise<LoginCommand> {
  const { path, args, problem } = await locateCli(PROGRAM, spec);
  if (path === null) throw new VolleyError('agent-not-executable', `codex cannot be started: ${problem}`, 'Install Codex first.');
  const home = codexHome(place);
  await cleanHome(home);
  return { argv: [path, ...args, 'login'], env: { CODEX_HOME: home } };
}

type CodexAgent = { readonly spec: AgentSpec; readonly place: DriverPlace };

async function* run({ spec, place }: CodexAgent, input: AgentInput, signal: AbortSignal): AsyncGenerator<AgentEvent, void, undefined> {
  const access = accessOf(spec, input.env);
  const [cli, account] = await Promise.all([locateCli(PROGRAM, spec), loginOf(spec, access, codexHome(place))]);
  if (cli.path === null) return yield failed('not-started', cli.problem);
  if (account.by === 'none') return yield failed('logged-out', `It is ${account.text}.`);
  if (input.resume !== null && (await readThread(place, input.resume)) === null) {
    return yield failed('not-started', 'The session that it should go on with is not kept any more.');
  }
  const skills = input.obeysProject ? [] : await findSkills(input.cwd);
  if (skills === null) return yield failed('not-started', 'The repository has too many skills for agents to switch them off.');
  const own = await makeSessionHome(input, { place, usesLogin: account.by === 'login' });
  const workFolders = [...new Set([input.cwd, await realpath(input.cwd).catch(() => input.cwd)])];
  const args = codexArguments(input, {
    model: spec.model,
    access,
    workFolders,
    skills,
    schemaFile: own.schemaFile,
    ownFolder: await realpath(dirname(own.home)),
  });
  const start = { argv: [cli.path, ...cli.args, ...args], env: environmentOf(input, own, access) };
  const reader = codexReader({ report: input.report, model: spec.model, billing: account.billing, howToLogIn: howToLogIn(spec) });
  const session = (): AsyncIterable<AgentEvent> =>
    withRecord(runStream(input, { start, reader }, signal), { home: own.home, resume: input.resume });
  const events = account.isRenewed ? withFreshLogin(renewableLogin(codexHome(place)), session, signal) : session();
  // Those who look have fresh eyes each time.
  yield* looksOnly(input.role) ? events : keepingThread(events, own, place);
}

async function* keepingThread(events: AsyncIterable<AgentEvent>, own: SessionHome, place: DriverPlace): AsyncGenerator<AgentEvent> {
  let thread: string | null = null;
  try {
    for await (const event of events) {
      if (event.type === 'session') thread ??= event.id;
      yield event;
    }
  } finally {
    // A thread that cannot be kept cannot go on some day; that changes nothing about how this session went.
    if (thread !== null) await keepThread(own, place, thread).catch(() => undefined);
  }
}

function environmentOf(input: AgentInput, { home, user, tmp }: SessionHome, { key }: OwnAccess): Record<string, string> {
  return {
    CODEX_HOME: home,
    HOME: user,
    // Whoever is held has folders for temporary files that nobody else sees; but Codex cannot hold its commands if its home lies in there.
    ...(input.held && !runsApart(input) ? {} : { TMPDIR: tmp }),
    // The times that it names are local ones, without a zone.
    TZ: 'UTC',
    RUST_LOG: 'off',
    ...(key === null ? {} : { CODEX_API_KEY: key }),
  };
}

function failed(reason: FailureReason, message: string): AgentEvent {
  return { type: 'failed', reason, exitCode: null, message, output: '', result: null };
}
