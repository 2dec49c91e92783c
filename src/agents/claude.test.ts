import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { plainAgent } from '../core/settings.ts';
import type { AgentSpec } from '../core/settings.ts';
import { runProcess } from '../lib/process.ts';
import type { Agent, AgentEvent, AgentInput } from './agent.ts';
import { askPlan } from './claude-keychain.ts';
import { claudeLogin } from './claude-login.ts';
import { claude } from './claude.ts';
import { streamConformance } from './conformance.ts';
import type { StreamBehaviour } from './conformance.ts';
import { fakeInput } from './fake.ts';

/** Stands in for Claude Code: behaves as it is told, or replays a transcript, and speaks its stream. */
const STAND_IN = `
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const [what, ...args] = process.argv.slice(2);
const print = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
const say = (text) => print({ type: 'assistant', message: { id: 'm', model: 'x', content: [{ type: 'text', text }] } });
const end = (more) => print({ type: 'result', subtype: 'success', is_error: false, result: 'hello', ...more });
const id = '00000000-0000-4000-8000-000000000001';
const config = process.env.CLAUDE_CONFIG_DIR ?? '';
const prompt = () => readFileSync(0, 'utf8');
const loop = (work) => setInterval(work, 20);
const does = {
  '--version': () => process.stdout.write('2.1.325 (Claude Code)\\n'),
  answers: () => (say('hello'), end({ structured_output: { passed: true } })),
  echoes: () => { const text = prompt(); say(text); end({ result: text }); },
  'says-nothing': () => end({ result: '' }),
  crashes: () => (say('hello'), end({ structured_output: { passed: true } }), process.exitCode = 3),
  hangs: () => (process.on('SIGTERM', () => undefined), loop(() => undefined)),
  chatters: () => loop(() => say('x')),
  floods: () => { const flood = () => { while (process.stdout.write('x'.repeat(65536) + '\\n')); process.stdout.once('drain', flood); }; flood(); },
  'breaks-off': () => (say('hello'), process.stdout.write('{"type":"result","subtype":"succ')),
  'ends-early': () => say('hello'),
  'ends-well-anyway': () => (process.on('SIGTERM', () => (end({}), process.exit(0))), say('hello'), loop(() => undefined)),
  replays: () => process.stdout.write(readFileSync(args[0])),
  threads: () => {
    const at = args.indexOf('--resume');
    const path = join(config, 'projects', process.env.CLAUDE_CODE_PROJECT_DIR_NAME, id + '.jsonl');
    const before = at === -1 ? '' : readFileSync(path, 'utf8');
    print({ type: 'system', subtype: 'init', session_id: id, model: 'm', apiKeySource: 'none' });
    writeFileSync(path, before + prompt() + ';');
    end({ result: before });
  },
  stores: () => {
    writeFileSync(join(process.env.CLAUDE_SECURESTORAGE_CONFIG_DIR, '.credentials.json'), args[0]);
    end({});
  },
  links: () => {
    const folder = join(config, 'projects', process.env.CLAUDE_CODE_PROJECT_DIR_NAME);
    const isFile = args[0].endsWith('.jsonl');
    if (!isFile) rmSync(folder, { recursive: true });
    symlinkSync(args[0], isFile ? join(folder, id + '.jsonl') : folder);
    print({ type: 'system', subtype: 'init', session_id: id });
    end({});
  },
  tells: () => end({ result: JSON.stringify({ args, env: process.env, settings: readFileSync(join(config, '.claude.json'), 'utf8') }) }),
};
(does[what] ?? does.tells)();
`;

const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_USE_BEDROCK', 'ANTHROPIC_BASE_URL'];

const root = await realpath(await mkdtemp(join(tmpdir(), 'volley-claude-')));
const program = join(root, 'claude');
const homes = join(root, 'homes');
const home = join(homes, 'claude');
let count = 0;

before(async () => {
  await writeFile(join(root, 'stand-in.mjs'), STAND_IN);
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'stand-in.mjs')}' "$@"\n`, { mode: 0o755 });
});
after(async () => await rm(root, { recursive: true, force: true, maxRetries: 3 }));
beforeEach(async () => {
  for (const name of KEYS) delete process.env[name];
  await rm(homes, { recursive: true, force: true });
});

streamConformance('claude', (behaviour: StreamBehaviour) => agent([behaviour]));

function spec(args: readonly string[] = [], change: Partial<AgentSpec> = {}): AgentSpec {
  return plainAgent({ name: 'claude', driver: 'claude', run: [program, ...args], ...change });
}

