import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { fakeEngine } from '../../test/support/fake-engine.ts';
import { makeSettings } from '../../test/support/loops.ts';
import { connectClient } from '../../test/support/mcp-client.ts';
import type { McpClient } from '../../test/support/mcp-client.ts';
import { VolleyError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import { plainTask } from '../core/task.ts';
import type { ControlDesk } from '../engine/control-desk.ts';
import { memoryStore } from '../store/memory.ts';
import type { Store } from '../store/store.ts';
import { CONTROL_TOOLS, makeControl } from './control.ts';
import type { ToolDesk } from './tool.ts';
import type { Control } from './control.ts';

const AT = '2026-01-29T10:00:00.000Z';

async function makeReview(store: Store, change: Partial<Extract<Event, { type: 'created' }>> = {}): Promise<void> {
  const head = { commit: 'c', tree: 't' };
  const base = { ref: 'main', commit: 'b', mergeBase: 'b', mergeBaseTree: 'tb' };
  const task = plainTask({ kind: 'review', title: 'Review main', source: { kind: 'branch', branch: 'main' } });
  const rest = {
    type: 'created',
    task,
    settings: makeSettings(),
    base,
    start: head,
    branch: 'volley/1-x',
    by: 'Test Person',
    notes: [],
  } as const;
  await store.transaction(async (tx) => {
    await tx.create((id) => ({ ...rest, notes: [], id, uid: `01JD000000000000000000000${id}`, ...change }), AT);
  });
}

function deskOf(store: Store, control: Partial<ControlDesk> = {}): ToolDesk {
  const nothing = async (): Promise<never> => await Promise.reject(new Error('nobody should ask for this'));
  return {
    engine: fakeEngine(store),
    control: { review: nothing, changeNow: nothing, configure: nothing, mayDecide: async () => false, ...control },
    stir: () => undefined,
  };
}

async function connect(control: Partial<Control> & Pick<Control, 'open'>): Promise<McpClient> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await makeControl({ version: '0', workTree: '/work', waitMs: 300, broke: () => undefined, ...control }).connect(ours);
  return await connectClient(theirs);
}

test('every tool says what it does, what it takes and answers, and whether it changes anything', async () => {
  await using mcp = await connect({ open: async () => deskOf(memoryStore()) });
  const { tools } = await mcp.client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    CONTROL_TOOLS.map(({ name }) => name),
  );
  for (const { name, description = '', inputSchema, outputSchema, annotations } of tools) {
    assert.ok(description.length > 80, name);
    assert.ok(Object.keys(inputSchema.properties ?? {}).length > 0, name);
    assert.equal(outputSchema?.type, 'object', name);
    assert.equal(typeof annotations?.readOnlyHint, 'boolean');
  }
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name);
  assert.deepEqual(reading, ['wait_for_review', 'list_findings', 'list_loops', 'show_loop', 'get_agent_review_status']);
  const destroying = tools.filter(({ annotations }) => annotations?.destructiveHint === true).map(({ name }) => name);
  assert.deepEqual(destroying, ['cancel_agent_review', 'decide']);
});

test('the tools by which a session of a loop reports are not among them', () => {
  const names = CONTROL_TOOLS.map(({ name }) => name);
  const ofSessions = ['set_loop_review_result', 'set_review_result', 'report_fix', 'report_task_complete', 'report_ruling'];
  assert.deepEqual(
    names.filter((name) => ofSessions.includes(name)),
    [],
  );
});

test('without a project every tool says so, and the next call tries again', async () => {
  let tries = 0;
  await using mcp = await connect({
    open: async () => {
      tries += 1;
      if (tries === 1) throw new VolleyError('not-a-repository', '/x is not in a git repository.', 'Change to your project.');
      return await Promise.resolve(deskOf(memoryStore()));
    },
  });
  const first = await mcp.call('list_loops');
  assert.deepEqual([first.isError, first.text], [true, '/x is not in a git repository.\nChange to your project.']);
  assert.equal((await mcp.call('list_loops')).text, 'There are no such tasks.');
});

test('a bug is told as one, without its inside, and heard of where Volley runs', async () => {
  const heard: unknown[] = [];
  const desk = deskOf(memoryStore(), { review: async () => await Promise.reject(new Error('a secret of the inside')) });
  await using mcp = await connect({ open: async () => desk, broke: (error) => heard.push(error) });
  const { isError, text } = await mcp.call('review_my_change');
  assert.ok(isError);
  assert.doesNotMatch(text, /inside/);
  assert.match(String(heard[0]), /a secret of the inside/);
});

