import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Agent, AgentEvent } from '../../src/agents/agent.ts';
import { fakeAgent, fakeEnded } from '../../src/agents/fake.ts';
import { decideLoop, openApp } from '../../src/app.ts';
import type { App } from '../../src/app.ts';
import type { Loop } from '../../src/core/loop.ts';
import type { Usage } from '../../src/core/review.ts';
import type { AgentSpec } from '../../src/core/settings.ts';
import { NO_USAGE } from '../../src/core/usage-meter.ts';
import { makeRepository } from '../support/repository.ts';
import type { TestRepository } from '../support/repository.ts';
import { plainTask } from '../../src/core/task.ts';
import { APPROVED, eventually, makeScenario, turns as scripted } from '../support/scenario.ts';

function usage(used: Partial<Usage>, counts: 'step' | 'total' = 'step', model: string | null = null): AgentEvent {
  return { type: 'usage', counts, usage: { ...NO_USAGE, ...used }, model };
}

type Scripts = Readonly<Record<string, () => readonly AgentEvent[] | AsyncIterable<AgentEvent>>>;

const APPROVES = (): readonly AgentEvent[] => [fakeEnded('{"passed":true}')];

/** An author that writes a file first, then tells what the script has it tell. */
function cast(scripts: Scripts, calls: string[]): (spec: AgentSpec) => Agent {
  return (spec) =>
    fakeAgent({
      name: spec.name,
      spec,
      script: () => {
        calls.push(spec.name);
        return scripts[spec.name]?.() ?? [];
      },
      edit: async (cwd) => {
        if (spec.name === 'author') await writeFile(join(cwd, 'made.txt'), `made ${calls.length}\n`);
      },
    });
}

const repositories: TestRepository[] = [];
const apps: App[] = [];
after(async () => {
  for (const app of apps) await app.close();
  for (const repository of repositories) await repository[Symbol.asyncDispose]();
});

type Played = {
  readonly loop: Loop;
  readonly calls: readonly string[];
  answer(choice: 'raise-ceiling', ceilingUsd: number): Promise<Loop>;
};

async function play(scripts: Scripts, given: { readonly ceiling: number | 'none'; readonly agents?: object }): Promise<Played> {
  const repository = await makeRepository({ files: { 'README.md': '# Sample\n' } });
  repositories.push(repository);
  process.env['XDG_STATE_HOME'] = join(repository.beside, 'state');
  process.env['XDG_CONFIG_HOME'] = join(repository.beside, 'config');
  await mkdir(join(repository.beside, 'config'));
  const agents = { author: { driver: 'fake' }, reviewer: { driver: 'fake' }, ...given.agents };
  const roles = { author: 'author', reviewer: ['reviewer'] };
  await repository.commit('config', { 'volley.yaml': JSON.stringify({ agents, roles, policy: { ceiling: { loop: given.ceiling } } }) });
  const calls: string[] = [];
  const app = await openApp({ cwd: repository.root, report: () => undefined, createAgent: cast(scripts, calls), drivers: ['fake'] });
  apps.push(app);
  const task = plainTask({ kind: 'implement', title: 'Make it', source: { kind: 'authored' } });
  const started = await app.start({ change: { kind: 'authored', base: null }, task, flags: {}, autoReview: true });
  const signal = new AbortController().signal;
  const id = started?.id ?? 0;
  await app.drive([id], signal);
  return {
    loop: await app.load(id),
    calls,
    answer: async (choice, ceilingUsd) => {
      await decideLoop(app.engine, id, { choice, by: 'Ada', reason: null, agent: null, ceilingUsd });
      await app.drive([id], signal);
      return await app.load(id);
    },
  };
}