function agent(args: readonly string[] = [], change: Partial<AgentSpec> = {}): Agent {
  return claude.create(spec(args, change), { homes });
}

async function input(change: Partial<AgentInput> = {}): Promise<AgentInput> {
  const folder = join(root, `session-${count++}`);
  await mkdir(folder, { mode: 0o700 });
  return fakeInput({ cwd: root, resultFile: join(folder, 'result'), marker: `claude-test-${process.pid}-${count++}`, ...change });
}

async function eventsOf(played: Agent, change: Partial<AgentInput> = {}): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of played.run(await input(change), new AbortController().signal)) events.push(event);
  return events;
}

async function outputOf(played: Agent, change: Partial<AgentInput> = {}): Promise<string> {
  const end = (await eventsOf(played, change)).at(-1);
  assert.ok(end?.type === 'ended', JSON.stringify(end));
  return end.output;
}

type Told = { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>>; readonly settings: string };

async function told(change: Partial<AgentInput>, of: Partial<AgentSpec> = {}): Promise<Told> {
  return JSON.parse(await outputOf(agent([], of), change)) as Told;
}

function valueOf(args: readonly string[], flag: string): string | undefined {
  return args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;
}

async function store(path: string, content: unknown): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), JSON.stringify(content));
}

const TOKENS = { accessToken: 'a', refreshToken: 'r', expiresAt: Date.now() + 8 * 3_600_000, subscriptionType: 'max' };
const NOT_LOGGED_IN = 'not logged in: run volley login claude, or name ANTHROPIC_API_KEY under agents.claude.env';

test('a recorded session comes out as it went', async () => {
  const transcript = join(import.meta.dirname, 'transcripts', 'claude-author.jsonl');
  const events = await eventsOf(agent(['replays', transcript]));
  const tools = events.flatMap((event) => (event.type === 'tool' ? [event.detail] : []));
  assert.deepEqual(tools, ['Read /place/checkout/a.txt', 'Edit /place/checkout/a.txt', 'Bash cat a.txt']);
  assert.deepEqual(events.at(-1), { type: 'ended', exitCode: 0, output: 'All done.', result: null });
});

test('what holds a session depends on its role and on whether the operating system does', async () => {
  const held = await told({ role: 'reviewer', held: true, report: 'mcp', bridge: ['/node', 'bridge.ts', 'socket'] });
  assert.equal(valueOf(held.args, '--permission-mode'), 'bypassPermissions');
  assert.equal(valueOf(held.args, '--tools'), 'Read,Grep,Glob,Bash');
  assert.equal(held.env['IS_SANDBOX'], '1');
  const loose = await told({ role: 'arbiter', report: 'mcp', bridge: ['/node', 'bridge.ts', 'socket'] });
  assert.equal(valueOf(loose.args, '--permission-mode'), 'dontAsk');
  assert.match(valueOf(loose.args, '--allowedTools') ?? '', /^Read,Grep,Glob,Bash\(git diff \*\),.*,mcp__volley__report_ruling$/);
  assert.equal(loose.env['IS_SANDBOX'], undefined);
  const author = await told({ role: 'author' });
  assert.equal(valueOf(author.args, '--permission-mode'), 'acceptEdits');
  assert.equal(valueOf(author.args, '--allowedTools'), 'Bash');
  assert.ok(valueOf(author.args, '--tools')?.includes('Write'));
});

/** Runs a command as Claude Code would in a session of a reviewer, whose folder has an odd name. */
async function runApart(command: string, path: string): Promise<string> {
  const folder = join(root, `it's a "$(session)" ${count++}`);
  await mkdir(folder);
  const given = { PATH: path, HOME: root, TMPDIR: root };
  const { env } = await told({ role: 'reviewer', held: true, resultFile: join(folder, 'result'), env: given });
  assert.notEqual(env['HOME'], root);
  const argv = [env['CLAUDE_CODE_SHELL_PREFIX'] ?? '', command];
  const { output } = await runProcess({ argv, cwd: root, env, input: '', wallMs: 60_000, marker: `claude-test-${process.pid}-${count++}` });
  return output;
}

test('commands of whoever looks have their own home, and write nothing that the session obeys', async () => {
  const command =
    'echo "home: $HOME, $TMPDIR"; cd "$CLAUDE_CONFIG_DIR"; touch tmp/written && echo >> shell; touch user/planted; ls user tmp';
  const said = await runApart(command, process.env['PATH'] ?? '');
  assert.ok(said.includes(`home: ${root}, ${root}\n`), said);
  assert.match(said, /shell: Read-only file system/);
  assert.match(said, /tmp:\nwritten\n\nuser:\n$/);
});

