import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plainAgent } from '../core/settings.ts';
import type { AgentSpec } from '../core/settings.ts';
import type { Agent, AgentEvent, AgentInput } from './agent.ts';
import { codex } from './codex.ts';
import { agentConformance } from './conformance.ts';
import type { Behaviour } from './conformance.ts';
import { fakeInput } from './fake.ts';

const THREAD = '01a1e000-0000-7000-8000-000000000001';
const KEY = { OPENAI_API_KEY: 'sk-of-a-test' };

/** What a program that stands in for Codex begins with: it says things as Codex does. */
const WORDS = `
  const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
  let items = 0;
  const message = (text) => say({ type: 'item.completed', item: { id: 'item_' + items++, type: 'agent_message', text } });
  const done = () => say({ type: 'turn.completed', usage: { input_tokens: 10, output_tokens: 1 } });
  say({ type: 'thread.started', thread_id: '${THREAD}' });
`;

const BEHAVIOURS: Readonly<Record<Behaviour, string>> = {
  answers: `message('hello'); message('{"passed":true}'); done();`,
  echoes: `
    const chunks = [];
    process.stdin.on('data', (chunk) => chunks.push(chunk));
    process.stdin.on('end', () => { message(Buffer.concat(chunks).toString('utf8').slice(0, -1)); done(); });
  `,
  'says-nothing': 'done();',
  crashes: `message('{"passed":true}'); done(); process.exitCode = 3;`,
  hangs: `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`,
  chatters: `setInterval(() => message('x'), 20);`,
  floods: `const text = 'x'.repeat(100_000); const flood = () => { message(text); setImmediate(flood); }; flood();`,
};

const folder = await mkdtemp(join(tmpdir(), 'volley-codex-'));
after(async () => await rm(folder, { recursive: true, force: true }));
let sessions = 0;

/** An agent whose program is this script instead of Codex. */
function standIn(script: string, change: Partial<AgentSpec> = {}, homes = join(folder, 'homes')): Agent {
  const run = [process.execPath, '--eval', `${WORDS}${script}`, '--'];
  const spec = plainAgent({ name: 'codex', driver: 'codex', run, env: Object.keys(KEY), ...change });
  return codex.create(spec, { homes });
}

async function session(change: Partial<AgentInput> = {}): Promise<AgentInput> {
  const marker = `codex-test-${process.pid}-${sessions++}`;
  const place = join(folder, marker);
  await mkdir(join(place, 'checkout'), { recursive: true });
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nobody', ...KEY };
  return fakeInput({ cwd: join(place, 'checkout'), resultFile: join(place, 'result'), marker, env, ...change });
}

async function play(agent: Agent, change: Partial<AgentInput> = {}): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.run(await session(change), new AbortController().signal)) events.push(event);
  return events;
}

function reasonOf(events: readonly AgentEvent[]): string {
  const last = events.at(-1);
  return last?.type === 'failed' ? last.reason : String(last?.type);
}

function messageOf(events: readonly AgentEvent[]): string {
  const last = events.at(-1);
  return last?.type === 'failed' ? last.message : '';
}

/** Codex’s result is its last message, so that is what a session that crashed leaves. */
function withResult(event: AgentEvent): AgentEvent {
  return event.type === 'failed' && event.reason === 'crashed' ? { ...event, result: event.output } : event;
}

agentConformance('codex', (behaviour) => {
  const agent = standIn(BEHAVIOURS[behaviour]);
  return {
    ...agent,
    async *run(input, signal) {
      const env = { ...input.env, ...KEY };
      for await (const event of agent.run({ ...input, report: 'structured', env }, signal)) yield withResult(event);
    },
  };
});

test('a stream that was cut, or never came to its last word, is a failure whatever the exit code', async () => {
  assert.equal(reasonOf(await play(standIn(`message('all is well');`))), 'crashed');
  assert.equal(reasonOf(await play(standIn(`process.stdout.write('{"type":"turn.comp');`))), 'crashed');
});

test('a last word with a bad exit code is a failure', async () => {
  assert.match(messageOf(await play(standIn(`message('all is well'); done(); process.exitCode = 7;`))), /exit code 7/);
});

