import assert from 'node:assert/strict';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { AgentEvent, AgentInput } from '../../src/agents/agent.ts';
import { fakeAgent, fakeEnded, fakeFailed } from '../../src/agents/fake.ts';
import { openApp } from '../../src/app.ts';
import { plainTask } from '../../src/core/task.ts';
import { makeScenario } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';

const APPROVED = Array.from({ length: 13 }, (_, index) => index + 1);
const TOO_LONG = [14, 15, 16];
const [DIES, LIMITED, ASKS, DEPENDS] = [17, 18, 19, 20];

const scenarios: Scenario[] = [];
after(async () => {
  for (const scenario of scenarios) await scenario[Symbol.asyncDispose]();
});

/** Each task gets a file of its own; two of them write the same one. */
async function* author({ task, cwd }: AgentInput): AsyncGenerator<AgentEvent> {
  if (task === DIES) return yield fakeFailed('crashed', 'it was killed by signal 9');
  if (task === LIMITED) {
    yield { type: 'limited', until: '2126-01-01T07:30:00.000Z', message: 'the limit of this hour is used up' };
    return yield fakeFailed('limited', 'the limit of this hour is used up');
  }
  const name = task === 12 || task === 13 ? 'both.txt' : `task-${task}.txt`;
  await appendFile(join(cwd, name), `task ${task}\n`);
  yield fakeEnded('{}');
}

function reviewer({ task, round }: AgentInput): readonly AgentEvent[] {
  if (task === ASKS) return [fakeEnded('{"passed":false,"verdict":"needs_discussion","summary":"Which currency is meant?"}')];
  const isFine = task % 2 === 0 ? round > 1 : true;
  if (!TOO_LONG.includes(task) && isFine) return [fakeEnded('{"passed":true}')];
  const issue = { file: `task-${task}.txt`, line: 1, severity: 'high', description: 'missing input validation' };
  return [fakeEnded(JSON.stringify({ passed: false, issues: [issue] }))];
}

/** A project in which twenty tasks were worked on while nobody looked. */
async function afterTheNight(): Promise<Scenario> {
  const agents = { author: { driver: 'fake' }, reviewer: { driver: 'fake' } };
  const scenario = await makeScenario({ config: { agents, roles: { author: 'author', reviewer: ['reviewer'] } } });
  scenarios.push(scenario);
  process.env['XDG_STATE_HOME'] = scenario.state;
  process.env['XDG_CONFIG_HOME'] = join(scenario.repository.beside, 'config');
  await mkdir(join(scenario.repository.beside, 'config'), { recursive: true });
  const createAgent = (spec: { readonly name: string }): ReturnType<typeof fakeAgent> =>
    fakeAgent({ name: spec.name, script: spec.name === 'author' ? author : reviewer });
  const app = await openApp({ cwd: scenario.root, report: () => undefined, createAgent, drivers: ['fake'] });
  const [first, second, ...others] = Array.from({ length: 20 }, (_, index) =>
    plainTask({
      kind: 'implement',
      title: `Add part ${index + 1}`,
      source: { kind: 'authored' },
      dependsOn: index + 1 === DEPENDS ? [1] : [],
    }),
  );
  assert.ok(first !== undefined && second !== undefined);
  const start = { change: { kind: 'authored', base: null }, flags: {}, autoReview: true } as const;
  // What another one depends on has to be there first.
  await app.startAll([{ ...start, tasks: [first] }]);
  await app.startAll([{ ...start, tasks: [second, ...others] }]);
  await app.drive(null, new AbortController().signal, 2);
  await app.close();
  return scenario;
}

test('after a night with twenty tasks one screen tells what happened and what to do, and land brings over all that is approved', async () => {
  const scenario = await afterTheNight();
  const glance = await scenario.volley([]);
  const lines = glance.stdout.trimEnd().split('\n');
  assert.ok(lines.length <= 24, glance.stdout);
  assert.ok(
    lines.every((line) => line.length <= 100),
    glance.stdout,
  );
  for (const words of ['volley decide 19 answer', 'volley decide 17 continue', 'volley decide 14 one-more-round', 'volley land 1 2 3'])
    assert.ok(glance.stdout.includes(words), `${words}\n${glance.stdout}`);
  assert.match(glance.stdout, /18\. .*waits until .*rate-limit/);
  const landed = await scenario.volley(['land', '--all']);
  assert.equal(landed.code, 1, landed.stdout);
  assert.match(landed.stdout + landed.stderr, /Task 13 and main conflict in both\.txt/);
  const files = (await scenario.repository.git('ls-files', 'task-*', 'both.txt')).trim().split('\n');
  assert.equal(files.length, APPROVED.length - 2 + 1 + 1, 'one file of each approved task, the shared one, and that of the dependent one');
  assert.equal((await scenario.volley(['land', '1', '2'])).code, 0);
  assert.match((await scenario.volley([])).stdout, /volley land 13/);
});