test('commands of whoever looks do not run where they cannot be kept apart', async () => {
  const said = await runApart('echo it ran', join(root, 'nothing-here'));
  assert.match(said, /bwrap: not found/);
  assert.doesNotMatch(said, /^it ran/m);
});

test('a session is told its model, budget and thread only where there are any', async () => {
  const plain = await told({ role: 'author' });
  for (const flag of ['--model', '--max-budget-usd', '--resume', '--mcp-config', '--json-schema'])
    assert.ok(!plain.args.includes(flag), flag);
  const full = await told({ role: 'author', budgetUsd: 0.25, resume: 'x', report: 'structured' }, { model: 'opus' });
  assert.deepEqual(
    ['--model', '--max-budget-usd', '--resume'].map((flag) => valueOf(full.args, flag)),
    ['opus', '0.25', 'x'],
  );
  assert.equal((JSON.parse(valueOf(full.args, '--json-schema') ?? '') as { type: string }).type, 'object');
});

test('no settings count but ours, unless those of the repository may be obeyed', async () => {
  const strict = await told({ role: 'author' });
  assert.equal(valueOf(strict.args, '--setting-sources'), '');
  assert.ok(strict.args.includes('--strict-mcp-config') && strict.args.includes('--disable-slash-commands'));
  assert.equal(strict.env['CLAUDE_CODE_DISABLE_CLAUDE_MDS'], '1');
  const obeying = await told({ role: 'author', obeysProject: true });
  assert.equal(valueOf(obeying.args, '--setting-sources'), 'project');
  assert.equal(obeying.env['CLAUDE_CODE_DISABLE_CLAUDE_MDS'], undefined);
});

test('each session has a config folder of its own, beside which there is nothing but the login', async () => {
  await store('.claude.json', { env: { EVIL: '1' }, mcpServers: {}, oauthAccount: { emailAddress: 'a@b.c' } });
  await store('.credentials.json', { claudeAiOauth: TOKENS });
  const [one, other] = [await told({}), await told({})];
  assert.notEqual(one.env['CLAUDE_CONFIG_DIR'], other.env['CLAUDE_CONFIG_DIR']);
  assert.deepEqual(JSON.parse(one.settings), { oauthAccount: { emailAddress: 'a@b.c' }, hasCompletedOnboarding: true });
  assert.equal(one.env['CLAUDE_SECURESTORAGE_CONFIG_DIR'], home);
});

test('a key keeps the login out of the session', async () => {
  await store('.claude.json', { primaryApiKey: 'secret' });
  process.env['ANTHROPIC_API_KEY'] = 'k';
  const { env, settings } = await told({}, { env: ['ANTHROPIC_API_KEY'] });
  assert.equal(env['CLAUDE_SECURESTORAGE_CONFIG_DIR'], env['CLAUDE_CONFIG_DIR']);
  assert.deepEqual(JSON.parse(settings), { hasCompletedOnboarding: true });
});

test('a prompt that looks like a command is text', async () => {
  assert.equal(await outputOf(agent(['echoes']), { prompt: '/clear everything' }), '\n/clear everything');
});

test('a session goes on where the one before it ended, whatever became of its folder', async () => {
  const resume = '00000000-0000-4000-8000-000000000001';
  assert.equal(await outputOf(agent(['threads']), { role: 'author', prompt: 'one' }), '');
  await rm(join(root, `session-${count - 2}`), { recursive: true });
  assert.equal(await outputOf(agent(['threads']), { role: 'fixer', prompt: 'two', resume }), 'one;');
  assert.equal(await outputOf(agent(['threads']), { role: 'fixer', prompt: 'three', resume }), 'one;two;');
  assert.equal((await stat(join(homes, 'claude-threads', `${resume}.jsonl`))).mode & 0o777, 0o600);
});

test('a thread that a session has linked to somebody else is not kept', async () => {
  await writeFile(join(root, 'foreign.jsonl'), 'FOREIGN');
  await mkdir(join(root, 'foreign'));
  await writeFile(join(root, 'foreign', '00000000-0000-4000-8000-000000000001.jsonl'), 'FOREIGN');
  for (const target of ['foreign.jsonl', 'foreign']) await outputOf(agent(['links', join(root, target)]), { role: 'author' });
  assert.ok(!existsSync(join(homes, 'claude-threads')));
});

