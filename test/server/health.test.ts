import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveScenario } from '../support/served.ts';

test('whoever has the token is told how the server is; nobody else is', async () => {
  await using project = await serveScenario({ reviewer: () => [] });
  const { status, body } = await project.ask('GET', '/api/health');
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(body, { type: 'health', works: false, person: project.app.person.name });
  assert.equal((await fetch(`${project.served.url}/api/health`)).status, 401);
});

test('what was spent today is told beside the ceiling of a day', async () => {
  await using project = await serveScenario({ reviewer: () => [] });
  const today = async (): Promise<unknown> => (await project.ask('GET', '/api/today')).body;
  assert.partialDeepStrictEqual(await today(), { usd: 0, estimated: false, reservedUsd: 0, ceilingUsd: null });
  await project.ask('PUT', '/api/settings/policy.ceiling.day', { body: { value: 100 } });
  assert.partialDeepStrictEqual(await today(), { ceilingUsd: 100 });
});

test('what somebody has already is not sent again, however they say which one they have', async () => {
  await using project = await serveScenario({ reviewer: () => [] });
  const path = '/api/settings/schema';
  const etag = (await project.ask('GET', path)).headers.get('etag') ?? '';
  for (const [tags, expected] of [
    [etag, 304],
    [`W/${etag}`, 304],
    [`"other", ${etag}`, 304],
    [`W/"other",W/${etag}`, 304],
    ['*', 304],
    ['"other"', 200],
    [etag.slice(1, -1), 200],
    ['', 200],
  ] as const)
    assert.equal((await project.ask('GET', path, { headers: { 'if-none-match': tags } })).status, expected, tags);
});
