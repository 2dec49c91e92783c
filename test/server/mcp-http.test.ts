import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openHttpControl } from '../../src/mcp/http-control.ts';
import type { HttpControl } from '../../src/mcp/http-control.ts';
import { connectHttp } from '../support/mcp-client.ts';
import { answers, eventually, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario, ScriptedAgent } from '../support/scenario.ts';
import { serveWorking } from '../support/serve-working.ts';
import type { Working } from '../support/serve-working.ts';

type Project = Working & { readonly scenario: Scenario };

const WRONG = rejected(issue('The second line is wrong.', { file: 'a.txt', line: 2 }));

/** A project with a change, served in this process, which drives what is asked for. */
async function serveChange(reviewer: ScriptedAgent = answers(WRONG)): Promise<Project> {
  const scenario = await makeScenario({ agents: { reviewer } });
  await scenario.repository.write('a.txt', 'one\ntwo\n');
  const working = await serveWorking(scenario.root, scenario.env);
  return {
    ...working,
    scenario,
    [Symbol.asyncDispose]: async () => {
      await working[Symbol.asyncDispose]();
      await scenario[Symbol.asyncDispose]();
    },
  };
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

async function post({ served, token }: Project, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return await fetch(`${served.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

describe('the tools over HTTP', () => {
  for (const mode of ['legacy', 'auto'] as const) {
    test(`a client (${mode}) has its change reviewed and gets the findings`, async () => {
      await using project = await serveChange();
      await using mcp = await connectHttp(project.served.url, project.token, { versionNegotiation: { mode } });
      assert.equal((await mcp.client.listTools()).tools.length, 11);
      const { data } = await mcp.call('review_my_change');
      const waited = await mcp.waitFor(data['loop']);
      assert.partialDeepStrictEqual(waited.data, { state: 'self_review_failed', blocking: 1 });
      assert.match(waited.text, /The second line is wrong\./);
      for (const [tool, input, expected] of [
        ['list_loops', {}, { loops: [{ loop: 1, blocking: 1 }], next: null }],
        ['show_loop', { loop: 1 }, { roundsTaken: [{ round: 1, verdict: 'changes_requested', reviewers: ['reviewer'] }] }],
        ['list_findings', { loop: 1 }, { total: 1, findings: [{ id: '1.1', file: 'a.txt', line: 2 }] }],
        ['get_agent_review_status', { reviewId: '1' }, { review: { status: 'changes-requested' } }],
        ['configure_review_defaults', {}, { defaults: { maxRounds: 3 } }],
      ] as const)
        assert.partialDeepStrictEqual((await mcp.call(tool, input)).data, expected, tool);
      assert.match((await mcp.call('decide', { loop: 1, choice: 'accept', reason: 'x' })).text, /^Agents may not decide here/);
    });
  }

  test('two clients at once get their own answers, to the same numbers of requests', async () => {
    await using project = await serveChange();
    const { url } = project.served;
    const clients = await Promise.all([connectHttp(url, project.token), connectHttp(url, project.token)]);
    const asked = Array.from({ length: 40 }, (_, at) => at);
    const texts = await Promise.all(
      asked.map(async (at) => {
        const answer = await clients[at % 2]?.call('show_loop', { loop: 1000 + at });
        return answer?.text.split('\n')[0];
      }),
    );
    assert.deepEqual(
      texts,
      asked.map((at) => `There is no task ${1000 + at}.`),
    );
    for (const client of clients) await client[Symbol.asyncDispose]();
  });

  test('without the token, with a wrong one, from a foreign page or to another host nothing is started', async () => {
    await using project = await serveChange();
    const start = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'review_my_change', arguments: {} } };
    for (const [headers, status] of [
      [{ authorization: 'Bearer wrong' }, 401],
      [{ authorization: '' }, 401],
      [{ origin: 'http://evil.example' }, 403],
      [{ origin: 'null' }, 403],
    ] as const) {
      for (const body of [INITIALIZE, start]) assert.equal((await post(project, body, headers)).status, status, JSON.stringify(headers));
    }
    for (const method of ['GET', 'DELETE', 'POST'])
      assert.equal((await fetch(`${project.served.url}/mcp`, { method })).status, 401, method);
    assert.match((await project.scenario.volley(['show', '1'])).stderr, /There is no task 1/);
  });

  test('a session is named by its client alone, is needed, and is over when that says so', async () => {
    await using project = await serveChange();
    const opened = await post(project, INITIALIZE);
    assert.equal(opened.status, 200);
    const id = opened.headers.get('mcp-session-id') ?? '';
    assert.match(id, /^[\w-]{43}$/);
    await opened.text();
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
    const withId = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-06-18' };
    assert.equal((await post(project, list)).status, 400);
    assert.equal((await post(project, list, { ...withId, 'mcp-session-id': `${id.slice(0, -1)}~` })).status, 404);
    assert.match(await (await post(project, list, withId)).text(), /wait_for_review/);
    const headers = { authorization: `Bearer ${project.token}`, ...withId };
    assert.equal((await fetch(`${project.served.url}/mcp`, { method: 'DELETE', headers })).status, 200);
    assert.equal((await post(project, list, withId)).status, 404);
  });

  test('what is no message, or too much of one, is refused', async () => {
    await using project = await serveChange();
    assert.equal((await post(project, { hello: 'world' })).status, 400);
    assert.equal((await post(project, null)).status, 400);
    assert.equal((await post(project, { ...INITIALIZE, more: 'x'.repeat(2_000_000) })).status, 413);
    const { served, token } = project;
    const plain = { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' }, body: '{}' };
    assert.equal((await fetch(`${served.url}/mcp`, plain)).status, 415);
  });

  test('a client that waits when the server stops is told how far it is', async () => {
    const project = await serveChange(turns({ run: 'sleep 60' }));
    const mcp = await connectHttp(project.served.url, project.token);
    await mcp.call('review_my_change');
    const waiting = mcp.call('wait_for_review', { loop: 1 });
    await eventually('the reviewer runs', async () => (await project.scenario.calls('reviewer')).length === 1);
    await project[Symbol.asyncDispose]();
    assert.equal((await waiting).data['stillRunning'], true);
    await mcp[Symbol.asyncDispose]();
  });
});

describe('the number of sessions', () => {
  const open = (id: number): Request =>
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ ...INITIALIZE, id }),
    });
  const control = {
    open: async () => await Promise.reject(new Error('nobody calls a tool')),
    version: '0',
    workTree: '/work',
    broke: () => undefined,
  };

  const named = (id: number, session: string): Request =>
    new Request(open(id), { headers: { ...Object.fromEntries(open(id).headers), 'mcp-session-id': session } });
  /** Opens a session whose client has gone quiet, and tells its id. */
  const openQuiet = async (http: HttpControl, id: number): Promise<string> => {
    const leaving = new AbortController();
    const opened = await http.fetch(new Request(open(id), { signal: leaving.signal }));
    leaving.abort();
    return opened.headers.get('mcp-session-id') ?? '';
  };

  test('has a limit: who is in use stays, and one more is told to come later', async () => {
    const http = openHttpControl(control, { sessions: 2, idleMs: 60_000, yieldMs: 0 });
    const busy = await Promise.all([http.fetch(open(1)), http.fetch(open(2))]);
    assert.deepEqual(
      busy.map(({ status }) => status),
      [200, 200],
    );
    const refused = await http.fetch(open(3));
    assert.equal(refused.status, 503);
    assert.match(await refused.text(), /2 clients are connected, which is the most/);
    await http.close();
  });

  test('is kept by ending the one that was silent for longest, and no other', async () => {
    const http = openHttpControl(control, { sessions: 3, idleMs: 60_000, yieldMs: 0 });
    const quiet = [await openQuiet(http, 1), await openQuiet(http, 2), await openQuiet(http, 3)];
    assert.equal((await http.fetch(open(4))).status, 200);
    const found = await Promise.all(quiet.map(async (session) => (await http.fetch(named(5, session))).status !== 404));
    assert.deepEqual(found, [false, true, true]);
    await http.close();
  });

  test('is no reason to end one that was silent for a moment only', async () => {
    const http = openHttpControl(control, { sessions: 2, idleMs: 60_000, yieldMs: 30_000 });
    const quiet = [await openQuiet(http, 1), await openQuiet(http, 2)];
    for (const session of quiet) assert.notEqual((await http.fetch(named(3, session))).status, 404);
    assert.equal((await http.fetch(open(4))).status, 503);
    for (const session of quiet) assert.notEqual((await http.fetch(named(5, session))).status, 404);
    await http.close();
  });

  test('is kept by ending one that never asked for anything, at once', async () => {
    const http = openHttpControl(control, { sessions: 2, idleMs: 60_000, yieldMs: 30_000 });
    const [user, opener] = [await openQuiet(http, 1), await openQuiet(http, 2)];
    await http.fetch(named(3, user));
    assert.equal((await http.fetch(open(4))).status, 200);
    const found = await Promise.all([user, opener].map(async (session) => (await http.fetch(named(5, session))).status !== 404));
    assert.deepEqual(found, [true, false]);
    await http.close();
  });
});
