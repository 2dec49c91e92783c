import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { ApiReply } from '../../src/api/contract.ts';
import { fakeEnded } from '../../src/agents/fake.ts';
import { openApp } from '../../src/app.ts';
import { serveProject } from '../../src/app-serve.ts';
import { playLoop, SMOOTH, SWINGING } from '../support/played-loop.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';

const SEED_002 = {
  enabled: true,
  maxIterations: 3,
  selfReviewBeforePR: true,
  autoAddressReviewComments: true,
  severityThreshold: 'medium',
  notifyOnReady: true,
  notificationChannels: ['github'],
};

const KEY = 'sk-ant-api03-Zk3QpT7vXw9LmN2bRs5YcD8fGh1JkA4eUiOoPqWxVt6BnMzSyHrEdFgCjKlQaZ-AAAAAA';

let project: ServedProject;
const get = async <T>(path: string): Promise<T> => {
  const { status, body } = await project.ask('GET', path);
  assert.equal(status, 200, JSON.stringify(body));
  return body as T;
};
const file = async (): Promise<string> => await readFile(join(project.scenario.root, 'volley.yaml'), 'utf8');

describe('settings', () => {
  beforeEach(async () => {
    project = await serveScenario(SMOOTH);
  });
  afterEach(async () => await project[Symbol.asyncDispose]());

  test('every setting in force is told with where it comes from', async () => {
    const { settings } = await get<ApiReply<'listSettings'>>('/api/settings');
    assert.deepEqual(
      settings.find(({ path }) => path === 'policy.maxRounds'),
      { path: 'policy.maxRounds', value: 3, origin: 'default' },
    );
    assert.match(settings.find(({ path }) => path === 'roles.author')?.origin ?? '', /^volley\.yaml:\d+$/);
    assert.deepEqual(await get('/api/settings/policy.maxRounds'), { path: 'policy.maxRounds', value: 3, origin: 'default' });
    assert.match((await get<{ origin: string }>('/api/settings/roles')).origin, /^volley\.yaml:\d+/);
    assert.deepEqual(await get('/api/settings/maxIterations'), { path: 'policy.maxRounds', value: 3, origin: 'default' });
    assert.partialDeepStrictEqual(await get('/api/settings/schema'), { type: 'object' });
  });

  test('the seven settings of seed 002 have its defaults, and are kept in volley.yaml', async () => {
    assert.deepEqual(await get('/api/settings/review-loop'), SEED_002);
    const changes = { enabled: false, maxIterations: 5, severityThreshold: 'high', notificationChannels: ['slack', 'email'] };
    const { status, body } = await project.ask('PUT', '/api/settings/review-loop', { body: changes });
    assert.equal(status, 200, JSON.stringify(body));
    const { notes, ...rest } = Object(body);
    assert.deepEqual(rest, { ...SEED_002, ...changes, outranked: [] });
    assert.ok(Array.isArray(notes));
    assert.match(await file(), /maxRounds"?: 5/);
    assert.deepEqual(await get('/api/settings/review-loop'), { ...SEED_002, ...changes });
  });

  test('what is written and does not hold is told with what outranks it', async () => {
    process.env['VOLLEY_MAX_ROUNDS'] = '2';
    try {
      const { body } = await project.ask('PUT', '/api/settings/review-loop', { body: { maxIterations: 5, severityThreshold: 'high' } });
      assert.partialDeepStrictEqual(body, { maxIterations: 2, severityThreshold: 'high' });
      assert.deepEqual(Object(body).outranked, [{ name: 'maxIterations', origin: 'VOLLEY_MAX_ROUNDS' }]);
      assert.deepEqual(await get('/api/settings/review-loop'), { ...SEED_002, maxIterations: 2, severityThreshold: 'high' });
    } finally {
      delete process.env['VOLLEY_MAX_ROUNDS'];
    }
  });

  test('they are there when the server is started again', async () => {
    await using first = await serveScenario({});
    await first.ask('PUT', '/api/settings/review-loop', { body: { maxIterations: 4 } });
    await first.served.close();
    const app = await openApp({ cwd: first.scenario.root, report: () => undefined });
    const again = await serveProject(app, { port: 0, allowedHosts: [], works: false, version: 'test', broke: () => undefined });
    const answer = await fetch(`${again.url}/api/settings/review-loop`, { headers: { authorization: `Bearer ${first.token}` } });
    assert.deepEqual(await answer.json(), { ...SEED_002, maxIterations: 4 });
    await again.close();
    await app.close();
  });

  test('invalid ones are refused with every name that is wrong, and nothing is written', async () => {
    const before = await file();
    const wrong = { maxIterations: 0, severityThreshold: 'blocker', enabled: 'maybe', notifications: [], notifyOnReady: false };
    const { status, body } = await project.ask('PUT', '/api/settings/review-loop', { body: wrong });
    assert.equal(status, 422);
    const { code, message } = body as { code: string; message: string };
    assert.equal(code, 'bad-config');
    assert.match(message, /^maxIterations must be a whole number of at least 1\. .*\.$/);
    for (const name of ['maxIterations', 'severityThreshold', 'enabled', 'notifications'])
      assert.match(message, new RegExp(`\\b${name}\\b`));
    assert.doesNotMatch(message, /notifyOnReady/);
    assert.equal(await file(), before);
    assert.deepEqual(await get('/api/settings/review-loop'), SEED_002);
    for (const other of [[], 'x', 7]) assert.equal((await project.ask('PUT', '/api/settings/review-loop', { body: other })).status, 400);
  });

  test('one setting is written and taken out again, in the file that is named', async () => {
    const path = '/api/settings/policy.maxRounds';
    const put = await project.ask('PUT', path, { body: { value: 4 } });
    assert.equal(put.status, 200, JSON.stringify(put.body));
    assert.partialDeepStrictEqual(put.body, {
      file: 'volley.yaml',
      changed: true,
      settings: [{ path: 'policy.maxRounds', value: 4, outranked: false }],
    });
    assert.partialDeepStrictEqual((await project.ask('PUT', path, { body: { value: 4 } })).body, { changed: false });
    const own = await project.ask('PUT', path, { body: { value: 2, scope: 'user' } });
    assert.partialDeepStrictEqual(own.body, { changed: true, settings: [{ value: 4, outranked: true }] });
    assert.partialDeepStrictEqual(await get(path), { value: 4 });
    assert.equal((await project.ask('DELETE', path)).status, 200);
    assert.partialDeepStrictEqual(await get(path), { value: 2 });
    assert.equal((await project.ask('DELETE', `${path}?scope=user`)).status, 200);
    assert.deepEqual(await get(path), { path: 'policy.maxRounds', value: 3, origin: 'default' });
  });

  const refused: readonly (readonly [string, unknown, number])[] = [
    ['policy.maxRounds', { value: 'four' }, 422],
    ['policy.maxRounds', { value: null }, 422],
    ['policy.maxRounds', { value: 1_000_000_000 }, 422],
    ['maxIterations', { value: 101 }, 422],
    ['notificationChannels', { value: ['slack', 'slack'] }, 422],
    ['policy.maxRounds', {}, 400],
    ['policy.maxRounds', { value: 4, scope: 'system' }, 400],
    ['policy.maxRounds', { value: 4, more: 1 }, 400],
    ['policy.maxRuonds', { value: 4 }, 422],
    ['__proto__', { value: 4 }, 422],
    ['constructor.prototype', { value: 4 }, 422],
    ['roles.author', { value: 'nobody' }, 422],
    ['roles', { value: JSON.parse('{"__proto__":{"author":"x"}}') }, 422],
    ['policy', { value: JSON.parse('['.repeat(500) + ']'.repeat(500)) }, 400],
    ['notify.slack.webhook', { value: 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX' }, 422],
    ['commit.message', { value: `fix {n} {summary} ${KEY}` }, 422],
  ];
  for (const [name, body, status] of refused)
    test(`${name} does not become ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const before = await file();
      const answer = await project.ask('PUT', `/api/settings/${encodeURIComponent(name)}`, { body });
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      assert.ok(!JSON.stringify(answer.body).includes(KEY));
      assert.equal(await file(), before);
    });

  test('a body that is nested as deep as it may be long is refused', async () => {
    const deep = 400_000;
    const { status } = await fetch(`${project.served.url}/api/settings/policy`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${project.token}`, 'content-type': 'application/json' },
      body: `{"value":${'['.repeat(deep)}${']'.repeat(deep)}}`,
    });
    assert.equal(status, 400);
  });

  test('of many writers at once none loses its change', async () => {
    const changes = [
      ['policy.maxRounds', 7],
      ['policy.blockAt', 'low'],
      ['policy.convergence', 'strict'],
      ['policy.quorum', 'any'],
      ['review.enabled', false],
      ['notify.onReady', false],
    ] as const;
    const answers = await Promise.all(
      changes.map(async ([name, value]) => await project.ask('PUT', `/api/settings/${name}`, { body: { value } })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      changes.map(() => 200),
    );
    for (const [name, value] of changes) assert.partialDeepStrictEqual(await get(`/api/settings/${name}`), { value });
  });

  test('what looks like a secret in a file is not shown', async () => {
    const text = JSON.parse(await file()) as object;
    await writeFile(
      join(project.scenario.root, 'volley.yaml'),
      JSON.stringify({ ...text, commit: { message: `fix {n} {summary} ${KEY}` } }),
    );
    const { body } = await project.ask('GET', '/api/settings');
    assert.ok(JSON.stringify(body).includes('commit.message'));
    assert.ok(!JSON.stringify(body).includes(KEY));
    assert.ok(!JSON.stringify((await project.ask('GET', '/api/settings/commit')).body).includes(KEY));
  });

  test('a broken file is told with its line, and nothing writes over it', async () => {
    const path = join(project.scenario.root, 'volley.yaml');
    await writeFile(path, 'policy:\n  maxRounds: [\n');
    const answer = await project.ask('GET', '/api/settings');
    assert.equal(answer.status, 422);
    assert.match(JSON.stringify(answer.body), /volley\.yaml:\d/);
    assert.equal((await project.ask('PUT', '/api/settings/policy.maxRounds', { body: { value: 4 } })).status, 422);
    assert.equal(await readFile(path, 'utf8'), 'policy:\n  maxRounds: [\n');
  });
});

