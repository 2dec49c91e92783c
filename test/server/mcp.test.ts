import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { connectStdio, stdioTransport, connectClient } from '../support/mcp-client.ts';
import type { McpClient } from '../support/mcp-client.ts';
import { answers, APPROVED, eventually, issue, MAIN, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario, ScenarioOptions } from '../support/scenario.ts';

const WRONG = rejected(issue('The second line is wrong.', { file: 'a.txt', line: 2 }));
/** A reviewer that takes longer than anybody waits. */
const SLOW = turns({ run: 'sleep 60' });
const AGENT = 'tester (agent, over MCP)';

async function makeProject(options: ScenarioOptions = {}): Promise<Scenario> {
  const scenario = await makeScenario({ agents: { reviewer: answers(WRONG) }, ...options });
  await scenario.repository.write('a.txt', 'one\ntwo\n');
  return scenario;
}

const FIXED = [{ findingId: '1.1', status: 'fixed', note: 'The second line is right now.' }];

async function reviewed(mcp: McpClient, input: Record<string, unknown> = {}): Promise<Awaited<ReturnType<McpClient['call']>>> {
  const started = await mcp.call('review_my_change', input);
  assert.ok(!started.isError, started.text);
  return await mcp.waitFor(started.data['loop']);
}

async function letDecide({ env }: Scenario): Promise<void> {
  await writeOwn(env, 'mcp: { decide: true }\n');
}

/** Writes the user's own configuration. */
async function writeOwn(env: Scenario['env'], config: string): Promise<void> {
  const own = join(env['XDG_CONFIG_HOME'] ?? '', 'volley');
  await mkdir(own, { recursive: true });
  await writeFile(join(own, 'config.yaml'), config);
}

