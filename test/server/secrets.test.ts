import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ROUTES } from '../../src/api/contract.ts';
import { Choices } from '../../src/api/contract/people.ts';
import { Draft } from '../../src/core/draft.ts';
import { LoopOutput } from '../../src/core/output.ts';
import { makeCanaries } from '../support/canaries.ts';
import { openLive } from '../support/live-listener.ts';
import { connectHttp } from '../support/mcp-client.ts';
import type { McpClient } from '../support/mcp-client.ts';
import { eventually, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario, Turn } from '../support/scenario.ts';
import { startShownServer } from '../support/server-process.ts';
import type { ServerProcess } from '../support/server-process.ts';

// T14 of the threats: what looks like a secret gets in by every way there is, and lies or is shown nowhere afterwards. What the
// user's own commits hold is the exception: the diff of their code is shown to them as it is.

const canaries = makeCanaries();
const plant = (way: string): string => canaries.plant(way);

let scenario: Scenario;
let server: ServerProcess;
let agent: McpClient;
/** What the server answered to whoever planted something, each with what was asked. */
const answers: string[] = [];

/** Prints a secret in two pieces with a pause between them, so that no chunk holds all of it. */
function printed(way: string): string {
  const [first, second] = canaries.halves(way);
  return `printf 'I use %s' '${first}'; sleep 0.3; printf '%s now\\n' '${second}'`;
}

function said(way: string): string {
  return plant(way).replaceAll("'", '"');
}

const AUTHOR: readonly Turn[] = [
  {
    write: { 'code.txt': 'red\n' },
    run: `${printed('what the author says in two chunks')}; ${printed('what the author says on stderr')} >&2`,
    result: { summary: plant('the summary of the author') },
  },
  { write: { 'config.txt': `${plant('what an author writes into a file')}\n` }, result: { summary: 'Done.' } },
];

const FIXER: readonly Turn[] = [
  {
    write: { 'code.txt': 'green\n' },
    result: { summary: plant('the summary of the fixer'), commits: [{ summary: plant('a commit of the fixer'), paths: ['code.txt'] }] },
  },
  {
    write: { 'code.txt': 'green\nmore\n' },
    result: {
      resolutions: [
        { findingId: '1.2', status: 'disputed', note: plant('what the fixer disputes') },
        { findingId: '1.4', status: 'fixed', note: plant('what the fixer fixed') },
      ],
    },
  },
];

const REVIEW = {
  ...rejected(
    {
      file: 'code.txt',
      line: 1,
      severity: 'high',
      category: 'logic',
      description: plant('the description of a finding'),
      impact: plant('the impact of a finding'),
      suggestion: plant('the suggestion of a finding'),
      type: plant('the type of a finding'),
    },
    {
      file: 'code.txt',
      line: 1,
      severity: 'high',
      category: 'testing',
      description: 'Another thing.',
      patch: `--- a/code.txt\n+++ b/code.txt\n@@ -1 +1 @@\n-green\n+${plant('the patch of a finding').replaceAll('\n', ' ')}\n`,
    },
    { file: 'code.txt', line: 1, severity: 'high', category: 'performance', description: 'A third thing, of another kind.' },
  ),
  summary: plant('the summary of a review'),
  interpretedIntent: plant('the intent that a review sees'),
  evidence: [{ claim: plant('a claim'), command: plant('a command of the evidence'), output: plant('the output of the evidence') }],
};

/** Red until the fixer was there, and loud about it. */
const GATE = `cat code.txt; ${printed('what a gate prints')}; ! grep -q red code.txt`;

before(async () => {
  scenario = await makeScenario({
    files: { 'README.md': '# Sample\n', 'gate.sh': `${GATE}\n` },
    agents: {
      author: turns(...AUTHOR),
      reviewer: turns({ result: REVIEW, run: printed('what the reviewer says in two chunks') }),
      fixer: turns(...FIXER),
      arbiter: turns({ result: { rulings: [{ findingId: '1.2', ruling: 'upheld', note: plant('the ruling of the arbiter') }] } }),
      crasher: turns({ run: `${printed('the last words of an agent that fails')} >&2; exit 7` }),
    },
    config: { roles: { arbiter: 'arbiter', fallback: ['builtin'] }, gates: [{ name: 'check', run: 'sh gate.sh' }] },
  });
  const own = join(scenario.env['XDG_CONFIG_HOME'] ?? '', 'volley');
  await mkdir(own, { recursive: true });
  await writeFile(join(own, 'config.yaml'), 'mcp: { decide: true }\n');
  server = await startShownServer(scenario);
  agent = await connectHttp(server.url, server.token);
  await speak();
});

after(async () => {
  await agent?.[Symbol.asyncDispose]();
  await scenario[Symbol.asyncDispose]();
});

async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await server.ask(method, path, body);
  answers.push(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  assert.ok(answer.status < 300, answers.at(-1));
  return answer.body;
}

