import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent } from '../../src/agents/agent.ts';
import { claude } from '../../src/agents/claude.ts';
import { isRunning } from '../../src/lib/process-tree.ts';
import type { Step } from '../support/model-server-script.ts';
import { logIn, makeScene, told } from './claude-scene.ts';
import { all, endedOf, failureOf, meteredOf, play, playWithChannel, programOf } from './support.ts';

const REPORT = { loopId: '29', passed: false, summary: 'Größe → 😀', issues: [{ file: 'a.ts', line: 3, description: 'wrong' }] };
const REVIEWER_TOOLS = ['Bash', 'Glob', 'Grep', 'Read', 'mcp__volley__set_loop_review_result'];

function toolsIn(events: readonly AgentEvent[]): readonly string[] {
  return all(events, 'tool').map(({ name }) => name);
}

describe('the real Claude Code', { concurrency: 2 }, () => {
  test('tells its version, and with whose account it would work', async () => {
    await using scene = await makeScene({ steps: [], spec: { env: [] } });
    const { available, version, problem, login } = await scene.agent.detect();
    assert.deepEqual([available, problem, login?.by], [true, null, 'none']);
    assert.match(version ?? '', /^\d+\.\d+\.\d+$/);
    const command = await claude.login?.(scene.agent.spec, { homes: scene.room.homes });
    assert.deepEqual(command?.argv, [programOf('VOLLEY_CLAUDE'), '--setting-sources', '', 'auth', 'login']);
  });

  test('an author edits files and runs commands, and what it does is told as it goes', async () => {
    const steps: readonly Step[] = [
      { actions: [{ think: 'hm' }, { text: 'I look.' }, { read: '{{cwd}}/src.js' }] },
      { edit: '{{cwd}}/src.js', old: 'two', new: 'three' },
      { actions: [{ write: '{{cwd}}/b.txt', content: 'b' }, { shell: 'cat src.js > c.txt' }] },
      { text: 'All done.' },
    ];
    await using scene = await makeScene({ steps });
    const events = await play(scene.agent, await scene.session());
    assert.equal(endedOf(events).output, 'All done.');
    assert.deepEqual(toolsIn(events), ['Read', 'Edit', 'Write', 'Bash']);
    const [, edit, , bash] = all(events, 'tool');
    const { root } = scene.room.repository;
    assert.deepEqual([edit?.file, edit?.command, bash?.command], [join(root, 'src.js'), null, 'cat src.js > c.txt']);
    assert.equal(await readFile(join(root, 'c.txt'), 'utf8'), 'one\nthree\n');
    assert.deepEqual(await readdir(join(scene.room.repository.beside, 'tmp')), []);
    assert.equal(
      all(events, 'text')
        .map(({ text }) => text)
        .join(''),
      'I look.\n\nAll done.',
    );
    assert.deepEqual(
      all(events, 'session').map(({ model, billing }) => [model, billing]),
      [['claude-sonnet-4-5', 'api']],
    );
  });

  test('a prompt of hundreds of thousands of characters reaches the model whole, and nothing in it is expanded', async () => {
    const prompt = `/help me with @secret.txt and ${'Größe → 😀\n'.repeat(30_000)} the end`;
    await using scene = await makeScene({ steps: [{ text: 'ok' }], files: { 'secret.txt': 'CANARY' } });
    await play(scene.agent, await scene.session({ prompt }));
    assert.ok(scene.server.records[0]?.prompt.includes(prompt));
    assert.ok(!told(scene.server.records).includes('CANARY'));
  });

  test('commands do not see the key', async () => {
    await using scene = await makeScene({ steps: [{ shell: 'echo "it\'s $0"; env; exit 3' }, { text: 'Done.' }] });
    await play(scene.agent, await scene.session());
    const seen = scene.server.records[1]?.lastTool ?? '';
    assert.match(seen, /^Exit code 3\nit's /);
    assert.doesNotMatch(seen, /sk-ant/);
  });

  test('a session goes on where it was, and only what is new counts', async () => {
    const usage = { input: 4000, output: 300, cached: 1000 };
    await using scene = await makeScene({ steps: [{ text: 'First.', usage }] });
    const first = await play(scene.agent, await scene.session({ prompt: 'The word is heliotrope.' }));
    const resume = all(first, 'session')[0]?.id ?? null;
    scene.server.setScript({ rules: [{ name: 'second', steps: [{ text: 'Second.' }] }] });
    const second = await play(scene.agent, await scene.session({ role: 'fixer', prompt: 'Go on.', resume }));
    assert.equal(endedOf(second).output, 'Second.');
    assert.ok(told(scene.server.records.slice(-1)).includes('heliotrope'));
    assert.equal(all(second, 'session')[0]?.id, resume);
    const [one, two] = [await meteredOf(scene.agent.spec, first), await meteredOf(scene.agent.spec, second)];
    assert.deepEqual([one.usage?.inputTokens, one.usage?.outputTokens, one.usage?.costUsd?.toFixed(6)], [4000, 300, '0.013800']);
    assert.deepEqual([two.usage?.inputTokens, two.usage?.outputTokens, two.usage?.costUsd?.toFixed(6)], [1000, 100, '0.004500']);
    assert.deepEqual([one.costBasis, two.costBasis], ['reported', 'reported']);
  });

  test('a session that nobody remembers cannot go on', async () => {
    await using scene = await makeScene({ steps: [] });
    const events = await play(scene.agent, await scene.session({ resume: '00000000-0000-4000-8000-000000000000' }));
    assert.match(failureOf(events).message, /No conversation found/);
  });

  test('helpers are part of what a session did and cost, to the cent', async () => {
    const task = { description: 'look', prompt: 'Look.', subagent_type: 'general-purpose' };
    await using scene = await makeScene({ steps: [] });
    scene.server.setScript({
      usage: { input: 3000, output: 200, cached: 500 },
      rules: [
        { name: 'helper', when: { system: 'You are an agent for Claude Code' }, steps: [{ shell: 'echo looked' }, { text: 'Looked.' }] },
        { name: 'main', steps: [{ tool: 'Agent', args: task }, { text: 'Done.' }] },
      ],
    });
    const events = await play(scene.agent, await scene.session());
    assert.deepEqual(toolsIn(events), ['Agent', 'Bash']);
    const { usage } = await meteredOf(scene.agent.spec, events);
    assert.deepEqual([usage?.inputTokens, usage?.cachedTokens, usage?.outputTokens], [12_000, 2000, 800]);
    assert.equal(usage?.costUsd?.toFixed(6), '0.042600');
  });

  test('what a session costs is known before it ends', async () => {
    await using scene = await makeScene({ steps: [{ shell: 'true', usage: { input: 8000, output: 400 } }, { hang: true }] });
    const controller = new AbortController();
    const onEvent = (event: AgentEvent): void => {
      if (event.type === 'usage' && event.usage.outputTokens === 399) controller.abort();
    };
    const events = await play(scene.agent, await scene.session(), { signal: controller.signal, onEvent });
    assert.equal(failureOf(events).reason, 'cancelled');
    const { usage, costBasis } = await meteredOf(scene.agent.spec, events);
    assert.deepEqual([usage?.inputTokens, usage?.outputTokens, usage?.costUsd?.toFixed(6), costBasis], [8000, 400, '0.030000', 'priced']);
  });

  test('a session that has spent its budget stops itself', async () => {
    await using scene = await makeScene({ steps: Array.from({ length: 20 }, () => ({ shell: 'true', usage: { input: 100_000 } })) });
    const events = await play(scene.agent, await scene.session({ budgetUsd: 0.5 }));
    assert.match(failureOf(events).message, /spent what it was allowed/);
    const { usage } = await meteredOf(scene.agent.spec, events);
    assert.equal(usage?.costUsd?.toFixed(4), '0.6030');
  });

  test('a session that is cancelled in the middle of a command leaves no process', async () => {
    await using scene = await makeScene({ steps: [{ shell: 'setsid sleep 1000 & echo $! > pid.new; mv pid.new pid; sleep 1000' }] });
    const pidFile = join(scene.room.repository.root, 'pid');
    const controller = new AbortController();
    const running = play(scene.agent, await scene.session(), { signal: controller.signal });
    while (!existsSync(pidFile)) await sleep(10);
    controller.abort();
    const events = await running;
    assert.equal(failureOf(events).reason, 'cancelled');
    const pids = [all(events, 'started')[0]?.pid ?? 0, Number(await readFile(pidFile, 'utf8'))];
    assert.deepEqual(pids.filter(isRunning), []);
  });

  for (const held of [true, false]) {
    const where = held ? 'held by somebody else' : 'under the rules of its own';

    test(`a reviewer ${where} reports through its tool, also after it was corrected`, async () => {
      const steps = [
        { shell: 'git diff HEAD' },
        { mcp: 'set_loop_review_result', args: { ...REPORT, loopId: '8' } },
        { mcp: 'set_loop_review_result', args: REPORT },
        { text: 'Reported.' },
      ];
      await using scene = await makeScene({ steps });
      const { events, report } = await playWithChannel(scene.agent, await scene.session({ role: 'reviewer', held }));
      assert.equal(endedOf(events).output, 'Reported.');
      assert.deepEqual(report, { kind: 'result', json: JSON.stringify(REPORT) });
      assert.deepEqual(scene.server.records[0]?.tools, REVIEWER_TOOLS);
    });

    test(`a reviewer ${where} reports by its own output`, async () => {
      await using scene = await makeScene({ steps: [{ json: REPORT }] });
      const end = endedOf(await play(scene.agent, await scene.session({ role: 'reviewer', report: 'structured', held })));
      assert.deepEqual([end.structured, JSON.parse(end.result ?? '')], [true, REPORT]);
    });
  }

  test('every role finds its own tool, and its schema is one that Claude Code takes', async () => {
    const calls = {
      author: { mcp: 'report_task_complete', args: { loopId: '29', summary: 'done' } },
      fixer: { mcp: 'report_fix', args: { loopId: '29', summary: 'done' } },
      arbiter: { mcp: 'report_ruling', args: { loopId: '29', rulings: [] } },
    };
    for (const role of ['author', 'fixer', 'arbiter'] as const) {
      await using scene = await makeScene({ steps: [calls[role], { text: 'Reported.' }] });
      const json = JSON.stringify(calls[role].args);
      const { report } = await playWithChannel(scene.agent, await scene.session({ role, held: false }));
      assert.deepEqual(report, { kind: 'result', json });
      scene.server.setScript({ rules: [{ name: 'output', steps: [{ json: calls[role].args }] }] });
      assert.equal(endedOf(await play(scene.agent, await scene.session({ role, report: 'structured' }))).result, json);
    }
  });

  test('a reviewer whom nobody holds is not let write', async () => {
    const write = { tool: 'Write', args: { file_path: '{{cwd}}/evil', content: '' } };
    await using scene = await makeScene({ steps: [{ shell: 'touch evil' }, write, { text: 'No.' }] });
    await play(scene.agent, await scene.session({ role: 'reviewer', held: false }));
    assert.equal(await scene.room.repository.git('status', '--short'), '');
  });
});

type Failure = { readonly name: string; readonly steps: readonly Step[]; readonly reason: string; readonly says: RegExp };

const LOG_IN = /run volley login claude, or name ANTHROPIC_API_KEY under agents\.claude\.env: 401 scripted/;

const FAILURES: readonly Failure[] = [
  { name: 'a key that is refused', steps: [{ error: 401 }], reason: 'logged-out', says: LOG_IN },
  { name: 'what is forbidden', steps: [{ error: 403 }], reason: 'crashed', says: /^It gave up: 403 scripted error/ },
  { name: 'a limit of the key', steps: [{ error: 429, retryAfter: 1 }], reason: 'limited', says: /429/ },
  { name: 'a server that is broken', steps: [{ error: 500 }], reason: 'crashed', says: /^It gave up: 500 scripted error/ },
  { name: 'a server that is overloaded', steps: [{ error: 529 }], reason: 'crashed', says: /529/ },
  { name: 'a request that is refused', steps: [{ error: 400, message: 'nonsense' }], reason: 'crashed', says: /nonsense/ },
  { name: 'a stream that is cut', steps: [[{ text: 'half' }, { cut: true }]], reason: 'crashed', says: /Connection dropped/ },
];

describe('the real Claude Code in trouble', { concurrency: FAILURES.length }, () => {
  for (const { name, steps, reason, says } of FAILURES) {
    test(`${name} ends a session as ${reason}, in words`, async () => {
      await using scene = await makeScene({ steps });
      const events = await play(scene.agent, await scene.session());
      const failure = failureOf(events);
      assert.equal(failure.reason, reason);
      assert.match(failure.message, says);
      // What it waited for by itself is over by now.
      const untils = all(events, 'limited').map(({ until }) => until);
      assert.deepEqual(untils, reason === 'limited' ? [null, null, null, null] : []);
    });
  }

  test('an error that passes by itself is no failure', async () => {
    await using scene = await makeScene({ steps: [[{ error: 500, times: 2 }, { text: 'Here I am.' }]] });
    assert.equal(endedOf(await play(scene.agent, await scene.session())).output, 'Here I am.');
  });

  test('the limit of a subscription is told with the time when it is over', async () => {
    const resetsAt = Math.floor(Date.now() / 1000) + 7200;
    const headers = {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(resetsAt),
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    };
    await using scene = await makeScene({ steps: [{ error: 429, headers }], spec: { env: ['ANTHROPIC_BASE_URL'] } });
    await logIn(scene.room);
    const events = await play(scene.agent, await scene.session());
    assert.equal(failureOf(events).reason, 'limited');
    assert.deepEqual(
      all(events, 'limited').map(({ until }) => until),
      [new Date(resetsAt * 1000).toISOString()],
    );
  });

  test('whoever is not logged in is told how to', async () => {
    await using scene = await makeScene({ steps: [], spec: { env: ['ANTHROPIC_BASE_URL'] } });
    const { reason, message } = failureOf(await play(scene.agent, await scene.session()));
    assert.equal(reason, 'logged-out');
    assert.equal(message, 'It is not logged in: run volley login claude, or name ANTHROPIC_API_KEY under agents.claude.env.');
  });
});
