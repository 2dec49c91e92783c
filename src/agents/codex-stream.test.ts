import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { ReportWay } from './agent.ts';
import { codexReader } from './codex-stream.ts';
import type { StreamEnd, StreamEvent } from './stream-agent.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const THREAD = '01a1e000-0000-7000-8000-000000000001';

type Read = { readonly events: readonly StreamEvent[]; readonly end: StreamEnd };

function readLines(lines: readonly string[], report: ReportWay = 'mcp'): Read {
  const reader = codexReader({ report, model: 'gpt-5.5', billing: 'api', howToLogIn: 'do this', now: () => NOW });
  return { events: lines.flatMap((line) => reader.read(line)), end: reader.end() };
}

/** What the real program printed once. */
async function transcript(name: string): Promise<readonly string[]> {
  const text = await readFile(new URL(`transcripts/codex-${name}.jsonl`, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

function ofType(events: readonly StreamEvent[], type: StreamEvent['type']): readonly StreamEvent[] {
  return events.filter((event) => event.type === type);
}

test('an author’s commands, changes and words are told, each once', async () => {
  const { events, end } = readLines(await transcript('author'));
  const tool = { type: 'tool', file: null, command: null };
  const [command, add, update] = ['/bin/bash -c ls', '/checkout/new.txt', '/checkout/src.js'];
  assert.deepEqual(
    events.filter(({ type }) => type !== 'usage'),
    [
      { type: 'session', id: THREAD, model: 'gpt-5.5', billing: 'api' },
      { ...tool, name: 'command_execution', detail: command, input: { command }, command },
      { ...tool, name: 'file_change', detail: `add ${add}`, input: { path: add, kind: 'add' }, file: add },
      { type: 'text', stream: 'stdout', text: 'One more.\n' },
      { ...tool, name: 'file_change', detail: `update ${update}`, input: { path: update, kind: 'update' }, file: update },
      { type: 'text', stream: 'stdout', text: 'It is done.\n' },
    ],
  );
  assert.deepEqual(end, { kind: 'complete', output: 'It is done.', structured: null });
});

test('the tokens of a turn are told when it is over', async () => {
  const usage = {
    inputTokens: 631_000,
    outputTokens: 2000,
    costUsd: null,
    cachedTokens: 440_000,
    cacheWriteTokens: 0,
    reasoningTokens: 700,
  };
  assert.deepEqual(ofType(readLines(await transcript('author')).events, 'usage'), [{ type: 'usage', counts: 'total', usage, model: null }]);
});

test('a reviewer’s calls are shown with the very arguments that the stream has', async () => {
  const { events } = readLines(await transcript('reviewer'));
  const issues = [{ file: 'src.js', line: 1, description: 'No.' }];
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'tool' ? [[event.name, event.input]] : [])),
    [
      ['mcp__volley__set_loop_review_result', { loopId: 29, passed: 'perhaps' }],
      ['mcp__volley__set_loop_review_result', { loopId: 29, passed: false, summary: 'Größe → 😀', issues }],
    ],
  );
});

test('a call of another server is no call of ours', () => {
  const item = { id: 'item_0', type: 'mcp_tool_call', server: 'not-volley', tool: 'set_loop_review_result', arguments: {} };
  const [event] = readLines([JSON.stringify({ type: 'item.started', item })]).events;
  assert.equal(event?.type === 'tool' ? event.name : null, 'set_loop_review_result@not-volley');
});

