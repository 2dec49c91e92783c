import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { meterUsage, NO_USAGE, startMeter, usageOfMeter, usageSince } from '../core/usage-meter.ts';
import type { AgentEvent } from './agent.ts';
import { withRecord } from './codex-record.ts';
import { usageOf } from './codex-stream.ts';
import type { CodexTokens } from './codex-stream.ts';
import { priceOf } from './prices.ts';

const THREAD = '01a1e000-0000-7000-8000-000000000001';
const SESSION: AgentEvent = { type: 'session', id: THREAD, model: null, billing: 'api' };
const WORD: AgentEvent = { type: 'text', stream: 'stdout', text: 'word' };
const END: AgentEvent = { type: 'ended', exitCode: 0, output: '', result: null };

let folder: string;
let homes = 0;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'volley-codex-record-'));
});
after(async () => await rm(folder, { recursive: true, force: true }));

function tokens(input: number): CodexTokens {
  const rest = { cached_input_tokens: 0, cache_write_input_tokens: 0, reasoning_output_tokens: 0 };
  return { input_tokens: input, output_tokens: 1, ...rest };
}

function step(input: number, total: number): string {
  return `${JSON.stringify({ type: 'token_usage_record', payload: { usage: tokens(input), thread_token_usage: tokens(total) } })}\n`;
}

function turn(model: string): string {
  return `${JSON.stringify({ type: 'turn_context', payload: { model } })}\n`;
}

function sum(input: number): AgentEvent {
  return { type: 'usage', counts: 'total', usage: usageOf(tokens(input)), model: null };
}

/** A home with a record that has these lines. */
async function homeWith(text: string): Promise<{ readonly home: string; readonly record: string }> {
  const home = join(folder, String(homes++));
  const record = join(home, 'sessions', '2026', '11', '15', `rollout-2026-11-15T12-00-00-${THREAD}.jsonl`);
  await mkdir(dirname(record), { recursive: true });
  await writeFile(record, text);
  return { home, record };
}

/** Events among which something happens to the record. */
async function* eventsOf(...parts: readonly (AgentEvent | (() => Promise<void>))[]): AsyncGenerator<AgentEvent> {
  for (const part of parts) {
    if (typeof part === 'function') await part();
    else yield part;
  }
}

async function collect(events: AsyncIterable<AgentEvent>, home: string, resume: string | null = null): Promise<readonly AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of withRecord(events, { home, resume })) all.push(event);
  return all;
}

/** What was told of usage: how it counts, how much went in, and of which model. */
function usages(events: readonly AgentEvent[]): readonly (readonly [counts: string, input: number | null, model: string | null])[] {
  return events.flatMap((event) => (event.type === 'usage' ? [[event.counts, event.usage.inputTokens, event.model] as const] : []));
}

test('each answer of the model is told when it is recorded, with the model that gave it', async () => {
  const { home, record } = await homeWith(turn('gpt-5.5'));
  const write = (text: string) => async (): Promise<void> => await appendFile(record, text);
  const events = eventsOf(SESSION, write(step(10, 10)), WORD, write(step(20, 30) + step(5, 35)), WORD, sum(35), END);
  const all = await collect(events, home);
  assert.deepEqual(usages(all), [
    ['step', 10, 'gpt-5.5'],
    ['step', 20, 'gpt-5.5'],
    ['step', 5, 'gpt-5.5'],
    ['total', 35, 'gpt-5.5'],
  ]);
  assert.deepEqual(all[1], { type: 'session', id: null, model: 'gpt-5.5', billing: null });
  assert.deepEqual(all.at(-1), END);
});

test('the record of a real session is understood', async () => {
  const { home } = await homeWith(await readFile(new URL('transcripts/codex-author-record.jsonl', import.meta.url), 'utf8'));
  assert.deepEqual(usages(await collect(eventsOf(SESSION, END), home)), [
    ['step', 200_000, 'gpt-5.5'],
    ['step', 210_000, 'gpt-5.5'],
    ['step', 1000, 'gpt-5.5'],
    ['step', 220_000, 'gpt-5.5'],
  ]);
});

test('of a thread that goes on only what is new counts', async () => {
  const { home, record } = await homeWith(turn('old') + step(100, 100));
  const write = async (): Promise<void> => await appendFile(record, turn('new') + step(30, 130));
  assert.deepEqual(usages(await collect(eventsOf(SESSION, write, WORD, sum(130), END), home, THREAD)), [
    ['step', 30, 'new'],
    ['total', 30, 'new'],
  ]);
});

test('a thread of an older version goes on too', async () => {
  const old = JSON.stringify({ type: 'event_msg', payload: { type: 'token_count', info: { total_token_usage: tokens(100) } } });
  const { home } = await homeWith(`${old}\n`);
  assert.deepEqual(usages(await collect(eventsOf(SESSION, sum(130), END), home, THREAD)), [['total', 30, null]]);
});