test('agents are told with their roles, how they are held and what they cost; each is looked at once at a time', async () => {
  await using served = await serveScenario(SMOOTH);
  const { app } = served;
  await playLoop(served, 'Add numbers');
  const [answer, other] = await Promise.all([served.ask('GET', '/api/agents'), served.ask('GET', '/api/agents')]);
  assert.deepEqual(answer.body, other.body);
  const { agents, drivers } = answer.body as ApiReply<'listAgents'>;
  assert.ok(['command', 'builtin', 'claude', 'codex', 'fake'].every((id) => drivers.some((driver) => driver.id === id)));
  assert.partialDeepStrictEqual(
    agents.find(({ name }) => name === 'reviewer'),
    {
      driver: 'fake',
      configured: true,
      plays: ['reviewer'],
      available: true,
      confinement: app.engine.confinement.level,
      spend: { sessions: 1 },
    },
  );
  assert.partialDeepStrictEqual(
    agents.find(({ name }) => name === 'author'),
    { plays: ['author', 'fixer'], spend: { sessions: 1, usd: 0 } },
  );
  assert.partialDeepStrictEqual(
    agents.find(({ name }) => name === 'claude'),
    { configured: false, spend: null },
  );
});

test('an agent that is really there says its version once a minute, and one that is not says why', async () => {
  await using served = await serveScenario({});
  const { root, repository } = served.scenario;
  const calls = join(repository.beside, 'calls');
  const program = join(repository.beside, 'bin', 'claude');
  await mkdir(join(repository.beside, 'bin'));
  await writeFile(program, `#!/bin/sh\necho "$@" >> ${calls}\necho '9.9.9 (Claude Code)'\n`, { mode: 0o755 });
  const agents = { mine: { driver: 'claude', run: [program] }, gone: { driver: 'command', run: ['/nowhere/agent'] } };
  await writeFile(join(root, 'volley.yaml'), JSON.stringify({ agents }));
  await served.served.close();
  const app = await openApp({ cwd: root, report: () => undefined });
  const serving = await serveProject(app, {
    port: 0,
    allowedHosts: [],
    works: false,
    version: 'test',
    broke: () => undefined,
  });
  try {
    const list = async (): Promise<ApiReply<'listAgents'>['agents']> => {
      const answer = await fetch(`${serving.url}/api/agents`, { headers: { authorization: `Bearer ${served.token}` } });
      assert.equal(answer.status, 200);
      return ((await answer.json()) as ApiReply<'listAgents'>).agents;
    };
    const [found] = await Promise.all([list(), list(), list()]);
    assert.partialDeepStrictEqual(
      found?.find(({ name }) => name === 'mine'),
      { driver: 'claude', available: true, version: '9.9.9', login: { by: 'none' } },
    );
    assert.partialDeepStrictEqual(
      found?.find(({ name }) => name === 'gone'),
      { available: false, configured: true },
    );
    assert.partialDeepStrictEqual(
      found?.find(({ name }) => name === 'builtin'),
      { available: true, login: null },
    );
    const asked = (await readFile(calls, 'utf8')).split('\n').length;
    await list();
    assert.equal((await readFile(calls, 'utf8')).split('\n').length, asked);
  } finally {
    await serving.close();
    await app.close();
  }
});

