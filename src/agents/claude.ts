import { VolleyError } from '../core/errors.ts';
import { Role } from '../core/settings.ts';
import type { AgentSpec } from '../core/settings.ts';
import type { Agent, AgentEvent, AgentInput, AgentNeeds, Detection, Driver, DriverPlace, LoginCommand } from './agent.ts';
import { claudeArguments, claudeEnvironment } from './claude-arguments.ts';
import { askPlan } from './claude-keychain.ts';
import { claudeHome, cleanHome, keepThread, makeSessionHome, readyHome } from './claude-home.ts';
import { claudeLogin, howToLogIn, isRefreshDue, readAccount, storedLogin } from './claude-login.ts';
import type { ClaudeLogin } from './claude-login.ts';
import { readClaude } from './claude-stream.ts';
import { findCli, locateCli } from './cli-detect.ts';
import type { CliPlace } from './cli-detect.ts';
import { guardLogin, withFreshLogin } from './config-home.ts';
import { programFolders } from './program-folders.ts';
import { hostOf } from './provider-host.ts';
import { runStream } from './stream-agent.ts';

/** Claude Code, headless. */
export const claude: Driver = { id: 'claude', roles: Role.options, create: createClaude, login: loginCommand };

const PROGRAM = 'claude';
/** Where its models are, and where tokens are exchanged, by newer and by older versions. */
const HOSTS = ['api.anthropic.com', 'platform.claude.com', 'console.anthropic.com'];
/** Variables that lead its requests elsewhere. */
const BASE_URLS = ['ANTHROPIC_BASE_URL', 'ANTHROPIC_BEDROCK_BASE_URL', 'ANTHROPIC_VERTEX_BASE_URL', 'ANTHROPIC_FOUNDRY_BASE_URL'];
/**
 * Code has about three characters for each token, so this is two thirds of the 200,000 tokens that all of its models take; the rest is
 * for its own instructions and for what it reads and writes. A prompt of megabytes is accepted, and then refused by the model.
 */
const PROMPT_CHARS = 400_000;

function createClaude(spec: AgentSpec, place: DriverPlace): Agent {
  return {
    spec,
    reportsBy: ['mcp', 'structured'],
    holdsItself: true,
    maxPromptChars: spec.maxPromptChars ?? PROMPT_CHARS,
    detect: async () => await detect(spec, place),
    needs: async () => await needs(spec, place),
    run: (input, signal) => run({ spec, place }, input, signal),
  };
}

async function detect(spec: AgentSpec, place: DriverPlace): Promise<Detection> {
  const cli = await findCli(PROGRAM, spec);
  const { by, billing, text } = await loginOf(spec, claudeHome(place), cli);
  return { available: cli.path !== null, version: cli.version, problem: cli.problem, login: { by, billing, text } };
}

async function loginOf(spec: AgentSpec, home: string, { path, args }: Pick<CliPlace, 'path' | 'args'>): Promise<ClaudeLogin> {
  const ask =
    path === null || process.platform !== 'darwin' ? null : async (): ReturnType<typeof askPlan> => await askPlan([path, ...args], home);
  return await claudeLogin(spec, home, ask);
}

async function needs(spec: AgentSpec, place: DriverPlace): Promise<AgentNeeds> {
  const home = claudeHome(place);
  const { path } = await locateCli(PROGRAM, spec);
  const { by } = await claudeLogin(spec, home);
  const read = path === null ? [] : await programFolders(path);
  const hosts = [...new Set([...HOSTS, ...baseHosts(spec), ...spec.hosts])];
  // Whoever brings a key has no use for the login.
  if (by === 'key') return { read, write: [], protect: [], hosts };
  const protect = await readyHome(home);
  // Claude Code replaces the file with its tokens, and makes locks beside it, so it needs the folder; without locks it exchanges nothing.
  return (await isRefreshDue(home)) ? { read, write: [home], protect, hosts } : { read: [...read, home], write: [], protect: [], hosts };
}

/** The hosts to which the configuration itself leads its requests. */
function baseHosts(spec: AgentSpec): string[] {
  return BASE_URLS.filter((name) => spec.env.includes(name)).flatMap((name) => hostOf(process.env[name]));
}

async function* run(
  { spec, place }: { readonly spec: AgentSpec; readonly place: DriverPlace },
  input: AgentInput,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void, undefined> {
  const home = claudeHome(place);
  const cli = await locateCli(PROGRAM, spec);
  if (cli.path === null) {
    yield { type: 'failed', reason: 'not-started', exitCode: null, message: cli.problem, output: '', result: null };
    return;
  }
  const login = await loginOf(spec, home, cli);
  const account = login.by === 'key' ? null : await readAccount(home);
  const config = await makeSessionHome(input, { place, account });
  const start = {
    argv: [cli.path, ...cli.args, ...claudeArguments(spec, input)],
    env: claudeEnvironment(input, { config, login: login.by === 'key' ? config : home }),
  };
  const reader = readClaude({
    configured: spec.billing,
    billing: login.billing,
    isResumed: input.resume !== null,
    howToLogIn: howToLogIn(spec),
    now: Date.now,
  });
  const session = (): AsyncIterable<AgentEvent> => runStream({ ...input, prompt: asText(input.prompt) }, { start, reader }, signal);
  const stored = storedLogin(home);
  try {
    yield* login.isRenewed ? withFreshLogin(stored, () => guardLogin(stored, session), signal) : session();
  } finally {
    const id = reader.id();
    // A thread that cannot be kept cannot go on some day; that changes nothing about how this session went.
    if (id !== null) await keepThread(input, place, id).catch(() => undefined);
  }
}

/** A prompt that begins with a slash is taken for a command, and is never seen by the model. */
function asText(prompt: string): string {
  return prompt.startsWith('/') ? `\n${prompt}` : prompt;
}

/** Claude Code's own login. It runs where a person works, so it must neither obey that repository nor what a session left in the home. */
async function loginCommand(spec: AgentSpec, place: DriverPlace): Promise<LoginCommand> {
  const { path, args, problem } = await locateCli(PROGRAM, spec);
  if (path === null) throw new VolleyError('agent-not-executable', `claude cannot be started: ${problem}`, 'Install Claude Code first.');
  const home = claudeHome(place);
  await cleanHome(home);
  const argv = [path, ...args, '--setting-sources', '', 'auth', 'login'];
  return { argv, env: { CLAUDE_CONFIG_DIR: home, DISABLE_AUTOUPDATER: '1' } };
}
