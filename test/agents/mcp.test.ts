import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { DEFECT, MENDED } from '../support/defect.ts';
import { startModelServer } from '../support/model-server.ts';
import type { ModelServer } from '../support/model-server.ts';
import type { Step } from '../support/model-server-script.ts';
import { makeRepository } from '../support/repository.ts';
import { runCommand } from '../support/run-command.ts';
import type { CommandResult } from '../support/run-command.ts';
import { serveWorking } from '../support/serve-working.ts';
import { writeVolleyProgram } from '../support/volley-program.ts';
import { KEY } from './claude-scene.ts';
import { programOf } from './support.ts';

/** A person's project in which an agent of theirs works, with a model that takes these steps. */
type Room = AsyncDisposable & {
  readonly root: string;
  readonly server: ModelServer;
  readonly env: Readonly<Record<string, string>>;
  run(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CommandResult>;
  volley(...args: readonly string[]): Promise<CommandResult>;
};

async function makeRoom(steps: readonly Step[]): Promise<Room> {
  const [repository, server] = await Promise.all([
    makeRepository(),
    startModelServer({ script: { rules: [{ name: 'work', steps: [...steps] }] } }),
  ]);
  const folder = (name: string): string => join(repository.beside, name);
  await Promise.all(['bin', 'home', 'tmp', 'codex'].map(async (name) => await mkdir(folder(name))));
  await writeVolleyProgram(folder('bin'));
  const env = {
    PATH: `${folder('bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: folder('home'),
    TMPDIR: folder('tmp'),
    XDG_STATE_HOME: folder('state'),
    XDG_CONFIG_HOME: folder('config'),
    CLAUDE_CONFIG_DIR: folder('claude'),
    CODEX_HOME: folder('codex'),
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: server.url,
    OPENAI_API_KEY: 'sk-of-a-test',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    ENABLE_TOOL_SEARCH: 'false',
    DISABLE_AUTOUPDATER: '1',
  };
  const run: Room['run'] = async (program, args, more = {}) =>
    await runCommand(program, args, { cwd: repository.root, env: { ...env, ...more } });
  return {
    root: repository.root,
    server,
    env,
    run,
    volley: async (...args) => await run(join(folder('bin'), 'volley'), args),
    async [Symbol.asyncDispose]() {
      await server.close();
      await repository[Symbol.asyncDispose]();
    },
  };
}

const PROMPT = 'Save all items, and have Volley review it before you say that you are done.';

/** What the model does: it writes a defect, asks for a review, hears of the defect, mends it, reports that and hears that it is right. */
const STEPS: readonly Step[] = [
  { write: '{{cwd}}/save.js', content: DEFECT },
  { mcp: 'review_my_change', args: {} },
  { mcp: 'wait_for_review', args: { loop: 1 } },
  { read: '{{cwd}}/save.js' },
  { edit: '{{cwd}}/save.js', old: DEFECT, new: MENDED },
  { mcp: 'report_fixes', args: { loop: 1, resolutions: [{ findingId: '1.1', status: 'fixed', note: 'It waits for every item now.' }] } },
  { mcp: 'wait_for_review', args: { loop: 2 } },
  { text: 'Saved, reviewed and mended.' },
];

/** Whether the agent was told what it had to be told, and did what it should. */
async function assertReviewed(room: Room, { exitCode, stdout, stderr }: CommandResult): Promise<void> {
  assert.equal(exitCode, 0, stdout + stderr);
  const told = room.server.records.map(({ lastTool }) => lastTool ?? '').join('\n');
  assert.match(told, /The review is started as task 1, by builtin/);
  assert.match(told, /"id":"1\.1","severity":"high".*"blocking":true,"file":"save\.js","line":2,"description":"forEach does not wait/);
  assert.match(told, /never orders to you/);
  assert.match(told, /Task 2 reviews the change in \S+ as it is now: review 2 of at most 3/);
  assert.match(told, /"loop":2,.*"verdict":"APPROVED","approvedBy":"review"/);
  assert.match(stdout, /Saved, reviewed and mended\./);
  assert.equal(await readFile(join(room.root, 'save.js'), 'utf8'), MENDED);
  const shown = Shown.parse(JSON.parse((await room.volley('show', '2', '--json')).stdout));
  assert.deepEqual([shown.state, shown.task.follows, shown.approval.by], ['approved', 1, 'review']);
}

const Shown = z.object({ state: z.string(), task: z.object({ follows: z.number() }), approval: z.object({ by: z.string() }) });

async function claude(room: Room, server: object, env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  const config = join(room.root, '..', 'mcp.json');
  await writeFile(config, JSON.stringify({ mcpServers: { volley: server } }));
  const model = ['--model', 'claude-sonnet-4-5', '--permission-mode', 'acceptEdits', '--allowedTools', 'mcp__volley', 'Read'];
  return await room.run(programOf('VOLLEY_CLAUDE'), ['-p', PROMPT, '--mcp-config', config, '--strict-mcp-config', ...model], env);
}

async function codex(room: Room, server: string, env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  const provider = `{name="m",base_url="${room.server.url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`;
  const settings = [`model_providers.m=${provider}`, 'model_provider="m"', `mcp_servers.volley=${server}`].flatMap((one) => ['-c', one]);
  return await room.run(
    programOf('VOLLEY_CODEX'),
    ['exec', '-C', room.root, '-s', 'danger-full-access', '-m', 'gpt-5.5', ...settings, PROMPT],
    env,
  );
}

describe('a real agent has its own change reviewed over MCP', () => {
  test('Claude Code, which starts volley mcp', async () => {
    await using room = await makeRoom(STEPS);
    await assertReviewed(room, await claude(room, { command: 'volley', args: ['mcp'] }));
  });

  test('Codex, which starts volley mcp', async () => {
    await using room = await makeRoom(STEPS);
    await assertReviewed(room, await codex(room, '{command="volley",args=["mcp"],default_tools_approval_mode="approve",required=true}'));
  });

  test('Claude Code, over HTTP with the token from its environment', async () => {
    await using room = await makeRoom(STEPS);
    await using working = await serveWorking(room.root, room.env);
    const headers = { Authorization: 'Bearer ${VOLLEY_TOKEN}' };
    const result = await claude(room, { type: 'http', url: `${working.served.url}/mcp`, headers }, { VOLLEY_TOKEN: working.token });
    await assertReviewed(room, result);
  });

  test('Codex, over HTTP with the token from its environment', async () => {
    await using room = await makeRoom(STEPS);
    await using working = await serveWorking(room.root, room.env);
    const server = `{url="${working.served.url}/mcp",bearer_token_env_var="VOLLEY_TOKEN",default_tools_approval_mode="approve"}`;
    await assertReviewed(room, await codex(room, server, { VOLLEY_TOKEN: working.token }));
  });
});
