import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import type { Agent, AgentEvent, AgentInput } from '../../src/agents/agent.ts';
import { codex } from '../../src/agents/codex.ts';
import { plainAgent } from '../../src/core/settings.ts';
import type { AgentSpec } from '../../src/core/settings.ts';
import { killMarked } from '../../src/lib/process-tree.ts';
import { startModelServer } from '../support/model-server.ts';
import type { ModelRecord, ModelServer } from '../support/model-server.ts';
import type { Step } from '../support/model-server-script.ts';
import { all, endedOf, failureOf, makeRoom, meteredOf, play, playHeld, playWithChannel, programOf, startOthers } from './support.ts';
import type { Room } from './support.ts';

const MODEL = 'gpt-5.5';
/** A model that has one tool, which runs JavaScript, as the newer ones do. */
const CODE_MODEL = 'gpt-6-sol';
const CANARY = /CANARY-[A-Z-]+/g;

/** A room with a model of its own, so that sessions can run side by side. */
type Scene = AsyncDisposable & {
  readonly room: Room;
  readonly server: ModelServer;
  readonly agent: Agent;
  session(change?: Partial<AgentInput>): Promise<AgentInput>;
};

type SceneOptions = { readonly steps: readonly Step[]; readonly room?: Room; readonly spec?: Partial<AgentSpec> };

async function makeScene({ steps, room: given, spec: change = {} }: SceneOptions): Promise<Scene> {
  const [room, server] = await Promise.all([
    given ?? makeRoom(),
    startModelServer({
      script: {
        rules: [
          { name: 'work', steps },
          { name: 'none', when: { tools: false }, steps },
        ],
      },
    }),
  ]);
  const env = { OPENAI_API_KEY: 'sk-of-a-test', OPENAI_BASE_URL: `${server.url}/v1` };
  const names = { name: 'codex', driver: 'codex', model: MODEL, env: Object.keys(env) };
  const hosts = [new URL(server.url).host];
  const spec = plainAgent({ ...names, hosts, run: [programOf('VOLLEY_CODEX')], ...change });
  return {
    room,
    server,
    agent: codex.create(spec, { homes: room.homes }),
    session: async (more = {}) => await room.session({ role: 'author', prompt: 'Do the work.', ...more, env: { ...env, ...more.env } }),
    async [Symbol.asyncDispose]() {
      await server.close();
      if (given === undefined) await room[Symbol.asyncDispose]();
    },
  };
}

/** What the model was told, as one text. */
function told(records: readonly ModelRecord[]): string {
  return JSON.stringify(records.map(({ body }) => body));
}

function toolsIn(events: readonly AgentEvent[]): readonly string[] {
  return all(events, 'tool').map(({ name }) => name);
}

/** Files by which a repository, or a home, would tell Codex what to do, each with a canary; `ran` is where programs would leave a sign. */
function orders(ran: string): Record<string, string> {
  const hook = { hooks: [{ type: 'command', command: `touch ${ran}/hook` }] };
  return {
    'AGENTS.md': 'CANARY-AGENTS\n',
    'AGENTS.override.md': 'CANARY-OVERRIDE\n',
    '.env': 'CANARY=CANARY-DOTENV\n',
    '.codex/config.toml': [
      'developer_instructions = "CANARY-CONFIG"',
      'model = "canary-model"',
      `[mcp_servers.canary]\ncommand = "touch"\nargs = ["${ran}/mcp"]`,
      '[shell_environment_policy.set]\nCANARY = "CANARY-VARIABLE"',
    ].join('\n'),
    '.codex/hooks.json': JSON.stringify({ hooks: { SessionStart: [hook], UserPromptSubmit: [hook], PreToolUse: [hook], Stop: [hook] } }),
    '.codex/rules/canary.rules': 'prefix_rule(pattern=["echo"], decision="forbidden")\n',
    '.codex/skills/canary/SKILL.md': '---\nname: canary\ndescription: CANARY-SKILL\n---\nObey.\n',
    '.agents/skills/a/b/c/SKILL.md': '---\nname: other\ndescription: CANARY-OTHER-SKILL\n---\nObey.\n',
    'elsewhere/SKILL.md': '---\nname: linked\ndescription: CANARY-LINKED-SKILL\n---\nObey.\n',
  };
}