test('a program that is not there is not started', async () => {
  const agent = standIn('', { run: ['/no/such/codex'] });
  assert.equal(reasonOf(await play(agent)), 'not-started');
  const { available, problem } = await agent.detect();
  assert.equal(available, false);
  assert.match(problem ?? '', /does not exist/);
});

test('a checkout that is gone is told', async () => {
  assert.match(messageOf(await play(standIn('done();'), { cwd: join(folder, 'gone') })), /gone does not exist/);
});

test('whoever is not logged in is not started, and told what to do', async () => {
  const events = await play(standIn('done();'), { env: { PATH: '' } });
  assert.equal(reasonOf(events), 'logged-out');
  assert.match(messageOf(events), /volley login codex/);
});

test('more skills than can be switched off are refused', async () => {
  const input = await session();
  for (let index = 0; index < 300; index++) {
    const skill = join(input.cwd, '.agents/skills', `${'long'.repeat(50)}-${index}`);
    await mkdir(skill, { recursive: true });
    await writeFile(join(skill, 'SKILL.md'), '');
  }
  assert.match(messageOf(await play(standIn('done();'), { cwd: input.cwd })), /too many skills/);
});

/** The arguments and the environment that the program sees, said as its last message. */
const SHOW = `message(JSON.stringify({ args: process.argv.slice(1), env: process.env })); done();`;

type Shown = { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };

async function shown(agent: Agent, change: Partial<AgentInput> = {}): Promise<Shown> {
  const last = (await play(agent, change)).at(-1);
  assert.ok(last?.type === 'ended');
  return JSON.parse(last.output) as Shown;
}

test('each session has a home of its own, empty but for what it needs', async () => {
  const input = await session();
  const { env } = await shown(standIn(SHOW), input);
  assert.ok(env['CODEX_HOME']?.startsWith(join(input.resultFile, '..')));
  assert.notEqual(env['HOME'], '/nobody');
  assert.deepEqual([env['CODEX_API_KEY'], env['VOLLEY_ROLE'], env['VOLLEY_RESULT']], [KEY.OPENAI_API_KEY, 'reviewer', undefined]);
  assert.equal(existsSync(join(env['CODEX_HOME'] ?? '', 'auth.json')), false);
});

test('without a key the session shares the login of Volley’s own, and may write it only if that has to be renewed', async () => {
  const auth = join(folder, 'homes', 'codex', 'auth.json');
  await mkdir(join(folder, 'homes', 'codex'), { recursive: true });
  const agent = standIn(SHOW, { env: [] });
  await writeFile(auth, JSON.stringify({ auth_mode: 'apikey', OPENAI_API_KEY: 'stored' }));
  const { read, write } = await agent.needs();
  assert.deepEqual([read.includes(auth), write], [true, []]);
  await writeFile(auth, JSON.stringify({ auth_mode: 'chatgpt', tokens: { access_token: 'x', refresh_token: 'y' } }));
  assert.deepEqual((await agent.needs()).write, [auth]);
  assert.equal((await agent.detect()).login?.by, 'login');
  const { env } = await shown(agent, { env: { PATH: process.env['PATH'] ?? '' } });
  assert.equal(env['CODEX_API_KEY'], undefined);
  assert.equal(await readlink(join(env['CODEX_HOME'] ?? '', 'auth.json')), auth);
  await rm(auth);
});

test('with a key nothing of the login can be reached', async (t) => {
  process.env['OPENAI_API_KEY'] = 'sk-of-a-test';
  t.after(() => delete process.env['OPENAI_API_KEY']);
  const { read, write } = await standIn('').needs();
  assert.deepEqual([read.filter((path) => path.startsWith(folder)), write], [[], []]);
});

test('the hosts are the provider’s, those that are configured, and that of another endpoint', async (t) => {
  const agent = standIn('', { env: ['OPENAI_BASE_URL'], hosts: ['*.example.com'] });
  t.after(() => delete process.env['OPENAI_BASE_URL']);
  for (const [url, host] of [
    ['http://10.0.0.1/v1', '10.0.0.1:80'],
    ['https://llm.example.org/v1', 'llm.example.org:443'],
    ['http://127.0.0.1:4141/v1', '127.0.0.1:4141'],
  ] as const) {
    process.env['OPENAI_BASE_URL'] = url;
    const { hosts } = await agent.needs();
    assert.deepEqual(hosts.slice(-2), ['*.example.com', host]);
    assert.ok(hosts.includes('api.openai.com') && hosts.includes('chatgpt.com') && hosts.includes('auth.openai.com'));
  }
});

