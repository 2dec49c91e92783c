import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { AgentEvent, AgentInput } from './agent.ts';
import { fakeInput } from './fake.ts';
import { runStream } from './stream-agent.ts';
import type { StreamReader } from './stream-agent.ts';

let folder = '';
let count = 0;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'volley-stream-'));
});
after(async () => await rm(folder, { recursive: true, force: true }));

/** Says each line again; the session went well. */
const ECHO: StreamReader = {
  read: (line) => [{ type: 'text', stream: 'stdout', text: line }],
  end: () => ({ kind: 'complete', output: 'done', structured: null }),
};

async function play(
  script: string,
  { reader, input = {}, signal }: { reader: Partial<StreamReader>; input?: Partial<AgentInput>; signal?: AbortSignal },
): Promise<AgentEvent | undefined> {
  const marker = `stream-test-${process.pid}-${count++}`;
  const session = fakeInput({ cwd: folder, resultFile: join(folder, marker), marker, env: { PATH: process.env['PATH'] ?? '' }, ...input });
  const start = { argv: ['/bin/sh', '-c', script], env: {} };
  const events: AgentEvent[] = [];
  const playing = runStream(session, { start, reader: { ...ECHO, ...reader } }, signal ?? new AbortController().signal);
  for await (const event of playing) events.push(event);
  assert.equal(events.filter(({ type }) => type === 'ended' || type === 'failed').length, 1);
  return events.at(-1);
}

function fail(): never {
  throw new RangeError('Invalid time value');
}

test('a line that cannot be read ends the session as a crash, in words', async () => {
  const broken = { type: 'failed', reason: 'crashed', message: 'Its stream could not be read: Invalid time value.' };
  // It would never end by itself.
  const endless = await play('echo one; exec sleep 1000', { reader: { read: fail } });
  assert.deepEqual(endless, { ...broken, exitCode: null, output: 'done', result: null });
  const last = await play('printf "no end of line"', { reader: { read: fail } });
  assert.deepEqual([last?.type, last?.type === 'failed' && last.message], ['failed', broken.message]);
  const end = await play('echo one', { reader: { end: fail } });
  assert.deepEqual(end, { ...broken, exitCode: 0, output: '', result: null });
});

test('a session that is cancelled is that, although its stream cannot be read', async () => {
  const controller = new AbortController();
  const read = (): never => {
    controller.abort();
    return fail();
  };
  const last = await play('echo one; exec sleep 1000', { reader: { read }, signal: controller.signal });
  assert.equal(last?.type === 'failed' ? last.reason : '', 'cancelled');
});

test('a tool that works in silence is waited for, but not for ever', async () => {
  const lines = (isBusy: boolean): Partial<StreamReader> => {
    let isOpen = false;
    const read = (line: string): readonly [] => {
      isOpen = line === 'call' && isBusy;
      return [];
    };
    return { read, isBusy: () => isOpen };
  };
  const script = 'echo call; sleep 1; echo result';
  assert.equal((await play(script, { reader: lines(true), input: { idleMs: 300 } }))?.type, 'ended');
  const silent = await play(script, { reader: lines(false), input: { idleMs: 300 } });
  assert.equal(silent?.type === 'failed' ? silent.reason : '', 'idle');
  const endless = await play('echo call; exec sleep 1000', { reader: lines(true), input: { idleMs: 100, wallMs: 600 } });
  assert.equal(endless?.type === 'failed' ? endless.reason : '', 'timed-out');
  const done = await play('echo call; echo result; exec sleep 1000', { reader: lines(true), input: { idleMs: 300 } });
  assert.equal(done?.type === 'failed' ? done.reason : '', 'idle');
});