test('a program that is not there is told, and nothing is started', async () => {
  const missing = claude.create(spec([], { run: ['/nonexistent/claude'] }), { homes });
  assert.deepEqual(await missing.detect(), {
    available: false,
    version: null,
    problem: '/nonexistent/claude does not exist.',
    login: { by: 'none', billing: null, text: NOT_LOGGED_IN },
  });
  const [event] = await eventsOf(missing);
  assert.ok(event?.type === 'failed');
  assert.equal(event.reason, 'not-started');
});

test('detection tells the version and the account', async () => {
  const loginOf = async (env: readonly string[] = []): Promise<unknown> => (await agent([], { env: [...env] }).detect()).login;
  assert.equal((await agent().detect()).version, '2.1.325');
  assert.deepEqual(await loginOf(), { by: 'none', billing: null, text: NOT_LOGGED_IN });
  await store('.claude.json', { primaryApiKey: 'k' });
  assert.deepEqual(await loginOf(), { by: 'login', billing: 'api', text: 'Anthropic Console, logged in with volley login claude' });
  await store('.credentials.json', { claudeAiOauth: TOKENS });
  const max = { by: 'login', billing: 'subscription', text: 'Claude Max, logged in with volley login claude' };
  assert.deepEqual(await loginOf(), max);
  process.env['ANTHROPIC_API_KEY'] = 'k';
  assert.deepEqual(await loginOf(), max);
  assert.deepEqual(await loginOf(['ANTHROPIC_API_KEY']), { by: 'key', billing: 'api', text: 'ANTHROPIC_API_KEY' });
  process.env['ANTHROPIC_API_KEY'] = '';
  assert.deepEqual(await loginOf(['ANTHROPIC_API_KEY']), max);
  process.env['CLAUDE_CODE_OAUTH_TOKEN'] = 't';
  const named = ['CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_USE_BEDROCK'];
  assert.deepEqual(await loginOf(named), { by: 'key', billing: 'subscription', text: 'CLAUDE_CODE_OAUTH_TOKEN' });
  process.env['CLAUDE_CODE_USE_BEDROCK'] = '0';
  assert.deepEqual(await loginOf(named), { by: 'key', billing: 'subscription', text: 'CLAUDE_CODE_OAUTH_TOKEN' });
  process.env['CLAUDE_CODE_USE_BEDROCK'] = '1';
  assert.deepEqual(await loginOf(named), { by: 'key', billing: 'api', text: 'CLAUDE_CODE_USE_BEDROCK' });
});

test('a login that has ended, or is a link to somebody else’s, is none', async () => {
  const loginOf = async (): Promise<unknown> => (await agent().detect()).login?.by;
  await store('.credentials.json', { claudeAiOauth: { ...TOKENS, accessToken: '', refreshToken: '' } });
  assert.equal(await loginOf(), 'none');
  await store('.credentials.json', { claudeAiOauth: { ...TOKENS, refreshToken: '' } });
  assert.equal(await loginOf(), 'none');
  await writeFile(join(root, 'theirs.json'), JSON.stringify({ claudeAiOauth: TOKENS }));
  await rm(join(home, '.credentials.json'));
  await symlink(join(root, 'theirs.json'), join(home, '.credentials.json'));
  assert.equal(await loginOf(), 'none');
});

test('where the login lies in a keychain, Claude Code itself is asked for it', async () => {
  await mkdir(home, { recursive: true });
  const status = { loggedIn: true, authMethod: 'claude.ai', subscriptionType: 'pro' };
  const ask = async (answer: unknown): Promise<unknown> => {
    await writeFile(join(root, 'status.jsonl'), JSON.stringify(answer));
    return await askPlan([program, 'replays', join(root, 'status.jsonl')], home);
  };
  assert.deepEqual(await ask(status), { plan: 'pro' });
  assert.equal(await ask({ ...status, loggedIn: false, authMethod: 'none' }), null);
  assert.equal(await ask({ ...status, authMethod: 'api_key' }), null);
  assert.equal(await ask('nonsense'), null);
  const { text, by } = await claudeLogin(spec(), home, async () => await Promise.resolve({ plan: 'pro' }));
  assert.deepEqual([by, text], ['login', 'Claude Pro, logged in with volley login claude']);
});