test('the last message is the result only where it follows a schema', async () => {
  const lines = await transcript('structured');
  const { end } = readLines(lines, 'structured');
  assert.ok(end.kind === 'complete');
  assert.match(end.structured ?? '', /^\{"passed":true/);
  const other = readLines(lines, 'mcp').end;
  assert.equal(other.kind === 'complete' ? other.structured : '', null);
});

test('a turn without a message has no result', () => {
  const done = '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}';
  assert.deepEqual(readLines([done], 'structured').end, { kind: 'complete', output: '', structured: null });
});

test('a stream that is cut anywhere before its last word is cut', async () => {
  const lines = await transcript('author');
  for (let length = 0; length < lines.length; length++) assert.equal(readLines(lines.slice(0, length)).end.kind, 'cut', `${length} lines`);
});

test('a usage limit is told with its end', async () => {
  const { events, end } = readLines(await transcript('usage-limit'));
  const [limited] = ofType(events, 'limited');
  assert.equal(limited?.type === 'limited' ? limited.until : null, '2026-11-18T11:00:00.000Z');
  assert.equal(end.kind === 'failed' ? end.reason : null, 'limited');
});

test('a rate limit that outlasted every try is a limit, told once', async () => {
  const { events, end } = readLines(await transcript('rate-limit'));
  assert.deepEqual(
    ofType(events, 'limited').map((event) => (event.type === 'limited' ? event.until : '')),
    [null],
  );
  assert.equal(end.kind === 'failed' ? end.reason : null, 'limited');
});

test('a refused key says what to do', async () => {
  const { end } = readLines(await transcript('refused-key'));
  assert.ok(end.kind === 'failed');
  assert.deepEqual([end.reason, end.message], ['logged-out', '401 Unauthorized: Incorrect API key provided: sk-test. To log in, do this.']);
});

test('a refused request and a failing server are crashes, in words', async () => {
  for (const [name, words] of [
    ['refused-request', 'It gave up: Invalid schema for response_format.'],
    ['server-error', 'It gave up: We’re currently experiencing high demand, which may cause temporary errors.'],
  ] as const) {
    const { end } = readLines(await transcript(name));
    assert.deepEqual(end.kind === 'failed' ? [end.reason, end.message] : null, ['crashed', words]);
  }
});

test('a turn that failed never counts as complete, whatever else is said', async () => {
  const done = '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}';
  for (const lines of [
    [done, ...(await transcript('server-error'))],
    [...(await transcript('server-error')), done],
  ]) {
    assert.equal(readLines(lines).end.kind, 'failed');
  }
});

test('what nobody knows is passed over, and warnings are no failures', async () => {
  const strange = [
    'no JSON',
    '[]',
    'null',
    '{"type":"item.completed","item":{"id":"i","type":"todo_list","items":[]}}',
    '{"type":"item.completed","item":{"id":"j","type":"file_change","changes":"broken"}}',
    '{"type":"turn.completed","usage":{"input_tokens":"many"}}',
    '{"type":"thread.renamed"}',
  ];
  assert.deepEqual(readLines(strange), { events: [], end: { kind: 'cut', output: '' } });
  const warning = '{"type":"item.completed","item":{"id":"item_9","type":"error","message":"Ignored."}}';
  const { events, end } = readLines([warning, ...(await transcript('author'))]);
  assert.deepEqual(events[0], { type: 'text', stream: 'stderr', text: 'Ignored.\n' });
  assert.equal(end.kind, 'complete');
});

test('a tool is at work from its start to its end, and a plan or a message is no tool', async () => {
  const reader = codexReader({ report: 'mcp', model: null, billing: null, howToLogIn: 'do this', now: () => NOW });
  const item = (state: string, id: string, more: object): string => JSON.stringify({ type: `item.${state}`, item: { id, ...more } });
  const command = { type: 'command_execution', command: 'sleep 600' };
  const busy = [
    item('started', 'plan', { type: 'todo_list', items: [] }),
    item('started', 'word', { type: 'agent_message', text: '' }),
    item('started', 'a', command),
    item('started', 'b', { type: 'mcp_tool_call', server: 's', tool: 't', arguments: {} }),
    item('completed', 'a', command),
    item('completed', 'b', { type: 'mcp_tool_call', server: 's', tool: 't', arguments: {} }),
    item('started', 'c', command),
    '{"type":"turn.failed","error":{"message":"x"}}',
  ].map((line) => {
    reader.read(line);
    return reader.isBusy?.();
  });
  assert.deepEqual(busy, [false, false, true, true, true, false, true, false]);
  for (const line of (await transcript('author')).slice(0, -1)) reader.read(line);
  assert.equal(reader.isBusy?.(), false);
});

test('a long last message is bounded, but not as a result', () => {
  const text = JSON.stringify({ summary: 'x'.repeat(2 * 1024 * 1024) });
  const message = JSON.stringify({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } });
  const done = '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}';
  const { end } = readLines([message, done], 'structured');
  assert.ok(end.kind === 'complete');
  assert.equal(end.structured, text);
  assert.match(end.output.slice(0, 100), /^\[\d+ characters left out\]/);
});