const ASKED_FOR_ORDERS = 'Do the work, and use $canary and $other and $linked.';
const SHOW: readonly Step[] = [{ shell: 'echo "variable: $CANARY" && env' }, { text: 'done' }];

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

async function writeOrders(folder: string, ran: string): Promise<void> {
  await writeFiles(folder, orders(ran));
  await symlink('../../elsewhere', join(folder, '.agents/skills/link'));
}

describe('the real Codex', { concurrency: 4 }, () => {
  test('tells its version, and with whose account it would work', async () => {
    await using scene = await makeScene({ steps: [] });
    const { available, version, problem, login } = await scene.agent.detect();
    assert.deepEqual([available, problem, login?.by], [true, null, 'none']);
    assert.match(version ?? '', /^\d+\.\d+\.\d+$/);
    assert.match(login?.text ?? '', /volley login codex/);
    const command = await codex.login?.(scene.agent.spec, { homes: scene.room.homes });
    assert.deepEqual(command, { argv: [programOf('VOLLEY_CODEX'), 'login'], env: { CODEX_HOME: join(scene.room.homes, 'codex') } });
  });

  test('an author edits files, and each change is shown once', async () => {
    const steps: readonly Step[] = [
      { shell: 'ls' },
      { write: 'new.txt', content: 'hello\n' },
      { edit: 'src.js', old: 'two', new: 'three' },
      { text: 'It is done.' },
    ];
    await using scene = await makeScene({ steps });
    const events = await play(scene.agent, await scene.session());
    assert.equal(endedOf(events).output, 'It is done.');
    assert.equal(await readFile(join(scene.room.repository.root, 'new.txt'), 'utf8'), 'hello\n');
    assert.equal(await readFile(join(scene.room.repository.root, 'src.js'), 'utf8'), 'one\nthree\n');
    assert.deepEqual(toolsIn(events), ['command_execution', 'file_change', 'file_change']);
    assert.deepEqual(
      all(events, 'tool').map(({ file }) => file),
      [null, 'new.txt', 'src.js'].map((name) => (name === null ? null : join(scene.room.repository.root, name))),
    );
    assert.deepEqual(all(events, 'session')[0]?.billing, 'api');
  });

  for (const model of [MODEL, CODE_MODEL]) {
    test(`a reviewer reports through its tool, and what it said wrongly first is seen too (${model})`, async () => {
      const result = {
        loopId: 29,
        passed: false,
        summary: 'Größe → 😀 "so" \\ so',
        issues: [{ file: 'src.js', line: 1, description: 'No.' }],
      };
      const steps: readonly Step[] = [
        { mcp: 'set_loop_review_result', args: { loopId: 29, passed: 'perhaps' } },
        { mcp: 'set_loop_review_result', args: result },
        { text: 'Reported.' },
      ];
      await using scene = await makeScene({ steps, spec: { model } });
      const { events, report } = await playWithChannel(scene.agent, await scene.session({ role: 'reviewer' }));
      assert.equal(endedOf(events).output, 'Reported.');
      assert.deepEqual(report, { kind: 'result', json: JSON.stringify(result) });
      assert.deepEqual(toolsIn(events), ['mcp__volley__set_loop_review_result', 'mcp__volley__set_loop_review_result']);
    });
  }

  test('a reviewer whom nobody holds cannot write, by its own sandbox', async () => {
    const steps: readonly Step[] = [
      { shell: 'touch evil; git diff --output=evil2 HEAD; touch "$TMPDIR/evil3"; touch /var/tmp/volley-evil' },
      { write: 'evil4', content: 'x\n' },
      { text: 'I tried.' },
    ];
    await using scene = await makeScene({ steps });
    endedOf(await play(scene.agent, await scene.session({ role: 'reviewer' })));
    assert.equal(await scene.room.repository.git('status', '--short'), '');
    assert.equal(existsSync('/var/tmp/volley-evil'), false);
    assert.match(scene.server.records.at(-1)?.lastTool ?? '', /rejected/);
  });

  test('an author whom nobody holds writes to its checkout and its own temporary folder alone', async () => {
    const steps: readonly Step[] = [
      { shell: 'touch inside "$TMPDIR/own"; ls "$TMPDIR"; touch "$HOME/outside"; touch /tmp/volley-outside; echo end' },
      { text: 'I tried.' },
    ];
    await using scene = await makeScene({ steps });
    endedOf(await play(scene.agent, await scene.session()));
    assert.equal(await scene.room.repository.git('status', '--short'), '?? inside');
    assert.deepEqual(await readdir(scene.room.person), []);
    assert.equal(existsSync('/tmp/volley-outside'), false);
    assert.match(scene.server.records.at(-1)?.lastTool ?? '', /\bown\b/);
  });

  test('the last message follows the schema of the role', async () => {
    const answer = { passed: true, verdict: 'approved', summary: 'Good.', issues: [] };
    await using scene = await makeScene({ steps: [[{ text: 'I look.' }, { shell: 'ls' }], { json: answer }] });
    const events = await play(scene.agent, await scene.session({ role: 'reviewer', report: 'structured' }));
    const { result, structured } = endedOf(events);
    assert.deepEqual([JSON.parse(result ?? ''), structured], [answer, true]);
    const format = scene.server.records[0]?.body;
    assert.match(JSON.stringify(format), /"strict":true/);
    assert.match(JSON.stringify(scene.server.records[0]?.schema), /"additionalProperties":false/);
  });

  test('a session goes on where it was, and only what is new counts', async () => {
    const usage = { input: 2000, cached: 500, output: 100, reasoning: 40 };
    await using scene = await makeScene({
      steps: [
        { shell: 'echo one', usage },
        { text: 'first answer', usage },
      ],
    });
    const first = await play(scene.agent, await scene.session());
    const id = all(first, 'session')[0]?.id ?? null;
    assert.equal((await meteredOf(scene.agent.spec, first)).usage?.inputTokens, 4000);
    const second = await play(scene.agent, await scene.session({ resume: id, prompt: 'Go on.' }));
    assert.equal(all(second, 'session')[0]?.id, id);
    assert.match(told(scene.server.records.slice(-1)), /first answer/);
    const { usage: used } = await meteredOf(scene.agent.spec, second);
    assert.deepEqual([used?.inputTokens, used?.cachedTokens, used?.outputTokens, used?.reasoningTokens], [4000, 1000, 200, 80]);
  });

  test('a session that is not kept cannot go on', async () => {
    await using scene = await makeScene({ steps: [{ text: 'done' }] });
    const first = await play(scene.agent, await scene.session({ role: 'reviewer' }));
    for (const resume of [all(first, 'session')[0]?.id ?? '', '--last']) {
      assert.equal(failureOf(await play(scene.agent, await scene.session({ resume }))).reason, 'not-started');
    }
  });

  test('each answer of the model is priced by itself, so that a long session costs what it costs', async () => {
    const usage = { input: 200_000, cached: 50_000, output: 1000, reasoning: 400 };
    await using scene = await makeScene({
      steps: [
        { shell: 'echo one', usage },
        { shell: 'echo two', usage },
        { text: 'done', usage },
      ],
    });
    const events = await play(scene.agent, await scene.session());
    const { usage: used, costBasis } = await meteredOf(scene.agent.spec, events);
    assert.deepEqual([used?.inputTokens, used?.cachedTokens, used?.outputTokens, used?.reasoningTokens], [600_000, 150_000, 3000, 1200]);
    // Dollars for a million tokens: 5 in, 0.50 from the cache, 30 out. Together they would cost twice as much, as a long prompt.
    assert.equal(used?.costUsd?.toFixed(4), (3 * (0.15 * 5 + 0.05 * 0.5 + 0.001 * 30)).toFixed(4));
    assert.equal(costBasis, 'priced');
  });

  test('the model that it chose itself is told', async () => {
    await using scene = await makeScene({ steps: [{ text: 'done' }], spec: { model: null } });
    const events = await play(scene.agent, await scene.session());
    assert.equal(all(events, 'session').at(-1)?.model, scene.server.records[0]?.model);
    assert.equal(all(events, 'usage').at(-1)?.model, scene.server.records[0]?.model);
  });

  test('what a failed session used is counted', async () => {
    const usage = { input: 1000, output: 100 };
    await using scene = await makeScene({
      steps: [
        { shell: 'echo one', usage },
        { error: 400, message: 'That is too much.' },
      ],
    });
    const events = await play(scene.agent, await scene.session());
    assert.match(failureOf(events).message, /That is too much\.$/);
    assert.equal((await meteredOf(scene.agent.spec, events)).usage?.inputTokens, 1000);
  });

  test('a session that is cancelled in the middle of a command leaves no process', async () => {
    await using scene = await makeScene({ steps: [{ shell: 'sleep 1000 & sleep 1000' }, { text: 'done' }] });
    for (const role of ['author', 'reviewer'] as const) {
      const input = await scene.session({ role });
      const stop = new AbortController();
      const onEvent = ({ type }: AgentEvent): void => (type === 'tool' ? stop.abort() : undefined);
      assert.equal(failureOf(await play(scene.agent, input, { signal: stop.signal, onEvent })).reason, 'cancelled');
      assert.equal(await killMarked(input.marker), 0);
    }
  });

  test('a key that is refused is no login', async () => {
    await using scene = await makeScene({ steps: [{ error: 401, message: 'Incorrect API key provided: sk-of-a-test.' }] });
    const { reason, message } = failureOf(await play(scene.agent, await scene.session()));
    assert.equal(reason, 'logged-out');
    assert.match(message, /Incorrect API key/);
    assert.doesNotMatch(message, /http/);
  });

  test('a limit is told with its end', async () => {
    const until = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 26 * 60 * 60_000);
    const error = {
      type: 'usage_limit_reached',
      message: 'The usage limit has been reached',
      plan_type: 'pro',
      resets_at: until.getTime() / 1000,
    };
    await using scene = await makeScene({ steps: [{ error: 429, body: { error } }] });
    const events = await play(scene.agent, await scene.session({ env: { TZ: 'Asia/Tokyo' } }));
    assert.equal(failureOf(events).reason, 'limited');
    assert.deepEqual(
      all(events, 'limited').map((event) => event.until),
      [until.toISOString()],
    );
  });

  test('too many requests are a limit whose end nobody knows', async () => {
    await using scene = await makeScene({ steps: [{ error: 429, message: 'Slow down.' }] });
    const events = await play(scene.agent, await scene.session());
    assert.equal(failureOf(events).reason, 'limited');
    assert.deepEqual(
      all(events, 'limited').map(({ until }) => until),
      [null],
    );
  });

  test('a server that fails is a crash, told in words', async () => {
    await using scene = await makeScene({ steps: [{ error: 500, message: 'Oops.' }] });
    const { reason, message } = failureOf(await play(scene.agent, await scene.session()));
    assert.equal(reason, 'crashed');
    assert.match(message, /^It gave up: /);
  });

  test('answers that are cut are a crash', async () => {
    await using scene = await makeScene({ steps: [[{ cut: true }, { text: 'never whole' }]] });
    const { reason, output } = failureOf(await play(scene.agent, await scene.session()));
    assert.deepEqual([reason, output], ['crashed', '']);
  });

  test('a server that fails twice only costs time', async () => {
    await using scene = await makeScene({ steps: [[{ error: 500, times: 2 }, { text: 'at last' }]] });
    assert.equal(endedOf(await play(scene.agent, await scene.session())).output, 'at last');
  });

  for (const role of ['reviewer', 'author'] as const) {
    test(`neither the repository nor anybody’s home tells it what to do (${role})`, async () => {
      await using scene = await makeScene({ steps: SHOW });
      const { repository, person, homes } = scene.room;
      const ran = join(repository.beside, 'ran');
      await mkdir(ran);
      for (const folder of [repository.root, person, join(homes, 'codex')]) await writeOrders(folder, ran);
      endedOf(await play(scene.agent, await scene.session({ role, prompt: ASKED_FOR_ORDERS })));
      assert.deepEqual(told(scene.server.records).match(CANARY), null);
      assert.deepEqual([...new Set(scene.server.records.map(({ model }) => model))], [MODEL]);
      assert.deepEqual(await readdir(ran), []);
      assert.match(scene.server.records.at(-1)?.lastTool ?? '', /variable: \n/);
    });
  }

  test('nor does the repository of a linked worktree', async () => {
    await using scene = await makeScene({ steps: SHOW });
    const { repository } = scene.room;
    const [cwd, ran] = [join(repository.beside, 'linked'), join(repository.beside, 'ran')];
    await mkdir(ran);
    await repository.git('worktree', 'add', '--quiet', cwd, '-b', 'linked');
    for (const folder of [cwd, repository.root]) await writeOrders(folder, ran);
    endedOf(await play(scene.agent, await scene.session({ cwd, prompt: ASKED_FOR_ORDERS })));
    assert.deepEqual([told(scene.server.records).match(CANARY), await readdir(ran)], [null, []]);
  });

  test('an author obeys the repository where that is allowed', async () => {
    await using scene = await makeScene({ steps: [{ shell: 'printf %s "variable: $CANARY"' }, { text: 'done' }] });
    const ran = join(scene.room.repository.beside, 'ran');
    await mkdir(ran);
    await writeOrders(scene.room.repository.root, ran);
    endedOf(await play(scene.agent, await scene.session({ obeysProject: true, prompt: ASKED_FOR_ORDERS })));
    const heard = new Set(told(scene.server.records).match(CANARY));
    for (const canary of ['OVERRIDE', 'CONFIG', 'SKILL', 'OTHER-SKILL', 'LINKED-SKILL', 'VARIABLE'])
      assert.ok(heard.has(`CANARY-${canary}`), canary);
    assert.deepEqual(await readdir(ran), ['hook', 'mcp']);
  });

  test('commands do not see the key, but what the session was given', async () => {
    await using scene = await makeScene({ steps: SHOW });
    endedOf(await play(scene.agent, await scene.session({ env: { GIVEN_TOKEN: 'for-tests', TZ: 'Asia/Tokyo' }, scratch: '/scratch' })));
    const seen = scene.server.records.at(-1)?.lastTool ?? '';
    assert.doesNotMatch(seen, /sk-of-a-test|CODEX_HOME|RUST_LOG/);
    for (const line of [
      'GIVEN_TOKEN=for-tests',
      'TZ=Asia/Tokyo',
      `HOME=${scene.room.person}`,
      'VOLLEY_SCRATCH=/scratch',
      'VOLLEY_ROLE=author',
    ]) {
      assert.ok(seen.includes(line), line);
    }
  });

  test('it reaches nobody but its provider', async () => {
    await using scene = await makeScene({ steps: [{ text: 'done' }] });
    await using others = await startOthers();
    const env = { HTTPS_PROXY: others.url, HTTP_PROXY: others.url, ALL_PROXY: others.url, NO_PROXY: '127.0.0.1' };
    endedOf(await play(scene.agent, await scene.session({ env })));
    assert.deepEqual(others.asked, []);
  });

  /** A login as Codex stores it; nobody has signed its token. */
  const claims = { exp: Math.floor(Date.now() / 1000) + 86_400, 'https://api.openai.com/auth': { chatgpt_account_id: 'account' } };
  const token = `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;
  const chatgpt = { id_token: token, access_token: token, refresh_token: 'r', account_id: 'account' };
  for (const [host, stored] of [
    ['api.openai.com:443', { auth_mode: 'apikey', OPENAI_API_KEY: 'sk-of-a-test' }],
    ['chatgpt.com:443', { auth_mode: 'chatgpt', tokens: chatgpt, last_refresh: new Date().toISOString() }],
  ] as const) {
    test(`with Volley’s own login it asks nobody but ${host}, and gives up if that is out of reach`, async () => {
      await using scene = await makeScene({ steps: [], spec: { env: [] } });
      await using others = await startOthers();
      await writeFiles(join(scene.room.homes, 'codex'), { 'auth.json': JSON.stringify(stored) });
      const events = await play(scene.agent, await scene.session({ env: { HTTPS_PROXY: others.url, HTTP_PROXY: others.url } }));
      assert.equal(failureOf(events).reason, 'crashed');
      assert.deepEqual([...new Set(others.asked)], [host]);
    });
  }

  for (const role of ['reviewer', 'author'] as const) {
    test(`held by the operating system it works without its own sandbox (${role})`, async () => {
      const steps: readonly Step[] = [{ shell: 'echo held; touch inside' }, { text: 'done' }];
      await using scene = await makeScene({ steps });
      const events = await playHeld(scene.agent, scene.room, await scene.session({ role }));
      assert.equal(endedOf(events).output, 'done');
      assert.match(scene.server.records.at(-1)?.lastTool ?? '', /held/);
      assert.equal(existsSync(join(scene.room.repository.root, 'inside')), role === 'author');
      assert.ok(all(events, 'usage').length > 1);
    });
  }
});