describe('a session that streams what it spends', () => {
  test('is stopped when its reservation is used up, its tree is kept, and raising the ceiling runs that phase again', async () => {
    let turns = 0;
    const author = async function* (): AsyncGenerator<AgentEvent> {
      turns += 1;
      for (let step = 0; step < (turns === 1 ? 50 : 3); step += 1) {
        yield usage({ costUsd: 0.9 });
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      yield fakeEnded('{}');
    };
    const played = await play({ author, reviewer: APPROVES }, { ceiling: 5 });
    const { loop, calls } = played;
    assert.deepEqual([loop.escalation?.reason, calls], ['ceiling', ['author']], 'no retry, no fallback, no round');
    assert.match(loop.escalation?.why ?? '', /had spent the \$2\.00 it was allowed/);
    assert.ok(loop.spend.usd > 2 && loop.spend.usd < 5, `stopped in time: ${loop.spend.usd}`);
    assert.equal(loop.sessions[0]?.reservedUsd, 2);
    const raised = await played.answer('raise-ceiling', 20);
    assert.deepEqual([raised.state, raised.sessions.length], ['approved', 3], 'the second session may spend more than $2.00');
  });

  test('is priced by its tokens where it reports no money, and said to be estimated', async () => {
    const author = (): readonly AgentEvent[] => [
      usage({ inputTokens: 1_000_000, outputTokens: 100_000 }, 'step', 'claude-sonnet-4-5'),
      fakeEnded('{}'),
    ];
    const priced = await play({ author, reviewer: APPROVES }, { ceiling: 'none' });
    assert.deepEqual([priced.loop.sessions[0]?.costBasis, priced.loop.spend.estimated], ['priced', true]);
    const own = await play(
      { author, reviewer: APPROVES },
      { ceiling: 'none', agents: { author: { driver: 'fake', price: { input: 1, output: 10 } } } },
    );
    assert.equal(own.loop.sessions[0]?.usage?.costUsd, 2);
  });

  test('counts totals as what they grew by', async () => {
    const author = (): readonly AgentEvent[] => [usage({ costUsd: 0.1 }, 'total'), usage({ costUsd: 0.25 }, 'total'), fakeEnded('{}')];
    const { loop } = await play({ author, reviewer: APPROVES }, { ceiling: 'none' });
    assert.equal(loop.sessions[0]?.usage?.costUsd, 0.25);
  });
});

describe('a ceiling', () => {
  test('counts the whole reservation of a session that tells nothing, warns at 80 % and pauses when nothing is left', async () => {
    const silent = (): readonly AgentEvent[] => [fakeEnded('{}')];
    const { loop, calls } = await play({ author: silent, reviewer: APPROVES }, { ceiling: 2 });
    assert.deepEqual([loop.escalation?.reason, calls, loop.spend.usd, loop.spend.estimated], ['ceiling', ['author'], 2, true]);
    assert.ok(
      loop.notes.some((note) => note.startsWith('Spent about $2.00 of $2.00')),
      loop.notes.join('\n'),
    );
  });

  test('is not drawn on by a subscription unless that is asked for', async () => {
    const author = (): readonly AgentEvent[] => [usage({ costUsd: 3 }), fakeEnded('{}')];
    const agents = { author: { driver: 'fake', billing: 'subscription' }, reviewer: { driver: 'fake', billing: 'subscription' } };
    const { loop } = await play({ author, reviewer: APPROVES }, { ceiling: 2, agents });
    assert.deepEqual([loop.state, loop.spend.usd, loop.spend.subscriptionUsd], ['approved', 0, 3]);
  });
});

test("two processes at once cannot both take the last of the day's money; whoever comes second waits, and once it is spent asks", async () => {
  await using scenario = await makeScenario({
    agents: {
      author: scripted({ run: 'until [ -d "$calls/2" ]; do sleep 0.02; done; echo made > "made-$VOLLEY_TASK.txt"' }),
      reviewer: scripted({
        run: 'n=0; until [ -e "$calls/../go" ] || [ $n -gt 500 ]; do n=$((n + 1)); sleep 0.02; done',
        result: { ...APPROVED, usage: { costUsd: 0.4 } },
      }),
    },
    config: { agents: { reviewer: { model: 'some-model' } }, policy: { ceiling: { run: 5, day: 0.5 } } },
  });
  const running = ['One', 'Two'].map(async (title) => await scenario.volley(['run', title]));
  const waits = await eventually('one of them waits', async () => {
    const { stdout } = await scenario.volley(['status']);
    return stdout.match(/^ {2}… (\d)\. implement .* {2}waits for money that other sessions have reserved$/m);
  });
  assert.ok((await scenario.calls('reviewer')).length <= 1);
  await writeFile(join(scenario.repository.beside, 'agents', 'reviewer', 'go'), '');
  const ran = await Promise.all(running);
  assert.deepEqual(
    ran.map(({ code, stderr }) => `${code}${stderr}`),
    ['0', '0'],
  );
  const [waited, other] = ran.toSorted((one) => (one.stdout.includes(`task #${waits[1]}:`) ? -1 : 1));
  assert.match(
    waited?.stdout ?? '',
    /Waiting: other sessions have reserved what is left of the day's ceiling: \$0\.00 of \$0\.50 are spent/,
  );
  assert.equal(waited?.stdout.match(/Waiting: /g)?.length, 1);
  assert.doesNotMatch(other?.stdout ?? '', /Waiting/);
  assert.match(waited?.stdout ?? '', /Spent \$0\.80 of \$0\.50 by all loops today: no further paid session starts without your word\./);
  assert.match(waited?.stdout ?? '', /spend +\$0\.40 of \$5\.00; \$0\.80 of \$0\.50 by all loops on \d{4}-\d\d-\d\d\n/);
  const third = await scenario.volley(['run', 'Three', '--json']);
  assert.match(third.loop().escalation?.why ?? '', /^the day's ceiling: \$0\.80 of \$0\.50 are spent by all loops today$/);
  const low = await scenario.volley(['decide', '3', 'raise-ceiling', '--ceiling', '0.8']);
  assert.deepEqual([low.code, /above \$0\.80, which all loops/.test(low.stderr)], [1, true], low.stderr);
  const raised = await scenario.volley(['decide', '3', 'raise-ceiling', '--ceiling', '2', '--json']);
  assert.deepEqual([raised.code, raised.loop().state, raised.loop().spend.day?.ceilingUsd], [0, 'approved', 2], raised.stderr);
  assert.equal((await scenario.volley(['verify', '3'])).code, 0);
});

test('a session that was killed with its process counts, also where somebody cancels its task', async () => {
  await using scenario = await makeScenario({
    agents: { author: scripted({ run: 'sleep 60' }), reviewer: scripted({ result: APPROVED }) },
    config: { agents: { author: { sessionUsd: 0.8 } }, policy: { ceiling: { day: 0.8 } } },
  });
  const killed = scenario.start(['run', 'One']);
  await eventually('the author works', async () => (await scenario.calls('author')).length === 1);
  const gone = once(killed.process, 'exit');
  killed.process.kill('SIGKILL');
  await gone;
  const cancelled = (await scenario.volley(['cancel', '1', '--json'])).loop();
  assert.deepEqual([cancelled.state, cancelled.spend.usd, cancelled.spend.estimated], ['cancelled', 0.8, true]);
  const second = (await scenario.volley(['run', 'Two', '--json'])).loop();
  assert.equal(second.escalation?.why, "the day's ceiling: about $0.80 of $0.80 are spent by all loops today");
});