async function call(tool: string, input: Record<string, unknown>): Promise<Readonly<Record<string, unknown>>> {
  const answer = await agent.call(tool, input);
  answers.push(`${tool}: ${answer.text} ${JSON.stringify(answer.data)}`);
  assert.ok(!answer.isError, answers.at(-1));
  return answer.data;
}

async function untilState(id: number, ...states: readonly string[]): Promise<void> {
  await eventually(
    `task ${id} is ${states.join(' or ')}`,
    async () => states.includes(LoopOutput.parse((await server.ask('GET', `/api/loops/${id}`)).body).state),
    60_000,
  );
}

/** Whoever can say something says a secret: people, programs, agents, commands and the code itself. */
async function speak(): Promise<void> {
  const words = { story: plant('a story'), plan: plant('a plan'), group: said('a group').slice(0, 200), ref: said('a ref') };
  await ask('POST', '/api/tasks', { text: `Write it\n\n${plant('the text of a task')}`, ...words, autoReview: true, maxRounds: 1 });
  await ask('POST', '/api/tasks', { text: 'Wait', dependsOn: [1] });
  await ask('PATCH', '/api/tasks/2', {
    text: plant('an edited text'),
    story: plant('an edited story'),
    plan: plant('an edited plan'),
    reason: plant('the reason of an edit'),
  });
  await ask('POST', '/api/tasks/preview', { text: plant('a preview'), story: plant('the story of a preview') });
  await untilState(1, 'needs_human');
  await speakAsPeople();
  await ask('POST', '/api/tasks', { text: 'Write a secret', autoReview: true });
  await ask('POST', '/api/tasks', { text: 'Crash', autoReview: true, author: 'crasher' });
  await untilState(3, 'needs_human');
  await untilState(4, 'needs_human');
  await speakAsAgent();
}

async function speakAsPeople(): Promise<void> {
  await ask('POST', '/api/loops/1/comments', { text: plant('a comment'), file: 'code.txt', line: 1 });
  const draft = Draft.parse(await ask('POST', '/api/loops/1/drafts', { text: plant('a draft') }));
  await ask('PATCH', `/api/loops/1/drafts/${draft.id}`, { text: plant('a changed draft') });
  await ask('POST', '/api/loops/1/drafts', { text: plant('another draft') });
  await ask('POST', '/api/loops/1/drafts/submit', { as: 'comment', text: plant('a word about all drafts'), drafts: [draft.id] });
  await ask('POST', '/api/loops/1/findings/3/rulings', { ruling: 'refute', reason: plant('the reason of a ruling') });
  const { choices } = Choices.parse(await ask('GET', '/api/loops/1/choices'));
  assert.ok(choices.some(({ choice }) => choice === 'one-more-round'));
  await ask('POST', '/api/loops/1/decisions', { choice: 'one-more-round', reason: plant('the reason of a decision') });
  await untilState(1, 'needs_human');
  await ask('POST', '/api/loops/1/overrides', { override: 'ready', reason: plant('the reason of an override') });
}

async function speakAsAgent(): Promise<void> {
  await scenario.repository.write('mine.txt', `${plant("what the user's own change holds")}\n`);
  const { loop } = await call('review_my_change', { reviewer: ['reviewer', 'builtin'] });
  answers.push((await agent.waitFor(Number(loop))).text);
  const { findings } = LoopOutput.parse((await server.ask('GET', `/api/loops/${Number(loop)}`)).body);
  const resolutions = findings.map(({ id }) => ({ findingId: id, status: 'disputed', note: plant(`the answer of an agent to ${id}`) }));
  await call('report_fixes', { loop, resolutions });
  await call('cancel_agent_review', { reviewId: '2', reason: plant('why an agent cancels') });
  await call('decide', { loop: 4, choice: 'continue', reason: plant('why an agent decides') });
  await untilState(4, 'needs_human');
}

/** Every route that reads, for every loop. */
function readings(): readonly string[] {
  const paths = Object.values(ROUTES)
    .filter(({ method, path }) => method === 'GET' && !path.includes('/api/changes') && !path.includes(':name'))
    .map(({ path }) => path);
  const numbers = [1, 2, 3, 4, 5];
  return [
    ...new Set(
      paths.flatMap((path) => numbers.map((id) => path.replace(/:(?:id|featureId)/, String(id)).replace(/:(?:round|number)/, '1'))),
    ),
  ];
}

const hidden = (text: string): readonly string[] => canaries.in(text);