describe('an agent has its own change reviewed', () => {
  test('it gets the findings, fixes them in its own tree, reports that, and the change is approved', async () => {
    await using scenario = await makeProject({
      agents: { reviewer: turns({ result: WRONG }, { result: APPROVED }) },
    });
    await using mcp = await connectStdio(scenario);
    const first = await reviewed(mcp);
    assert.partialDeepStrictEqual(first.data, {
      loop: 1,
      state: 'self_review_failed',
      verdict: 'CHANGES_REQUESTED',
      blocking: 1,
      approvedBy: null,
    });
    assert.match(first.text, /\[1\.1\] high logic, open, BLOCKING, at a\.txt:2\nThe second line is wrong\./);
    assert.match(first.text, /call report_fixes with loop 1/);

    await scenario.repository.write('a.txt', 'one\nmended\n');
    const reported = await mcp.call('report_fixes', { loop: 1, resolutions: FIXED });
    assert.partialDeepStrictEqual(reported.data, { loop: 2, answered: 1, reviewStarted: true, follows: 1 });
    const second = await mcp.waitFor(2);
    assert.partialDeepStrictEqual(second.data, { loop: 2, state: 'approved', approvedBy: 'review', follows: 1 });

    const [one, two] = [await scenario.loop(1), await scenario.loop(2)];
    assert.partialDeepStrictEqual(one.comments, [{ by: AGENT }]);
    assert.match(one.comments[0]?.text ?? '', /1\.1 fixed: The second line is right now\.\nTask 2 reviews the change as it is now\./);
    assert.equal(two.task.follows, 1);
    const prompts = (await scenario.calls('reviewer')).map(({ prompt }) => prompt);
    assert.equal(prompts.length, 2);
    assert.doesNotMatch(prompts[1] ?? '', /is right now|second line is wrong|1\.1/);
    assert.equal(await readFile(join(scenario.root, 'a.txt'), 'utf8'), 'one\nmended\n');
    const [created] = await scenario.journal(2);
    assert.partialDeepStrictEqual(created?.event, { type: 'created', by: AGENT });
  });

  test('fixes that it committed meanwhile are part of the next review, and so is what it committed before', async () => {
    await using scenario = await makeProject({ agents: { reviewer: turns({ result: WRONG }, { result: APPROVED }) } });
    await scenario.repository.git('checkout', '--quiet', '-b', 'work');
    await scenario.repository.commit('mine');
    await using mcp = await connectStdio(scenario);
    assert.partialDeepStrictEqual((await reviewed(mcp)).data, { title: 'Review work', blocking: 1 });
    await scenario.repository.commit('fixed', { 'a.txt': 'one\nmended\n' });
    await scenario.repository.write('b.txt', 'new\n');
    await mcp.call('report_fixes', { loop: 1, resolutions: FIXED });
    assert.partialDeepStrictEqual((await mcp.waitFor(2)).data, { state: 'approved' });
    const { prompt } = (await scenario.calls('reviewer'))[1] ?? { prompt: '' };
    assert.match(prompt, /a\.txt \(\+2 -0\)/);
    assert.match(prompt, /b\.txt \(\+1 -0\)/);
  });

  test('the same code is not reviewed again, and what is disputed is left to a person', async () => {
    await using scenario = await makeProject();
    await using mcp = await connectStdio(scenario);
    await reviewed(mcp);
    const { text: said, data } = await mcp.call('report_fixes', {
      loop: 1,
      resolutions: [{ findingId: '1.1', status: 'disputed', note: 'It is meant to be so.' }],
    });
    assert.partialDeepStrictEqual(data, { loop: 1, reviewStarted: false, state: 'self_review_failed' });
    assert.match(said, /About 1\.1 a person decides.*\n\nNothing changed in the code since that review/s);
    assert.match(
      (await scenario.loop(1)).comments[0]?.text ?? '',
      /1\.1 disputed: It is meant to be so\.\nThe code is as it was reviewed\./,
    );
    assert.equal((await scenario.calls('reviewer')).length, 1);
  });

  test('a report that does not fit is refused, and nothing is written', async () => {
    await using scenario = await makeProject();
    await using mcp = await connectStdio(scenario);
    await reviewed(mcp);
    await scenario.repository.write('a.txt', 'one\nmended\n');
    for (const [resolutions, problem] of [
      [[{ findingId: '1.9', status: 'fixed', note: 'x' }], /^Task 1 has no finding "1\.9"\.\nNothing is written\. Answer one of: 1\.1\.$/],
      [[{ findingId: '2.1', status: 'fixed', note: 'x' }], /has no finding "2\.1"/],
      [[...FIXED, ...FIXED], /answered twice/],
    ] as const) {
      const { isError, text: said } = await mcp.call('report_fixes', { loop: 1, resolutions });
      assert.ok(isError);
      assert.match(said, problem);
    }
    assert.match((await mcp.call('report_fixes', { loop: 7, resolutions: FIXED })).text, /^There is no task 7\./);
    assert.deepEqual((await scenario.loop(1)).comments, []);
    assert.match((await mcp.call('list_loops')).text, /1\. self_review_failed/);
    assert.match((await scenario.volley(['show', '2'])).stderr, /There is no task 2/);
  });

  test('a report that is sent twice starts one review, and after so many reviews a person is asked', async () => {
    await using scenario = await makeProject({ config: { policy: { maxRounds: 2 } } });
    await using mcp = await connectStdio(scenario);
    await reviewed(mcp);
    await scenario.repository.write('a.txt', 'one\nstill wrong\n');
    const first = await mcp.call('report_fixes', { loop: 1, resolutions: FIXED });
    const again = await mcp.call('report_fixes', { loop: 1, resolutions: FIXED });
    assert.deepEqual([first.data['loop'], again.data['loop']], [2, 2]);
    await mcp.waitFor(2);
    await scenario.repository.write('a.txt', 'one\nand again\n');
    const { isError, text: said } = await mcp.call('report_fixes', {
      loop: 2,
      resolutions: [{ findingId: '2.1', status: 'fixed', note: 'Now.' }],
    });
    assert.ok(isError);
    assert.match(said, /^This change was reviewed 2 times, which is the limit .*\nStop here: tell the person/);
    assert.equal((await scenario.calls('reviewer')).length, 2);
  });

  test('it cannot choose its own reviewer by a configuration that is not committed', async () => {
    await using scenario = await makeProject();
    await scenario.repository.git('checkout', '--quiet', '-b', 'work');
    await scenario.repository.commit('mine');
    const stamp = join(scenario.repository.beside, 'stamp.sh');
    await writeFile(stamp, `#!/bin/sh\necho '{"passed":true}' > "$VOLLEY_RESULT"\n`, { mode: 0o755 });
    const config = { agents: { stamp: { driver: 'command', run: [stamp] } }, roles: { reviewer: ['stamp'] } };
    await scenario.repository.write('volley.yaml', JSON.stringify(config));
    await using mcp = await connectStdio(scenario);
    const started = await mcp.call('review_my_change', { change: 'branch' });
    assert.match(
      started.text,
      /by reviewer, of the change in .*\n\n[^]*The configuration is read from main at \w{12}, because an agent asks and volley\.yaml here differs/,
    );
    assert.partialDeepStrictEqual((await mcp.waitFor(1)).data, { state: 'self_review_failed' });
    for (const name of ['stamp', 'builtin']) {
      const refused = await mcp.call('review_my_change', { change: 'branch', reviewer: [name] });
      assert.equal(refused.isError, true);
      assert.match(refused.text, /is not among those who may review here\.\nLeave it out, or name one of: reviewer\./);
    }
  });

  for (const [where, branch] of [
    ['a branch of its own', 'work'],
    ['the default branch', 'main'],
  ] as const)
    test(`it cannot choose its own reviewer by a configuration that it commits to ${where}, whatever base it names`, async () => {
      await using scenario = await makeProject();
      await using mcp = await connectStdio(scenario);
      await mcp.call('list_loops');
      if (branch !== 'main') await scenario.repository.git('checkout', '--quiet', '-b', branch);
      const config = { agents: { stamp: { driver: 'command', run: ['sh', 'stamp.sh'] } }, roles: { reviewer: ['stamp'] } };
      const bad = await scenario.repository.commit('mine', {
        'volley.yaml': JSON.stringify(config),
        'stamp.sh': `echo '{"passed":true}' > "$VOLLEY_RESULT"\n`,
      });
      await scenario.repository.write('b.txt', 'new\n');
      const loops = [await reviewed(mcp)];
      await scenario.repository.commit('more');
      loops.push(await reviewed(mcp, { branch: 'HEAD', base: bad }), await reviewed(mcp, { range: `${bad}..HEAD` }));
      for (const { data } of loops) assert.partialDeepStrictEqual(data, { state: 'self_review_failed', approvedBy: null });
      assert.ok((await scenario.calls('reviewer')).length > 0);
    });

  test('with a remote the configuration is the one of its default branch', async () => {
    await using scenario = await makeProject();
    const { repository } = scenario;
    await repository.git('clone', '--quiet', '--bare', '.', join(repository.beside, 'remote.git'));
    await repository.git('remote', 'add', 'origin', join(repository.beside, 'remote.git'));
    await repository.git('fetch', '--quiet', 'origin');
    await repository.commit('mine', { 'volley.yaml': '{}\n' });
    await repository.write('b.txt', 'new\n');
    await using mcp = await connectStdio(scenario);
    const { text: said } = await mcp.call('review_my_change');
    assert.match(said, /by reviewer, [^]*read from origin\/main at \w{12}/);
  });

  test('a project’s file hands no variable to an agent that the user’s own does not name', async () => {
    const reviewer = turns({ run: 'printf "%s %s" "$MY_SECRET" "$MY_OTHER" > "$(dirname "$0")/seen"', result: APPROVED });
    await using scenario = await makeProject({
      agents: { reviewer },
      config: { agents: { reviewer: { env: ['MY_SECRET', 'MY_OTHER'] } } },
    });
    await writeOwn(scenario.env, 'agents: { reviewer: { env: [MY_OTHER] } }\n');
    await using mcp = await connectStdio({ ...scenario, env: { ...scenario.env, MY_SECRET: 'hush', MY_OTHER: 'known' } });
    const { text: said } = await mcp.call('review_my_change');
    assert.match(said, /agents\.reviewer\.env is not taken for MY_SECRET, because an agent asks/);
    await mcp.waitFor(1);
    const { settings } = Object((await scenario.journal(1))[0]?.event);
    assert.deepEqual(settings.agents.reviewer.env, ['MY_OTHER']);
  });

  test('what is asked for many times at once is reviewed once, by whichever tool', async () => {
    await using scenario = await makeProject();
    await using mcp = await connectStdio(scenario);
    await using other = await connectStdio(scenario);
    const started = await Promise.all([mcp, other, mcp].map(async (one) => await one.call('review_my_change')));
    assert.deepEqual(
      started.map(({ data }) => data['loop']),
      [1, 1, 1],
    );
    assert.equal(
      started.filter(({ text: said }) => said.startsWith('Task 1 reviews exactly this already, by reviewer, so no other review')).length,
      2,
    );
    await mcp.waitFor(1);
    assert.equal((await mcp.call('review_my_change')).data['loop'], 1);
    await scenario.repository.write('a.txt', 'one\nstill wrong\n');
    const reported = await Promise.all(
      [mcp, other, mcp].map(async (one) => await one.call('report_fixes', { loop: 1, resolutions: FIXED })),
    );
    assert.deepEqual(
      reported.map(({ data }) => data['loop']),
      [2, 2, 2],
    );
    await mcp.waitFor(2);
    assert.equal((await scenario.calls('reviewer')).length, 2);
  });

  test('so many reviews of a change are all, whichever tool asks, until one approves', async () => {
    await using scenario = await makeProject({
      agents: { reviewer: turns({ result: WRONG }, { result: APPROVED }, { result: WRONG }) },
      config: { policy: { maxRounds: 2 } },
    });
    await using mcp = await connectStdio(scenario);
    for (const [text_, state] of [
      ['one\nfirst\n', 'self_review_failed'],
      ['one\nsecond\n', 'approved'],
      ['one\nthird\n', 'self_review_failed'],
      ['one\nfourth\n', 'self_review_failed'],
    ] as const) {
      await scenario.repository.write('a.txt', text_);
      assert.equal((await reviewed(mcp)).data['state'], state);
    }
    await scenario.repository.write('a.txt', 'one\nfifth\n');
    for (const tool of ['review_my_change', 'start_agent_review'])
      assert.match((await mcp.call(tool)).text, /^This change was reviewed 2 times, which is the limit .*task 4 still does not approve it/);
    const report = { loop: 4, resolutions: [{ findingId: '4.1', status: 'fixed', note: 'Now.' }] };
    assert.match((await mcp.call('report_fixes', report)).text, /^This change was reviewed 2 times/);
    assert.equal((await scenario.calls('reviewer')).length, 4);
  });

  test('it may name the work tree that it works in, if that is one of the project', async () => {
    await using scenario = await makeProject({ agents: { reviewer: turns({ result: WRONG }, { result: APPROVED }) } });
    const { repository } = scenario;
    const linked = join(repository.beside, 'linked');
    await repository.git('worktree', 'add', '--quiet', '-b', 'work', linked);
    await writeFile(join(linked, 'only-here.txt'), 'one\ntwo\n');
    await using mcp = await connectStdio(scenario);
    for (const workTree of [repository.beside, '/', join(linked, 'nothing')]) {
      const refused = await mcp.call('review_my_change', { workTree });
      assert.ok(refused.isError);
      assert.match(refused.text, /is no work tree of this project\.\nName one of those that git worktree list tells/);
    }
    const { text: said } = await mcp.call('review_my_change', { workTree: linked });
    assert.match(said, new RegExp(`of the change in ${linked}`));
    await mcp.waitFor(1);
    assert.match((await scenario.calls('reviewer'))[0]?.prompt ?? '', /only-here\.txt/);
    await writeFile(join(linked, 'only-here.txt'), 'one\nmended\n');
    await mcp.call('report_fixes', { loop: 1, resolutions: FIXED, workTree: linked });
    assert.equal((await mcp.waitFor(2)).data['state'], 'approved');
    await using there = await connectStdio({ ...scenario, root: linked });
    assert.match((await there.client.listTools()).tools[0]?.description ?? '', new RegExp(`Your files are those of ${linked}`));
    assert.equal((await there.call('review_my_change')).data['loop'], 2);
  });
});