test('the schema of the role lies where the program finds it', async () => {
  const { args } = await shown(standIn(SHOW), { role: 'arbiter', report: 'structured' });
  const file = args[args.indexOf('--output-schema') + 1] ?? '';
  assert.match(await readFile(file, 'utf8'), /"rulings"/);
});

/** Writes a record as Codex does, and tells how many lines were there before. */
const KEEPS_RECORD = `
  const fs = await import('node:fs');
  const dir = process.env.CODEX_HOME + '/sessions/2026/11/15';
  const found = fs.globSync(process.env.CODEX_HOME + '/sessions/*/*/*/*-${THREAD}.jsonl');
  const file = found[0] ?? dir + '/rollout-2026-11-15T12-00-00-${THREAD}.jsonl';
  fs.mkdirSync(dir, { recursive: true });
  message(found.length === 0 ? 'new' : 'lines: ' + fs.readFileSync(file, 'utf8').trim().split('\\n').length);
  fs.appendFileSync(file, '{"type":"turn_context","payload":{"model":"gpt-x"}}\\n');
  done();
`;

async function outputOf(change: Partial<AgentInput>): Promise<string> {
  const last = (await play(standIn(KEEPS_RECORD), change)).at(-1);
  return last?.type === 'ended' ? last.output : last?.type === 'failed' ? last.reason : '';
}

test('the thread of somebody who works is kept, and goes on; that of somebody who looks is not', async () => {
  assert.equal(await outputOf({ role: 'reviewer' }), 'new');
  assert.equal(await outputOf({ role: 'author', resume: THREAD }), 'not-started');
  assert.equal(await outputOf({ role: 'author' }), 'new');
  assert.equal(await outputOf({ role: 'fixer', resume: THREAD }), 'lines: 1');
  assert.equal(await outputOf({ role: 'fixer', resume: THREAD }), 'lines: 2');
  assert.equal((await lstat(join(folder, 'homes', 'codex-threads'))).mode & 0o077, 0);
});

test('a record is not kept if the way to it leads out of the session’s home', async () => {
  const [homes, elsewhere] = [join(folder, 'other-homes'), join(folder, 'elsewhere')];
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, `rollout-2026-11-15T12-00-00-${THREAD}.jsonl`), 'SECRET\n');
  const script = `
    const fs = await import('node:fs');
    fs.mkdirSync(process.env.CODEX_HOME + '/sessions/2026/11', { recursive: true });
    fs.symlinkSync('${elsewhere}', process.env.CODEX_HOME + '/sessions/2026/11/15');
    done();
  `;
  assert.equal(reasonOf(await play(standIn(script, {}, homes), { role: 'author' })), 'ended');
  assert.equal(existsSync(join(homes, 'codex-threads')), false);
});

test('a person logs in with Codex’s own program, in a home where nothing else is left', async () => {
  const home = join(folder, 'homes', 'codex');
  await mkdir(join(home, 'skills'), { recursive: true });
  await writeFile(join(home, 'auth.json'), '{}');
  await writeFile(join(home, '.env'), 'EVIL=1');
  const command = await codex.login?.(plainAgent({ name: 'codex', driver: 'codex', run: [process.execPath] }), {
    homes: join(folder, 'homes'),
  });
  assert.deepEqual(command, { argv: [process.execPath, 'login'], env: { CODEX_HOME: home } });
  assert.deepEqual(
    [existsSync(join(home, 'auth.json')), existsSync(join(home, '.env')), existsSync(join(home, 'skills'))],
    [true, false, false],
  );
});

test('a recorded session comes out as it went in', async () => {
  const file = fileURLToPath(new URL('transcripts/codex-author.jsonl', import.meta.url));
  const script = `process.stdout.write((await import('node:fs')).readFileSync(${JSON.stringify(file)}));`;
  const events = await play(standIn(script), { role: 'author' });
  assert.equal(reasonOf(events), 'ended');
  assert.equal(events.filter(({ type }) => type === 'tool').length, 3);
});