describe('a secret that somebody says', () => {
  test('was said by every way', async () => {
    // What the test plants has to arrive, or it proves nothing.
    const journals = (await Promise.all([1, 2, 3, 4, 5].map(async (id) => JSON.stringify(await scenario.journal(id))))).join('\n');
    const all = `${journals}\n${(await scenario.volley(['export', '--transcripts'])).stdout}\n${answers.join('\n')}`;
    assert.deepEqual(
      canaries.ways.filter((way) => !all.includes(`about ${way}: `)),
      ['what an author writes into a file', 'a commit of the fixer'],
      'neither of these is told at all',
    );
    assert.match(journals, /\[secret: GitHub token\]/);
  });

  test('lies in no file of the project: neither journal, nor documents, nor transcripts', async () => {
    assert.deepEqual(await canaries.inFolder(join(scenario.root, '.volley')), []);
  });

  test('is in no commit of a loop', async () => {
    const log = await scenario.repository.git('log', '--branches=volley/*', '-p');
    assert.match(log, /about a commit of the fixer/);
    assert.deepEqual(hidden(log), []);
  });

  test('is refused in settings, which cannot do without it', async () => {
    const refused = [
      await server.ask('POST', '/api/tasks', { text: 'Write it', gates: [`deploy --with ${plant('a gate')}`] }),
      await server.ask('PUT', '/api/settings/gates', { value: [{ name: 'check', run: `curl ${plant('a setting')}` }] }),
      await server.ask('PUT', '/api/settings/review-loop', { [plant('the name of a setting')]: true }),
      await server.ask('PUT', `/api/settings/commit.message`, { value: plant('a setting of the user'), scope: 'user' }),
    ];
    for (const { status, body } of refused) {
      assert.equal(status, 422, JSON.stringify(body));
      assert.deepEqual(hidden(JSON.stringify(body)), []);
    }
    const known = await scenario.volley(['config', 'set', 'commit.message', plant('a setting on the command line')]);
    assert.equal(known.code, 1);
    assert.deepEqual(hidden(known.stderr), []);
    assert.deepEqual(await canaries.inFolder(scenario.env['XDG_CONFIG_HOME'] ?? ''), []);
    assert.equal(await scenario.repository.git('status', '--porcelain', '--', 'volley.yaml'), '');
  });

  test('is told to nobody who asks the API', async () => {
    for (const path of readings()) {
      const { body } = await server.ask('GET', path);
      assert.deepEqual(hidden(JSON.stringify(body)), [], path);
    }
    for (const answer of answers) assert.deepEqual(hidden(answer), [], answer.slice(0, 200));
  });

  test('is in no frame of the live channel', async () => {
    const live = openLive(server);
    live.send({ type: 'subscribe', topics: ['journal', 'review-loop', 'output'], loops: [1, 2, 3, 4, 5], after: 0, outputAfter: {} });
    await live.until('output of every loop that had a session', ({ type }) => type === 'output');
    await eventually('the transcripts have come', async () => live.frames.filter(({ type }) => type === 'output').length >= 8);
    const frames = JSON.stringify(live.frames);
    assert.ok(frames.includes('about the summary of a review'));
    assert.deepEqual(hidden(frames), []);
    live.close();
  });

  test('is told to no agent that asks', async () => {
    for (const [tool, input] of [
      ['list_loops', {}],
      ['show_loop', { loop: 1 }],
      ['list_findings', { loop: 1 }],
      ['list_findings', { loop: 5 }],
      ['get_agent_review_status', { reviewId: '5' }],
    ] as const)
      assert.deepEqual(hidden(JSON.stringify(await call(tool, input))), [], tool);
    const mistake = await agent.call('review_my_change', { branch: plant('a branch that does not exist').slice(0, 250) });
    assert.ok(mistake.isError);
    assert.deepEqual(hidden(mistake.text), []);
  });

  test('is in no export, document or report', async () => {
    for (const args of [
      ['export', '--transcripts'],
      ['show', '1', '--json'],
      ['show', '1'],
      ['log', '1'],
      ['findings', '1'],
      ['findings', '5'],
      ['why', '4'],
      ['status'],
      ['doctor'],
    ]) {
      const { stdout, stderr } = await scenario.volley(args);
      assert.deepEqual(hidden(stdout + stderr), [], args.join(' '));
    }
  });

  test('reaches no agent in its prompt, unless it stands in the code', async () => {
    const prompts = (await Promise.all(['author', 'reviewer', 'fixer', 'arbiter'].map(async (name) => await scenario.calls(name)))).flat();
    assert.ok(prompts.length >= 6);
    const own = ["what the user's own change holds", 'what an author writes into a file'];
    for (const { prompt } of prompts)
      assert.deepEqual(
        hidden(prompt).filter((way) => !own.includes(way)),
        [],
      );
  });

  test('is not printed by the server', async () => {
    server.process.kill('SIGTERM');
    const { code, stdout, stderr } = await server.ended;
    assert.equal(code, 0);
    assert.match(stdout, /Review:/);
    assert.deepEqual(hidden(stdout + stderr), []);
    assert.ok(!(stdout + stderr).includes(server.token));
  });
});