test('an answer that is recorded after the sum is not counted twice', async () => {
  const { home, record } = await homeWith('');
  const write = async (): Promise<void> => await appendFile(record, step(10, 10));
  assert.deepEqual(usages(await collect(eventsOf(SESSION, sum(10), write, WORD, END), home)), [['total', 10, null]]);
});

test('a line that is not whole yet is read when it is', async () => {
  const { home, record } = await homeWith('');
  const line = step(10, 10);
  const write = (text: string) => async (): Promise<void> => await appendFile(record, text);
  const events = eventsOf(SESSION, write(line.slice(0, 20)), WORD, write(line.slice(20)), WORD, END);
  assert.deepEqual(usages(await collect(events, home)), [['step', 10, null]]);
});

test('a record that comes late is found', async () => {
  const { home, record } = await homeWith('');
  await rm(record);
  const write = async (): Promise<void> => await writeFile(record, step(10, 10));
  assert.deepEqual(usages(await collect(eventsOf(SESSION, WORD, write, WORD, END), home)), [['step', 10, null]]);
});

test('without a record the stream’s own sum counts', async () => {
  assert.deepEqual(usages(await collect(eventsOf(SESSION, sum(10), END), join(folder, 'none'))), [['total', 10, null]]);
  const odd: AgentEvent = { ...SESSION, id: '../../..' };
  assert.deepEqual(usages(await collect(eventsOf(odd, sum(10), END), folder)), [['total', 10, null]]);
});

test('what a command put in the place of the record is not read', async () => {
  const elsewhere = join(folder, 'elsewhere');
  await writeFile(elsewhere, step(10, 10));
  const linked = await homeWith('');
  await rm(linked.record);
  await symlink(elsewhere, linked.record);
  const piped = await homeWith('');
  await rm(piped.record);
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', piped.record]);
  for (const { home } of [linked, piped]) {
    assert.deepEqual(usages(await collect(eventsOf(SESSION, sum(10), END), home)), [['total', 10, null]]);
  }
});

const CALL: AgentEvent = { type: 'tool', name: 'command_execution', detail: '', input: null, file: null, command: 'evil' };

test('a model that is configured stays, whatever the record says', async () => {
  const { home, record } = await homeWith(turn('cheap') + step(10, 10));
  const write = async (): Promise<void> => await appendFile(record, turn('cheaper'));
  const all = await collect(eventsOf({ ...SESSION, model: 'gpt-5.5' }, WORD, write, WORD, sum(10), END), home);
  assert.deepEqual(usages(all), [
    ['step', 10, 'gpt-5.5'],
    ['total', 10, 'gpt-5.5'],
  ]);
  assert.equal(all.filter(({ type }) => type === 'session').length, 1);
});

test('the model that the record names first stays, and none is taken from it once a tool was called', async () => {
  const known = await homeWith(turn('gpt-5.5'));
  const forge = (path: string) => async (): Promise<void> => await appendFile(path, turn('cheap') + step(10, 10));
  const changed = await collect(eventsOf(SESSION, CALL, forge(known.record), WORD, sum(10), END), known.home);
  assert.deepEqual(usages(changed), [
    ['step', 10, 'gpt-5.5'],
    ['total', 10, 'gpt-5.5'],
  ]);
  const late = await homeWith('');
  const unknown = await collect(eventsOf(SESSION, CALL, forge(late.record), WORD, sum(10), END), late.home);
  assert.deepEqual(usages(unknown), [
    ['step', 10, null],
    ['total', 10, null],
  ]);
});

test('answers that a command put into the record make the sum of the stream no cheaper', async () => {
  const cached = (input: number): string =>
    `${JSON.stringify({ type: 'token_usage_record', payload: { usage: { ...tokens(input), cached_input_tokens: input } } })}\n`;
  const price = { input: 10, cached: 1, cacheWrite: null, output: 0 };
  const costOf = async (text: string): Promise<number> => {
    const { home } = await homeWith(text);
    let meter = startMeter(null);
    let usd = 0;
    for (const event of await collect(eventsOf(SESSION, WORD, sum(1_500_000), END), home)) {
      if (event.type !== 'usage') continue;
      const known = usageOfMeter(meter);
      meter = meterUsage(meter, event);
      usd += (await priceOf(null, usageSince(known, usageOfMeter(meter) ?? NO_USAGE), price)) ?? 0;
    }
    return usd;
  };
  assert.equal(await costOf(''), 15);
  assert.equal(await costOf(step(500_000, 500_000) + step(1_000_000, 1_500_000)), 15);
  for (const forged of [1_000_000, 1_500_000, 9_000_000]) assert.ok((await costOf(cached(forged))) >= 15, String(forged));
  assert.ok((await costOf(step(500_000, 500_000) + cached(1_000_000))) >= 15);
});

test('a thread that claims to have used more than there is takes nothing away', async () => {
  const { home } = await homeWith(step(1, 1_000_000));
  assert.deepEqual(usages(await collect(eventsOf(SESSION, sum(130), END), home, THREAD)), [['total', 130, null]]);
});