describe('what an agent may not do', () => {
  test('it may not decide by default, a project cannot allow it, and a person’s permission does not reach as far as accepting', async () => {
    await using scenario = await makeProject({
      agents: { reviewer: answers({ passed: false, verdict: 'needs_discussion', summary: 'Which way is it meant?' }) },
      config: { mcp: { decide: true } },
    });
    const decide = async (mcp: McpClient, choice: string): Promise<string> =>
      (await mcp.call('decide', { loop: 1, choice, reason: 'It is meant so.' })).text;
    {
      await using mcp = await connectStdio(scenario);
      const asked = await reviewed(mcp);
      assert.partialDeepStrictEqual(asked.data, { state: 'needs_human', asks: { reason: 'needs-discussion', agentMayChoose: [] } });
      assert.match(asked.text, /What to do next: tell the person/);
      for (const choice of ['answer', 'accept']) assert.match(await decide(mcp, choice), /^Agents may not decide here\./);
    }
    await letDecide(scenario);
    await using mcp = await connectStdio(scenario);
    assert.match(
      await decide(mcp, 'accept'),
      /^'accept' is not for an agent to choose in task 1 now\.\nAn agent may choose: answer, cancel\./,
    );
    assert.match(await decide(mcp, 'fix-manually'), /is not for an agent to choose/);
    assert.equal((await scenario.loop(1)).state, 'needs_human');
    assert.match(await decide(mcp, 'cancel'), /^Task 1: cancel, written down as decided by tester \(agent, over MCP\)\./);
    const { state, approval, decisions } = await scenario.loop(1);
    assert.deepEqual([state, approval, decisions.map(({ by }) => by)], ['cancelled', null, [AGENT]]);
  });

  test('an agent that Volley itself drives is sent away', async () => {
    await using scenario = await makeProject();
    await using mcp = await connectStdio({ ...scenario, env: { ...scenario.env, VOLLEY_SESSION: 'a-session' } });
    const { isError, text: said } = await mcp.call('review_my_change');
    assert.ok(isError);
    assert.match(said, /^You work in a loop of Volley, which these tools are not for\./);
    assert.match((await scenario.volley(['show', '1'])).stderr, /There is no task 1/);
  });

  test('it ends no task that a person started, unless the user lets agents decide', async () => {
    await using scenario = await makeProject();
    assert.equal((await scenario.volley(['add', '-t', 'review', '--working-tree'])).code, 0);
    {
      await using mcp = await connectStdio(scenario);
      const refused = await mcp.call('cancel_agent_review', { reviewId: '1' });
      assert.ok(refused.isError);
      assert.match(
        refused.text,
        /^Task 1 was not started by an agent, so no agent may cancel it\.\nTell the person; their command is volley cancel 1\.$/,
      );
      assert.notEqual((await scenario.loop(1)).state, 'cancelled');
    }
    await letDecide(scenario);
    await using mcp = await connectStdio(scenario);
    await mcp.call('cancel_agent_review', { reviewId: '1' });
    assert.equal((await scenario.loop(1)).state, 'cancelled');
  });

  test('names of branches and ranges are names, whatever is in them', async () => {
    await using scenario = await makeProject();
    await using mcp = await connectStdio(scenario);
    for (const input of [
      { branch: '--output=pwned' },
      { branch: 'a;touch pwned' },
      { branch: '$(touch pwned)' },
      { branch: 'main', base: '--upload-pack=touch pwned' },
      { range: '--output=pwned..HEAD' },
      { range: 'HEAD' },
      { branch: '\u0000main' },
      { branch: 'nobody' },
    ]) {
      const { isError, text: said } = await mcp.call('review_my_change', input);
      assert.ok(isError, JSON.stringify(input));
      assert.doesNotMatch(said, /bug/, JSON.stringify(input));
    }
    assert.equal(await scenario.repository.git('status', '--porcelain'), '?? a.txt');
    assert.match((await mcp.call('list_loops')).text, /There are no such tasks/);
  });
});

