import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent } from './agent.ts';
import { agentConformance } from './conformance.ts';
import type { Behaviour } from './conformance.ts';
import { fakeAgent, fakeEnded, fakeFailed, fakeInput } from './fake.ts';
import type { FakeAgent } from './fake.ts';

const RESULT = '{"passed":true}';

const SCRIPTS: Readonly<Record<Behaviour, FakeAgent['script']>> = {
  answers: () => [{ type: 'started', pid: null }, say('hello'), fakeEnded(RESULT)],
  echoes: ({ prompt }) => [say(prompt), fakeEnded(null, prompt)],
  'says-nothing': () => [fakeEnded(null)],
  crashes: () => [{ ...fakeFailed('crashed'), result: RESULT }],
  hangs: () => repeat(say('never'), 1_000),
  chatters: () => repeat(say('x'), 10),
  floods: () => repeat(say('x'.repeat(1024 * 1024)), 0),
};

agentConformance('fake', (behaviour) => fakeAgent({ name: 'fake', script: SCRIPTS[behaviour] }));

function say(text: string): AgentEvent {
  return { type: 'text', stream: 'stdout', text };
}

async function* repeat(event: AgentEvent, everyMs: number): AsyncGenerator<AgentEvent> {
  for (;;) {
    await sleep(everyMs);
    yield event;
  }
}

async function play(fake: FakeAgent, cwd = '/'): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of fakeAgent(fake).run(fakeInput({ cwd }), new AbortController().signal)) events.push(event);
  return events;
}

test('a fake author edits its checkout before it says anything', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'volley-fake-'));
  await play({ name: 'author', script: () => [fakeEnded(null)], edit: async (cwd) => await writeFile(join(cwd, 'a'), 'new') }, folder);
  assert.equal(await readFile(join(folder, 'a'), 'utf8'), 'new');
  await rm(folder, { recursive: true });
});

function throws(): never {
  throw new Error('broken script');
}

test('a script without a last event, or one that throws, is a crash', async () => {
  assert.deepEqual(
    (await play({ name: 'f', script: () => [say('x')] })).map((event) => event.type),
    ['text', 'failed'],
  );
  assert.deepEqual(
    (await play({ name: 'f', script: throws })).map((event) => (event.type === 'failed' ? event.message : '')),
    ['Error: broken script'],
  );
});

test('nothing comes after the last event', async () => {
  assert.equal((await play({ name: 'f', script: () => [fakeEnded(null), say('late'), fakeFailed('crashed')] })).length, 1);
});
