import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AgentEvent } from '../../src/agents/agent.ts';
import { fakeEnded } from '../../src/agents/fake.ts';
import { Analytics } from '../../src/core/analytics-output.ts';
import { ErrorOutput } from '../../src/core/output.ts';
import { NO_USAGE } from '../../src/core/usage-meter.ts';
import { plainTask } from '../../src/core/task.ts';
import { serveScenario } from '../support/served.ts';
import type { Play, ServedProject } from '../support/served.ts';

const spent: AgentEvent = {
  type: 'usage',
  counts: 'total',
  model: 'large',
  usage: { ...NO_USAGE, inputTokens: 1000, outputTokens: 100, costUsd: 0.25 },
};
const issue = { file: 'sum.js', line: 1, severity: 'critical', category: 'security', description: 'Anybody can call this.' };

/** Writes another line each time, so that each fix is a change. */
function writes(name: string): Play {
  let times = 0;
  return async function* ({ cwd }) {
    times += 1;
    await writeFile(join(cwd, 'sum.js'), `${name}(${times})\n`);
    yield spent;
    yield fakeEnded(JSON.stringify({ taskComplete: true }));
  };
}

/** Rejects each first round. */
const reviews: Play = ({ round }) => {
  const answer = round === 1 ? { passed: false, issues: [issue] } : { passed: true, issues: [] };
  return [spent, fakeEnded(JSON.stringify(answer))];
};

async function runTask({ app }: ServedProject): Promise<void> {
  const task = plainTask({ kind: 'implement', title: 'Sum', source: { kind: 'authored' } });
  const loop = await app.start({ change: { kind: 'authored', base: null }, task, flags: {}, autoReview: true });
  assert.ok(loop);
  await app.drive([loop.id], new AbortController().signal);
}

async function numbersOf(project: ServedProject, query = ''): Promise<Analytics> {
  const { status, body } = await project.ask('GET', `/api/analytics${query}`);
  assert.equal(status, 200);
  return Analytics.parse(body);
}

test('the loops of a project are told in numbers, on the server and in the terminal alike', async () => {
  await using project = await serveScenario({ author: writes('add'), reviewer: reviews, fixer: writes('sum') });
  assert.equal((await numbersOf(project)).loops.total, 0);
  await runTask(project);
  await runTask(project);
  const numbers = await numbersOf(project);
  assert.partialDeepStrictEqual(numbers, {
    from: null,
    to: null,
    loops: { total: 2, approvedByReview: 2, averageRounds: 2, byRounds: [{ rounds: 2, count: 2 }] },
    firstReview: { reviewed: 2, passed: 0, passRate: 0 },
    findings: { total: 2, fixed: 2, open: 0, falsePositiveRate: 0 },
    timeSaved: { minutes: 60, findings: 2 },
    reviewers: [{ agent: 'reviewer', reviews: 4, noVerdict: 0, findings: 2 }],
    spend: { usd: 2, measuredUsd: 2, estimatedUsd: 0, perModel: [{ model: null, usd: 2, sessions: 8 }] },
    tokens: { input: 8000, output: 800 },
    escalations: [],
  });
  assert.equal(numbers.sessions.total, 8);
  const { code, stdout } = await project.scenario.volley(['stats', '--json']);
  assert.equal(code, 0);
  assert.deepEqual(Analytics.parse(JSON.parse(stdout)), numbers);
  const told = await project.scenario.volley(['stats', '--days', '30']);
  assert.match(told.stdout, /^Last 30 days: 2 tasks\n {2}✓ 2 approved\n {2}2\.0 rounds until an approval; 0 % of first reviews passed\n/);
});

test('only the days are counted that are asked for', async () => {
  await using project = await serveScenario({ author: writes('add'), reviewer: reviews, fixer: writes('sum') });
  await runTask(project);
  const today = project.app.engine.now().slice(0, 10);
  assert.equal((await numbersOf(project, '?days=1')).loops.total, 1);
  assert.equal((await numbersOf(project, `?from=${today}&to=${today}`)).spend.usd, 1);
  const before = await numbersOf(project, '?to=2001-02-28');
  assert.deepEqual([before.to, before.loops.total, before.findings.total, before.sessions.total], ['2001-02-28', 0, 0, 0]);
  assert.equal((await numbersOf(project, '?from=2999-01-01')).loops.total, 0);
});

test('days that are none are refused', async () => {
  await using project = await serveScenario({ reviewer: reviews });
  for (const query of [
    'days=0',
    'days=x',
    'days=4000',
    'from=yesterday',
    'from=2026-02-30',
    'to=2026-1-1',
    'since=2026-01-01',
    'days=1&to=2026-01-01',
    'from=2026-01-02&to=2026-01-01',
  ]) {
    const { status, body } = await project.ask('GET', `/api/analytics?${query}`);
    assert.equal(status, 400, query);
    assert.equal(ErrorOutput.parse(body).code, 'bad-request');
  }
  for (const days of ['0', '-1', 'x', '1.5', '4000']) {
    assert.equal((await project.scenario.volley(['stats', `--days=${days}`])).code, 1, days);
  }
});