describe('seed 000’s four commands', () => {
  test('a review is started, its status is told, and it is fixed round by round', async () => {
    await using scenario = await makeProject({
      agents: { reviewer: answers(WRONG, APPROVED), fixer: turns({ write: { 'a.txt': 'one\nmended\n' } }) },
    });
    await using mcp = await connectStdio(scenario);
    const started = await mcp.call('start_agent_review', { change: 'working-tree', autoIterate: true, maxRounds: 4, costCeiling: 2 });
    assert.partialDeepStrictEqual(started.data, {
      loop: 1,
      review: { diffSource: 'working-tree', status: 'pending', maxRounds: 4, autoIterate: true, costCeiling: 2, totalCost: 0, rounds: [] },
    });
    await mcp.waitFor(1);
    const { id } = Object(started.data['review']);
    const { data } = await mcp.call('get_agent_review_status', { reviewId: String(id) });
    assert.partialDeepStrictEqual(data, { loop: 1, review: { id, status: 'approved' } });
    const { rounds } = Object(data['review']);
    assert.deepEqual(
      rounds.map(({ roundNumber, reviewComments }: { roundNumber: number; reviewComments: object[] }) => [
        roundNumber,
        reviewComments.length,
      ]),
      [
        [1, 1],
        [2, 0],
      ],
    );
    assert.match((await mcp.call('get_agent_review_status', { reviewId: 'nobody' })).text, /^There is no review "nobody"\./);
  });

  test('a review that runs is cancelled, in the agent’s name, and its reviewer is ended', async () => {
    await using scenario = await makeProject({ agents: { reviewer: SLOW } });
    await using mcp = await connectStdio(scenario);
    await mcp.call('review_my_change');
    await eventually('the reviewer runs', async () => (await scenario.calls('reviewer')).length === 1);
    const { data } = await mcp.call('cancel_agent_review', { reviewId: '1', reason: 'It takes too long.' });
    assert.partialDeepStrictEqual(data, { review: { status: 'error' } });
    assert.equal((await mcp.waitFor(1)).data['state'], 'cancelled');
    const { decisions } = await scenario.loop(1);
    assert.partialDeepStrictEqual(decisions, [{ by: AGENT, reason: 'It takes too long.' }]);
    assert.match((await mcp.call('cancel_agent_review', { reviewId: '1' })).text, /^Task 1 does not take that: the loop was cancelled\./);
  });

  test('defaults are kept in the project’s configuration, hold for the next review, and raise no ceiling', async () => {
    await using scenario = await makeProject({ agents: { reviewer: answers(APPROVED), fixer: turns({}) } });
    await using mcp = await connectStdio(scenario);
    const told = await mcp.call('configure_review_defaults');
    assert.deepEqual(told.data['defaults'], { maxRounds: 3, costCeiling: null, autoIterate: false });
    const set = await mcp.call('configure_review_defaults', { maxRounds: 2, costCeiling: 1.5, autoIterate: true });
    assert.deepEqual(set.data['defaults'], { maxRounds: 2, costCeiling: 1.5, autoIterate: true });
    const setting = async (name: string): Promise<string> => (await scenario.volley(['config', 'get', name])).stdout.trim();
    const names = ['policy.maxRounds', 'policy.ceiling.loop', 'review.autoIterate'];
    const kept = async (): Promise<string[]> => await Promise.all(names.map(setting));
    assert.deepEqual(await kept(), ['2', '1.5', 'true']);
    const { data } = await mcp.call('start_agent_review');
    assert.partialDeepStrictEqual(data, { review: { maxRounds: 2, costCeiling: 1.5, autoIterate: true } });
    for (const [tool, input] of [
      ['configure_review_defaults', { costCeiling: 9 }],
      ['configure_review_defaults', { costCeiling: null }],
      ['configure_review_defaults', { maxRounds: 50 }],
      ['start_agent_review', { costCeiling: 9 }],
      ['start_agent_review', { maxRounds: 50 }],
    ] as const)
      assert.match(
        (await mcp.call(tool, input)).text,
        /an agent may not raise it|the most that an agent may ask for/,
        JSON.stringify(input),
      );
    assert.deepEqual(await kept(), ['2', '1.5', 'true']);
  });
});