test('a refuted finding is remembered until it is forgotten', async () => {
  await using served = await serveScenario({ ...SWINGING, fixer: () => [fakeEnded('{}')] });
  const { app } = served;
  await playLoop(served, 'Add numbers');
  const { ruleOnFinding } = await import('../../src/app.ts');
  await ruleOnFinding(app.engine, 1, { findingId: '1.1', ruling: 'refute', by: 'Test Person', reason: 'It is meant so.' });
  const { body } = await served.ask('GET', '/api/memories');
  assert.partialDeepStrictEqual(body, { total: 1, next: null, memories: [{ findingId: '1.1', person: true, note: 'It is meant so.' }] });
  assert.equal((await served.ask('DELETE', '/api/memories/99.1')).status, 404);
  const unknown = await served.ask('DELETE', '/api/memories/1.2');
  assert.equal(unknown.status, 409);
  // As the terminal says it.
  assert.partialDeepStrictEqual(unknown.body, { code: 'refused', message: 'Task 1 does not take that: nothing is remembered of 1.2.' });
  assert.equal((await served.ask('DELETE', '/api/memories/x')).status, 400);
  assert.deepEqual((await served.ask('DELETE', '/api/memories/1.1')).body, { findingId: '1.1' });
  assert.partialDeepStrictEqual((await served.ask('GET', '/api/memories')).body, { memories: [] });
  assert.equal((await served.ask('DELETE', '/api/memories/1.1')).status, 409);
});
