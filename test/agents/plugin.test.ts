import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
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
import { writeVolleyProgram } from '../support/volley-program.ts';
import { KEY } from './claude-scene.ts';
import { programOf } from './support.ts';

const PLUGIN = join(import.meta.dirname, '..', '..', 'integrations', 'claude-code');

type Desk = AsyncDisposable & {
  readonly root: string;
  readonly server: ModelServer;
  volley(...args: readonly string[]): Promise<CommandResult>;
  claude(...args: readonly string[]): Promise<CommandResult>;
};

/** A person's project with Claude Code, our plugin, and a model that answers each thing it is told with the next of these rounds. */
async function makeDesk(rounds: readonly (readonly Step[])[]): Promise<Desk> {
  const [repository, server] = await Promise.all([
    makeRepository(),
    startModelServer({ script: { rules: [{ name: 'work', rounds: rounds.map((steps) => [...steps]) }] } }),
  ]);
  const folder = (name: string): string => join(repository.beside, name);
  await Promise.all(['bin', 'home', 'tmp'].map(async (name) => await mkdir(folder(name))));
  await writeVolleyProgram(folder('bin'));
  const env = {
    PATH: `${folder('bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: folder('home'),
    TMPDIR: folder('tmp'),
    XDG_STATE_HOME: folder('state'),
    XDG_CONFIG_HOME: folder('config'),
    CLAUDE_CONFIG_DIR: folder('claude'),
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: server.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    DISABLE_AUTOUPDATER: '1',
  };
  const run = async (program: string, args: readonly string[]): Promise<CommandResult> =>
    await runCommand(program, args, { cwd: repository.root, env });
  return {
    root: repository.root,
    server,
    volley: async (...args) => await run(join(folder('bin'), 'volley'), args),
    claude: async (...args) => await run(programOf('VOLLEY_CLAUDE'), args),
    async [Symbol.asyncDispose]() {
      await server.close();
      await repository[Symbol.asyncDispose]();
    },
  };
}

/** Has the agent do something with the plugin, and gives what its hooks answered at each stop. */
async function work(desk: Desk, prompt: string): Promise<{ readonly result: CommandResult; readonly stops: readonly StopAnswer[] }> {
  const model = ['--model', 'claude-sonnet-4-5', '--permission-mode', 'acceptEdits'];
  const told = ['--output-format', 'stream-json', '--verbose', '--include-hook-events'];
  const result = await desk.claude('-p', prompt, '--plugin-dir', PLUGIN, ...model, ...told);
  assert.equal(result.exitCode, 0, result.stdout + result.stderr);
  const answers = result.stdout.split('\n').flatMap((line) => {
    const parsed = HookResponse.safeParse(line === '' ? null : JSON.parse(line));
    return parsed.success ? [parsed.data.stdout] : [];
  });
  return { result, stops: answers.map((text) => StopAnswer.parse(text === '' ? {} : JSON.parse(text))) };
}

const HookResponse = z.object({
  subtype: z.literal('hook_response'),
  hook_event: z.literal('Stop'),
  exit_code: z.literal(0),
  stdout: z.string(),
});
const StopAnswer = z.strictObject({
  decision: z.literal('block').optional(),
  reason: z.string().optional(),
  systemMessage: z.string().optional(),
});
type StopAnswer = z.infer<typeof StopAnswer>;

describe('the plugin for Claude Code', { concurrency: 2 }, () => {
  test('is valid for the client itself, and brings its command, its skill and its tools', async () => {
    await using desk = await makeDesk([[{ text: 'Hello.' }]]);
    for (const path of [PLUGIN, join(PLUGIN, '..')]) {
      const { exitCode, stdout, stderr } = await desk.claude('plugin', 'validate', '--strict', path);
      assert.equal(exitCode, 0, stdout + stderr);
    }
    const { result, stops } = await work(desk, 'Hello.');
    assert.match(result.stdout, /"slash_commands":\[[^\]]*"volley:review","volley:using-volley"/);
    assert.match(result.stdout, /"mcp_servers":\[\{"name":"plugin:volley:volley","status":"(?:connected|pending)"/);
    assert.deepEqual(stops, [{}]);
    assert.equal(existsSync(join(desk.root, '.volley')), false);
  });

  test('an agent that wants to stop with a defect is told, mends it, and stops', async () => {
    await using desk = await makeDesk([
      [{ write: '{{cwd}}/save.js', content: DEFECT }, { text: 'Saved.' }],
      [{ write: '{{cwd}}/save.js', content: MENDED }, { text: 'Mended.' }],
    ]);
    const { result, stops } = await work(desk, 'Save all items.');
    assert.deepEqual(
      stops.map(({ decision }) => decision),
      ['block', undefined],
    );
    assert.match(desk.server.records.at(-1)?.lastUser ?? '', /line 2: forEach does not wait for its async callback/);
    assert.match(result.stdout, /"result":"Mended\."/);
    assert.equal(await readFile(join(desk.root, 'save.js'), 'utf8'), MENDED);
    assert.match((await desk.volley('status')).stdout, /1\..* CHANGES_REQUESTED .*\n.*2\..* APPROVED/);
  });

  test('an agent that never mends anything is let go after three times, and one review is paid for', async () => {
    await using desk = await makeDesk([[{ write: '{{cwd}}/save.js', content: DEFECT }, { text: 'Saved.' }], [{ text: 'It is fine.' }]]);
    const { stops } = await work(desk, 'Save all items.');
    assert.deepEqual(
      stops.map(({ decision }) => decision),
      ['block', 'block', 'block', undefined],
    );
    assert.match(
      stops.at(-1)?.systemMessage ?? '',
      /held the agent back 3 times and now lets it stop\. The change is not approved: 1 finding/,
    );
    assert.equal((await desk.volley('status', '--json')).stdout.trim().split('\n').length, 2);
  });

  test('what the person had left there is not held against the agent', async () => {
    await using desk = await makeDesk([[{ text: 'It saves items.' }]]);
    await writeFile(join(desk.root, 'save.js'), DEFECT);
    const { stops } = await work(desk, 'What does save.js do?');
    assert.deepEqual(stops, [{}]);
  });
});