test('whoever waits for a review that goes on is told so in time, and by whom it is driven', async () => {
  const store = memoryStore();
  await makeReview(store);
  await using mcp = await connect({ open: async () => deskOf(store) });
  const started = performance.now();
  const { text, data } = await mcp.call('wait_for_review', { loop: 1 });
  const took = performance.now() - started;
  assert.ok(took >= 290 && took < 5000, `${took}`);
  assert.equal(data['stillRunning'], true);
  assert.match(text, /^Task 1 is still running: .* Nobody drives it now; if that stays so, the person types volley work 1\./);
});

test('a wait ends when the loop comes to rest, and progress is told to whoever asked for it', async () => {
  const store = memoryStore();
  await makeReview(store);
  await using mcp = await connect({ open: async () => deskOf(store), waitMs: 60_000 });
  const told: (string | undefined)[] = [];
  const waiting = mcp.client.callTool(
    { name: 'wait_for_review', arguments: { loop: 1 } },
    { onprogress: ({ message }) => void told.push(message) },
  );
  await sleep(300);
  const cancel = { type: 'overridden', override: 'cancel', by: 'Test Person', reason: null, verdict: null, review: false } as const;
  await store.transaction(async (tx) => await tx.append(1, cancel, '2026-01-29T10:00:01.000Z'));
  const { structuredContent } = await waiting;
  assert.partialDeepStrictEqual(structuredContent, { state: 'cancelled', stillRunning: false, atRest: true });
  assert.deepEqual(told, ['task 1: it is about to go on']);
});

test('a wait that nobody waits for any more ends', async () => {
  const store = memoryStore();
  await makeReview(store);
  let looks = 0;
  const counting: Store = {
    ...store,
    rows: async (filter) => {
      looks += 1;
      return await store.rows(filter);
    },
  };
  await using mcp = await connect({ open: async () => deskOf(counting), waitMs: 60_000 });
  const leaving = new AbortController();
  const waiting = mcp.client.callTool({ name: 'wait_for_review', arguments: { loop: 1 } }, { signal: leaving.signal });
  await sleep(400);
  leaving.abort();
  await assert.rejects(waiting);
  await sleep(50);
  const before = looks;
  await sleep(600);
  assert.equal(looks, before);
});

test('what is no input gets an answer that names the mistake, however much of it there is', async () => {
  await using mcp = await connect({ open: async () => deskOf(memoryStore()) });
  const resolutions = Array.from({ length: 5000 }, () => ({ findingId: 1, status: 'approved' }));
  for (const [tool, input] of [
    ['show_loop', { loop: -1 }],
    ['show_loop', { loop: 1e300 }],
    ['show_loop', { loop: 'DROP TABLE loops' }],
    ['list_findings', { loop: 1, cursor: '-1' }],
    ['list_loops', { limit: 1_000_000 }],
    ['review_my_change', { change: 'pr' }],
    ['report_fixes', { loop: 1, resolutions }],
    ['report_fixes', { loop: 1, resolutions: resolutions.slice(0, 400) }],
    ['report_fixes', { loop: 1, resolutions: [] }],
    ['decide', { loop: 1, choice: 'approve', reason: 'x' }],
    ['get_agent_review_status', { reviewId: 'x'.repeat(10_000) }],
  ] as const) {
    const { isError, text, chars } = await mcp.call(tool, input);
    assert.ok(isError, tool);
    assert.match(text, /Invalid arguments for tool/);
    assert.ok(chars < 5000, `${tool}: ${chars}`);
  }
});

test('a state that there is not is refused with those that there are', async () => {
  await using mcp = await connect({ open: async () => deskOf(memoryStore()) });
  const { isError, text } = await mcp.call('list_loops', { state: 'nonsense' });
  assert.ok(isError);
  assert.match(text, /state.*"queued"\|.*"needs_human"\|/);
  assert.equal((await mcp.call('list_loops', { state: 'needs_human' })).text, 'There are no such tasks.');
});

test('a change that is named twice is refused before anything starts', async () => {
  await using mcp = await connect({ open: async () => deskOf(memoryStore()) });
  const { text } = await mcp.call('review_my_change', { change: 'working-tree', branch: 'main', range: 'a..b' });
  assert.equal(text, 'Nobody can name range and branch with change working-tree.\nName one change: working-tree, branch or range.');
});
