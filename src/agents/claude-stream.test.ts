import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Usage } from '../core/review.ts';
import { meterUsage, startMeter, usageOfMeter } from '../core/usage-meter.ts';
import type { AgentEvent } from './agent.ts';
import { readClaude } from './claude-stream.ts';
import type { ClaudeSession } from './claude-stream.ts';
import { priceOf } from './prices.ts';
import type { StreamEnd, StreamEvent } from './stream-agent.ts';

const NOW = Date.parse('2026-11-15T12:00:00.000Z');

type Read = { readonly events: readonly StreamEvent[]; readonly end: StreamEnd };

function read(lines: readonly string[], change: Partial<ClaudeSession> = {}): Read {
  const reader = readClaude({
    configured: null,
    billing: 'subscription',
    isResumed: false,
    howToLogIn: 'log in',
    now: () => NOW,
    ...change,
  });
  return { events: lines.flatMap((line) => reader.read(line)), end: reader.end() };
}

function linesOf(name: string): readonly string[] {
  return readFileSync(join(import.meta.dirname, 'transcripts', `claude-${name}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean);
}

function ofType<T extends AgentEvent['type']>({ events }: Read, type: T): Extract<StreamEvent, { type: T }>[] {
  return events.filter((event): event is Extract<StreamEvent, { type: T }> => event.type === type);
}

/** What a meter makes of the usage that was told. */
function metered(events: readonly StreamEvent[]): Usage | null {
  return usageOfMeter(events.reduce((meter, event) => (event.type === 'usage' ? meterUsage(meter, event) : meter), startMeter(null)));
}

const LINE = {
  init: { type: 'system', subtype: 'init', session_id: 's', model: 'm', apiKeySource: 'none' },
  text: { type: 'assistant', message: { id: '1', model: 'm', content: [{ type: 'text', text: 'Hello.' }] } },
  result: { type: 'result', subtype: 'success', is_error: false, result: 'Hello.' },
};

function json(...lines: readonly unknown[]): string[] {
  return lines.map((line) => JSON.stringify(line));
}

test('a session says who it is, and who pays', () => {
  const recorded = read(linesOf('author'));
  assert.deepEqual(ofType(recorded, 'session'), [
    { type: 'session', id: '00000000-0000-4000-8000-000000000001', model: 'claude-sonnet-4-5', billing: 'api' },
  ]);
  const [own] = ofType(read(linesOf('usage-limit')), 'session');
  assert.equal(own?.billing, 'subscription');
  const [configured] = ofType(read(linesOf('author'), { configured: 'subscription' }), 'session');
  assert.equal(configured?.billing, 'subscription');
});

test('a call is told once, with its arguments as the stream has them', () => {
  const [call, ...more] = ofType(read(linesOf('reviewer')), 'tool');
  const input = { loopId: '7', passed: false, summary: 'Größe → 😀', issues: [{ file: 'a.ts', line: 3, description: 'wrong' }] };
  assert.deepEqual(call, {
    type: 'tool',
    name: 'mcp__volley__set_loop_review_result',
    detail: 'mcp__volley__set_loop_review_result Größe → 😀',
    input,
    file: null,
    command: null,
  });
  assert.deepEqual(more, []);
});

test('what a helper called is told too, what it said is not', () => {
  const helped = read(linesOf('helper'));
  assert.deepEqual(
    ofType(helped, 'tool').map(({ name }) => name),
    ['Agent', 'Bash'],
  );
  assert.equal(
    ofType(helped, 'text')
      .map(({ text }) => text)
      .join(''),
    'Done.',
  );
});

test('the result with a schema is handed over', () => {
  const { end } = read(linesOf('structured'));
  assert.ok(end.kind === 'complete');
  assert.deepEqual(JSON.parse(end.structured ?? ''), {
    loopId: '7',
    passed: false,
    summary: 'Größe → 😀',
    issues: [{ file: 'a.ts', line: 3, description: 'wrong' }],
  });
});

test('each message is counted once, although it is told in pieces, and the steps make the total', async () => {
  const { events } = read(linesOf('author'));
  const steps = events.filter((event) => event.type === 'usage' && event.counts === 'step');
  const sum = metered(steps);
  assert.deepEqual([sum?.inputTokens, sum?.cachedTokens, sum?.outputTokens], [12_000, 2000, 800]);
  const total = metered(events);
  assert.deepEqual({ ...total, costUsd: null, reasoningTokens: null }, { ...sum, costUsd: null });
  assert.ok(total !== null);
  const priced = await priceOf('claude-sonnet-4-5', total, null);
  assert.equal(total.costUsd?.toFixed(9), priced?.toFixed(9));
  assert.equal(priced?.toFixed(4), '0.0426');
});

test('a session that goes on tells what it used itself, although its counters go on too', () => {
  const { events } = read(linesOf('resumed'), { isResumed: true });
  const total = metered(events);
  assert.deepEqual([total?.inputTokens, total?.outputTokens, total?.costUsd?.toFixed(5)], [3000, 200, '0.01065']);
});

test('helpers are part of the total', () => {
  const total = metered(read(linesOf('helper')).events);
  assert.deepEqual([total?.inputTokens, total?.outputTokens, total?.costUsd?.toFixed(4)], [12_000, 800, '0.0426']);
});

test('several results of one session add up', () => {
  const result = { ...LINE.result, model_usage_since_last_result: { a: { inputTokens: 10, outputTokens: 1, costUSD: 0.25 } } };
  const total = metered(read(json(LINE.init, result, result)).events);
  assert.deepEqual([total?.inputTokens, total?.outputTokens, total?.costUsd], [20, 2, 0.5]);
});

test('a version that does not tell what is new is believed where nothing came before', () => {
  const result = { ...LINE.result, modelUsage: { a: { inputTokens: 10, outputTokens: 1, costUSD: 0.25 } } };
  assert.equal(metered(read(json(result)).events)?.costUsd, 0.25);
  assert.equal(metered(read(json(result), { isResumed: true }).events), null);
});

const FAILURES: Readonly<Record<string, readonly [string, string]>> = {
  'refused-key': ['logged-out', 'It is not logged in: log in: 401 scripted error 401.'],
  'not-logged-in': ['logged-out', 'It is not logged in: log in.'],
  'rate-limit': ['limited', 'It is limited: Request rejected (429) · scripted error 429.'],
  'usage-limit': ['limited', "It is limited: You've hit your 5-hour limit · resets 3:33am (UTC)."],
  budget: ['crashed', 'It has spent what it was allowed.'],
};

for (const [name, [reason, message]] of Object.entries(FAILURES)) {
  test(`the recorded session ${name} ends as ${reason}, in words`, () => {
    const { end } = read(linesOf(name));
    assert.ok(end.kind === 'failed');
    assert.deepEqual([end.reason, end.message], [reason, message]);
  });
}

test('an error of the server is a failure, although its result is called a success', () => {
  const { end } = read(linesOf('server-error'));
  assert.ok(end.kind === 'failed');
  assert.equal(end.reason, 'crashed');
  assert.match(end.message, /^It gave up: 500 scripted error 500\. This is a server-side issue/);
});

const RETRY = { type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 4, retry_delay_ms: 2500, error_status: 429 };
const REJECTED = { status: 'rejected', rateLimitType: 'five_hour' };
const REFUSED = { ...LINE.result, is_error: true, result: 'Limited', api_error_status: 429 };

test('the next try of a request is not the end of its limit', () => {
  assert.deepEqual(read(json(RETRY, { ...RETRY, error_status: 529 }, { ...RETRY, error_status: null })).events, [
    { type: 'limited', until: null, message: 'Rate-limited; attempt 2 of 5 follows in 3 s.' },
  ]);
  assert.deepEqual(
    ofType(read(linesOf('rate-limit')), 'limited').map(({ until }) => until),
    [null, null, null, null],
  );
});

test('a wait that only its server can have asked for is one, and so is a limit that was told before', () => {
  const untils = (...lines: readonly unknown[]): unknown => ofType(read(json(...lines)), 'limited').map(({ until }) => until);
  assert.deepEqual(untils({ ...RETRY, retry_delay_ms: 120_000 }, RETRY), ['2026-11-15T12:02:00.000Z', '2026-11-15T12:02:00.000Z']);
  const rejected = { type: 'rate_limit_event', rate_limit_info: { ...REJECTED, resetsAt: NOW / 1000 + 3600 } };
  assert.deepEqual(untils(rejected, RETRY, REFUSED), ['2026-11-15T13:00:00.000Z', '2026-11-15T13:00:00.000Z']);
});

test('a limit whose end is past, near, absurd or no date has none', () => {
  for (const resetsAt of [1, NOW / 1000 - 1, NOW / 1000 + 29, NOW / 1000 + 32 * 86_400, 1e300]) {
    const [limit] = ofType(read(json({ type: 'rate_limit_event', rate_limit_info: { ...REJECTED, resetsAt } })), 'limited');
    assert.deepEqual([limit?.until, limit?.message], [null, 'The five hour limit is reached.'], String(resetsAt));
  }
  const [waited] = ofType(read(json({ ...RETRY, retry_delay_ms: 1e300 })), 'limited');
  assert.equal(waited?.until, null);
});

test('an end that has passed when the session gives up is none any more', () => {
  let now = NOW;
  const reader = readClaude({ configured: null, billing: null, isResumed: false, howToLogIn: 'log in', now: () => now });
  const untils = (line: unknown): unknown =>
    reader.read(JSON.stringify(line)).flatMap((event) => (event.type === 'limited' ? [event.until] : []));
  assert.deepEqual(untils({ ...RETRY, retry_delay_ms: 120_000 }), ['2026-11-15T12:02:00.000Z']);
  now += 119_000;
  assert.deepEqual(untils(REFUSED), [null]);
});

test('a tool is at work from its call to its result, each by itself', () => {
  const reader = readClaude({ configured: null, billing: null, isResumed: false, howToLogIn: 'log in', now: () => NOW });
  const call = (id: string): unknown => ({ type: 'assistant', message: { id: 'm', content: [{ type: 'tool_use', id, name: 'Bash' }] } });
  const done = (id: string): unknown => ({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id }] } });
  const busy = [
    LINE.init,
    call('a'),
    call('b'),
    done('a'),
    { type: 'user', message: { content: 'words' } },
    done('b'),
    call('c'),
    LINE.result,
  ].map((line) => {
    reader.read(JSON.stringify(line));
    return reader.isBusy?.();
  });
  assert.deepEqual(busy, [false, true, true, true, true, false, true, false]);
  for (const line of linesOf('helper')) reader.read(line);
  assert.equal(reader.isBusy?.(), false);
});

test('what is forbidden is told in its own words, and only a login that is gone asks for one', () => {
  const ended = (result: string, status: number, error = 'authentication_failed'): unknown => {
    const { end } = read(json({ ...LINE.text, error }, { ...LINE.result, is_error: true, result, api_error_status: status }));
    return end.kind === 'failed' ? [end.reason, end.message] : null;
  };
  assert.deepEqual(ended('Failed to authenticate. API Error: 403 Request not allowed', 403), [
    'crashed',
    'It gave up: 403 Request not allowed.',
  ]);
  const gone = 'It is not logged in: log in: 403 OAuth token has been revoked.';
  assert.deepEqual(ended('Failed to authenticate. API Error: 403 OAuth token has been revoked', 403), ['logged-out', gone]);
  assert.deepEqual(ended('API Error: 401 x', 401, 'unknown'), ['logged-out', 'It is not logged in: log in: 401 x.']);
  assert.deepEqual(ended('API Error: 403 on hold', 403, 'account_on_hold'), ['logged-out', 'It is not logged in: log in: 403 on hold.']);
});

test('a limit of the subscription tells when it is over; one that is paid beyond is none', () => {
  const [limit] = ofType(read(linesOf('usage-limit')), 'limited');
  assert.deepEqual(limit, {
    type: 'limited',
    until: '2026-11-16T03:33:20.000Z',
    message: 'The five hour limit is reached until 2026-11-16T03:33:20.000Z.',
  });
  const event = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', isUsingOverage: true, resetsAt: 1 } };
  const allowed = { type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning', resetsAt: 1 } };
  assert.deepEqual(read(json(event, allowed)).events, []);
});

test('a balance that is used up passes, so it is a limit', () => {
  const refused = { ...LINE.text, error: 'billing_error' };
  const { end } = read(json(refused, { ...LINE.result, is_error: true, result: 'Credit balance is too low', api_error_status: 400 }));
  assert.deepEqual(end.kind === 'failed' && [end.reason, end.message], ['limited', 'It is limited: Credit balance is too low.']);
});

test('a result that never came is missed at every place where a stream can be cut', () => {
  const whole = linesOf('reviewer').join('\n');
  const last = linesOf('reviewer').at(-1) ?? '';
  for (const at of [0, 1, 500, whole.length - last.length, whole.length - last.length / 2, whole.length - 1]) {
    assert.equal(read(whole.slice(0, Math.floor(at)).split('\n')).end.kind, 'cut');
  }
  assert.equal(read(whole.split('\n')).end.kind, 'complete');
});

test('lines that nobody understands change nothing', () => {
  const odd = [
    '',
    'hello',
    '[]',
    'null',
    '{"type":7}',
    '{"type":"constructor"}',
    '{"type":"__proto__"}',
    '{"type":"assistant"}',
    '{"type":"result"}',
  ];
  assert.deepEqual(read(odd), { events: [], end: { kind: 'cut', output: '' } });
});

test('numbers that nobody understands hide neither a call nor the end', () => {
  const call = { type: 'tool_use', name: 'mcp__volley__x', input: { a: 1 } };
  const message = { id: '1', model: 'm', content: [call], usage: { input_tokens: 'many' } };
  const odd = read(
    json({ type: 'assistant', message }, { ...LINE.result, modelUsage: 7, model_usage_since_last_result: { m: { costUSD: -1 } } }),
  );
  assert.deepEqual(
    ofType(odd, 'tool').map(({ input }) => input),
    [{ a: 1 }],
  );
  assert.deepEqual([odd.end.kind, metered(odd.events)], ['complete', null]);
});

test('texts of one session are set apart', () => {
  const { events } = read(json(LINE.text, LINE.text, LINE.result));
  assert.deepEqual(
    events.map((event) => (event.type === 'text' ? event.text : '')),
    ['Hello.', '\n\nHello.'],
  );
});

test('a long call is told in one line', () => {
  const block = { type: 'tool_use', name: 'Bash', input: { command: `echo one\n${'x'.repeat(500)}` } };
  const [tool] = ofType(read(json({ type: 'assistant', message: { id: '1', content: [block] } })), 'tool');
  assert.match(tool?.detail ?? '', /^Bash echo one x+…$/);
  assert.equal(tool?.detail.length, 201);
});