test('a session needs its program, its login, and the hosts of its provider', async () => {
  process.env['ANTHROPIC_BASE_URL'] = 'http://127.0.0.1:4141/v1';
  const needs = await agent([], { hosts: ['proxy.example:8443'], env: ['ANTHROPIC_BASE_URL'] }).needs();
  assert.deepEqual(needs, {
    read: [program, home],
    write: [],
    protect: [],
    hosts: ['api.anthropic.com', 'platform.claude.com', 'console.anthropic.com', '127.0.0.1:4141', 'proxy.example:8443'],
  });
  assert.equal(await readFile(join(home, '.claude.json'), 'utf8'), '{}\n');
  assert.equal((await stat(home)).mode & 0o777, 0o700);
  assert.deepEqual((await agent().needs()).hosts, ['api.anthropic.com', 'platform.claude.com', 'console.anthropic.com']);
});

test('a session may write the login only where it may have to renew it, and never the settings', async () => {
  const accessTo = async (expiresAt: number | null): Promise<unknown> => {
    await store('.credentials.json', { claudeAiOauth: { ...TOKENS, expiresAt } });
    const { read, write, protect } = await agent().needs();
    return { read, write, protect };
  };
  const readable = { read: [program, home], write: [], protect: [] };
  assert.deepEqual(await accessTo(Date.now() + 8 * 3_600_000), readable);
  assert.deepEqual(await accessTo(null), readable);
  const writable = { read: [program], write: [home], protect: [join(home, '.claude.json')] };
  assert.deepEqual(await accessTo(Date.now() + 3_600_000), writable);
  assert.deepEqual(await accessTo(Date.now() - 1000), writable);
  process.env['ANTHROPIC_API_KEY'] = 'k';
  const { read, write } = await agent([], { env: ['ANTHROPIC_API_KEY'] }).needs();
  assert.deepEqual([read, write], [[program], []]);
});

test('a login that a session has replaced is put back, unless it was renewed', async () => {
  const left = async (change: object): Promise<unknown> => {
    await store('.credentials.json', { claudeAiOauth: TOKENS });
    await outputOf(agent(['stores', JSON.stringify(change)]));
    return (JSON.parse(await readFile(join(home, '.credentials.json'), 'utf8')) as { claudeAiOauth?: unknown }).claudeAiOauth;
  };
  const renewed = { accessToken: 'a2', refreshToken: 'r2', expiresAt: TOKENS.expiresAt + 1000, subscriptionType: 'max' };
  assert.deepEqual(await left({ claudeAiOauth: renewed }), renewed);
  assert.deepEqual(await left({ claudeAiOauth: { ...TOKENS, subscriptionType: 'pro' } }), { ...TOKENS, subscriptionType: 'pro' });
  for (const other of [
    {},
    { claudeAiOauth: { ...renewed, expiresAt: TOKENS.expiresAt } },
    { claudeAiOauth: { ...renewed, expiresAt: null } },
    { claudeAiOauth: { ...renewed, refreshToken: '' } },
    { claudeAiOauth: { ...TOKENS, expiresAt: TOKENS.expiresAt + 1000 } },
  ]) {
    assert.deepEqual(await left(other), TOKENS, JSON.stringify(other));
  }
});

test('a thread that cannot be kept changes nothing about its session', async () => {
  await mkdir(homes, { recursive: true });
  await writeFile(join(homes, 'claude-threads'), 'in the way');
  assert.equal(await outputOf(agent(['threads']), { role: 'author', prompt: 'one' }), '');
});

test('what a person’s login wrote is left as it is by sessions', async () => {
  await store('.claude.json', { primaryApiKey: 'k', numStartups: 3 });
  await agent().needs();
  assert.deepEqual(JSON.parse(await readFile(join(home, '.claude.json'), 'utf8')), { primaryApiKey: 'k', numStartups: 3 });
});

test('a person logs in with Claude Code itself, in a home where nothing is left that it could obey', async () => {
  await store('.claude.json', { primaryApiKey: 'k', env: { BROWSER: '/evil' }, mcpServers: { evil: {} } });
  await store('.credentials.json', { claudeAiOauth: TOKENS });
  await store('settings.json', { env: { BROWSER: '/evil' } });
  await store('plugins/evil.json', {});
  const command = await claude.login?.(spec(), { homes });
  assert.deepEqual(command?.argv, [program, '--setting-sources', '', 'auth', 'login']);
  assert.deepEqual(command?.env['CLAUDE_CONFIG_DIR'], home);
  assert.deepEqual((await readdir(home)).toSorted(), ['.claude.json', '.credentials.json']);
  assert.deepEqual(JSON.parse(await readFile(join(home, '.claude.json'), 'utf8')), { primaryApiKey: 'k' });
});

test('a login with a program that is not there says so', async () => {
  const login = claude.login?.(spec([], { run: ['/nonexistent/claude'] }), { homes });
  await assert.rejects(async () => await login, { code: 'agent-not-executable' });
});