describe('the process', () => {
  test('writes nothing but messages, also about mistakes, and ends when its input does', async () => {
    await using scenario = await makeProject();
    const child = spawn(process.execPath, [MAIN, 'mcp'], { cwd: scenario.root, env: scenario.env, stdio: 'pipe' });
    const stderr = text(child.stderr);
    const ended = once(child, 'close');
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (written: string) => (stdout += written));
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const lines = [
      'this is no message',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }),
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'nobody', arguments: {} } }),
      JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'show_loop', arguments: { loop: 9 } } }),
    ];
    child.stdin.write(`${lines.join('\n')}\n`);
    try {
      await eventually('three answers', async () => await Promise.resolve(stdout.split('\n').length > 3));
    } finally {
      child.stdin.end();
    }
    const [code] = await ended;
    assert.deepEqual([code, await stderr], [0, '']);
    const messages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      messages.map(({ jsonrpc, id }) => [jsonrpc, id]),
      [
        ['2.0', 1],
        ['2.0', 2],
        ['2.0', 3],
      ],
    );
    assert.equal(messages[2].result.content[0].text, 'There is no task 9.\nSee volley status for the tasks of this project.');
  });

  test('a line that never ends ends it, with a sentence and a clean exit', async () => {
    await using scenario = await makeProject();
    const child = spawn(process.execPath, [MAIN, 'mcp'], { cwd: scenario.root, env: scenario.env, stdio: 'pipe' });
    // It does not read to the end.
    child.stdin.on('error', () => undefined);
    const stderr = text(child.stderr);
    const ended = once(child, 'close');
    child.stdin.write('x'.repeat(200_000_000));
    const [code] = await ended;
    assert.equal(code, 1);
    assert.match(await stderr, /^error: A message was longer than 10 MB/);
  });

  test('is stopped by a signal as well, and leaves what runs to volley work', async () => {
    await using scenario = await makeProject({ agents: { reviewer: SLOW } });
    const transport = stdioTransport(scenario);
    const mcp = await connectClient(transport);
    await mcp.call('review_my_change');
    await eventually('the reviewer runs', async () => (await scenario.calls('reviewer')).length === 1);
    process.kill(transport.pid ?? 0, 'SIGTERM');
    await eventually('it is gone', async () => await Promise.resolve(transport.pid === null));
    const { state, next } = await scenario.loop(1);
    assert.deepEqual([state, next], ['pending_self_review', 'volley work 1']);
    assert.match(JSON.stringify((await scenario.journal(1)).at(-1)?.event), /"type":"interrupted"/);
  });

  test('lists its tools where there is no project, and says so when one is called', async () => {
    await using scenario = await makeProject();
    await using mcp = await connectStdio({ ...scenario, root: tmpdir() });
    assert.equal((await mcp.client.listTools()).tools.length, 11);
    const { isError, text: said } = await mcp.call('list_loops');
    assert.ok(isError);
    assert.match(said, /is not in a git repository\.\nChange to your project/);
  });

  test('a client of the newest protocol is served as well', async () => {
    await using scenario = await makeProject();
    await using mcp = await connectStdio(scenario, { versionNegotiation: { mode: 'auto' } });
    assert.partialDeepStrictEqual((await reviewed(mcp)).data, { blocking: 1 });
    assert.partialDeepStrictEqual((await scenario.journal(1))[0]?.event, { by: AGENT });
  });

  test('a client that leaves in the middle ends its agents; the loop goes on with volley work', async () => {
    await using scenario = await makeProject({ agents: { reviewer: turns({ run: 'sleep 60' }, { result: APPROVED }) } });
    const mcp = await connectStdio(scenario);
    await mcp.call('review_my_change');
    await eventually('the reviewer runs', async () => (await scenario.calls('reviewer')).length === 1);
    const waiting = mcp.call('wait_for_review', { loop: 1 }).catch(() => null);
    await mcp.client.close();
    await waiting;
    const left = await eventually('nobody drives it', async () => {
      const loop = await scenario.loop(1);
      return loop.next === 'volley work 1' ? loop : null;
    });
    assert.equal(left.rounds.length, 0);
    assert.equal((await scenario.volley(['work', '1'])).code, 0);
    assert.equal((await scenario.loop(1)).state, 'approved');
  });

  test('a process that is killed leaves whole loops, which go on', async () => {
    await using scenario = await makeProject({ agents: { reviewer: turns({ run: 'sleep 60' }, { result: APPROVED }) } });
    const transport = stdioTransport(scenario);
    const mcp = await connectClient(transport);
    await mcp.call('review_my_change');
    await eventually('the reviewer runs', async () => (await scenario.calls('reviewer')).length === 1);
    // Another one is asked for, and nobody knows how far that came.
    await scenario.repository.write('b.txt', 'new\n');
    const lost = mcp.call('review_my_change').catch(() => null);
    process.kill(transport.pid ?? 0, 'SIGKILL');
    await lost;
    await mcp.client.close();
    assert.equal((await scenario.volley(['work'])).code, 0);
    const rows = (await scenario.volley(['status', '--json'])).objects().filter(({ type }) => type === 'task');
    assert.ok(rows.length >= 1 && rows.every(({ state }) => state === 'approved'), JSON.stringify(rows));
  });
});
