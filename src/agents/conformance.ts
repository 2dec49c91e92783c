import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isRunning } from '../lib/process-tree.ts';
import type { Agent, AgentEvent, AgentInput, FailureReason } from './agent.ts';
import { fakeInput } from './fake.ts';

/**
 * What an agent is made to do for the suite.
 * - `answers`: prints `hello`, gives the result `{"passed":true}`, ends well
 * - `echoes`: prints its prompt and ends well, without a result
 * - `says-nothing`: ends well without a word
 * - `crashes`: gives the result `{"passed":true}` and ends badly
 * - `hangs`: prints nothing and never ends, whatever it is asked
 * - `chatters`: prints a little, often, and never ends by itself
 * - `floods`: prints as much as it can and never ends by itself
 */
export type Behaviour = 'answers' | 'echoes' | 'says-nothing' | 'crashes' | 'hangs' | 'chatters' | 'floods';

/** How the suite gets an agent that behaves in a given way. */
export type MakeAgent = (behaviour: Behaviour) => Agent;

/** What sets drivers apart. */
export type Traits = {
  /** What a session that failed still shows: the result that it gave, or only the words that it printed. */
  readonly leaves?: 'result' | 'words';
};

/** Tests that hold for every driver: whatever an agent does, its session ends with exactly one last event and leaves no process. */
export function agentConformance(name: string, make: MakeAgent, { leaves = 'result' }: Traits = {}): void {
  describe(`agent ${name}`, () => {
    it('a session that went well ends with its result', async () => {
      const events = await play(make('answers'));
      assert.match(textOf(events), /hello/);
      const end = lastOf(events);
      assert.ok(end.type === 'ended');
      assert.equal(end.result?.trim(), '{"passed":true}');
    });
    it('a long prompt reaches the agent unchanged, also outside ASCII', async () => {
      const prompt = 'Größe → 😀\n'.repeat(20_000);
      assert.equal(textOf(await play(make('echoes'), { input: { prompt } })), prompt);
    });
    it('silence is no result', async () => {
      const end = lastOf(await play(make('says-nothing')));
      assert.ok(end.type === 'ended');
      assert.equal(end.result, null);
    });
    it('a crash is a failure, and what it left is shown', async () => {
      const end = lastOf(await play(make('crashes')));
      assert.ok(end.type === 'failed');
      assert.equal(end.reason, 'crashed');
      if (leaves === 'result') assert.equal(end.result?.trim(), '{"passed":true}');
      else assert.match(end.output, /hello/);
    });
    failsBy('an agent that prints nothing is stopped as idle', make, { behaviour: 'hangs', reason: 'idle', limits: { idleMs: 200 } });
    failsBy('an agent that never ends runs out of time', make, { behaviour: 'chatters', reason: 'timed-out', limits: { wallMs: 400 } });
    failsBy('an agent that prints without end is stopped', make, { behaviour: 'floods', reason: 'output-too-large', limits: {} });
    it('a cancelled session is a failure', async () => {
      const controller = new AbortController();
      const events = await play(make('chatters'), { signal: controller.signal, onText: () => controller.abort() });
      assert.equal(reasonOf(events), 'cancelled');
    });
    it('a session that is cancelled before it starts never runs', async () => {
      assert.equal(reasonOf(await play(make('answers'), { signal: AbortSignal.abort() })), 'cancelled');
    });
    it('a reader that goes away ends the session', async () => {
      await inFolder(async (input) => {
        for await (const event of make('chatters').run(input, new AbortController().signal)) {
          if (event.type === 'text') break;
        }
      });
    });
  });
}

/**
 * What an agent with a stream of its own is made to do beside that; one that crashes prints `hello` before.
 * - `breaks-off`: prints `hello` and the beginning of its last word, and exits with 0
 * - `ends-early`: prints `hello` and exits with 0, without a last word
 * - `ends-well-anyway`: prints `hello` and works on; asked to end, its last word says that all went well, and it exits with 0
 */
export type StreamBehaviour = Behaviour | 'breaks-off' | 'ends-early' | 'ends-well-anyway';

/** What every driver owes, and what one owes beside that which reads its program's stream: an exit code alone says nothing. */
export function streamConformance(name: string, make: (behaviour: StreamBehaviour) => Agent): void {
  agentConformance(name, make, { leaves: 'words' });
  describe(`stream of agent ${name}`, () => {
    for (const behaviour of ['breaks-off', 'ends-early'] as const) {
      it(`a session that ${behaviour === 'breaks-off' ? 'breaks off' : 'ends early'} is a failure, although its program exits well`, async () => {
        const end = lastOf(await play(make(behaviour)));
        assert.ok(end.type === 'failed');
        assert.deepEqual([end.reason, end.exitCode], ['crashed', 0]);
        assert.match(end.output, /hello/);
      });
    }
    it('a cancelled session is a failure, although its program ends well', async () => {
      const controller = new AbortController();
      const events = await play(make('ends-well-anyway'), { signal: controller.signal, onText: () => controller.abort() });
      assert.equal(reasonOf(events), 'cancelled');
    });
  });
}

type Failing = { readonly behaviour: Behaviour; readonly reason: FailureReason; readonly limits: Partial<AgentInput> };

function failsBy(title: string, make: MakeAgent, failing: Failing): void {
  it(title, async () => {
    assert.equal(reasonOf(await play(make(failing.behaviour), { input: failing.limits })), failing.reason);
  });
}

type Play = { readonly input?: Partial<AgentInput>; readonly signal?: AbortSignal; readonly onText?: () => void };

async function play(agent: Agent, options: Play = {}): Promise<AgentEvent[]> {
  return await inFolder(async (input) => {
    const events: AgentEvent[] = [];
    for await (const event of agent.run({ ...input, ...options.input }, options.signal ?? new AbortController().signal)) {
      events.push(event);
      if (event.type === 'text') options.onText?.();
    }
    const pid = events.find((event) => event.type === 'started')?.pid ?? null;
    if (pid !== null) assert.equal(isRunning(pid), false, 'a process is left');
    assert.equal(events.filter(isLast).length, 1, 'exactly one last event');
    return events;
  });
}

let sessions = 0;

async function inFolder<T>(use: (input: AgentInput) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-agent-'));
  const cwd = join(folder, 'checkout');
  await mkdir(cwd);
  const input = fakeInput({ cwd, resultFile: join(folder, 'result.json'), marker: `conformance-${process.pid}-${sessions++}` });
  try {
    return await use(input);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isLast(event: AgentEvent): boolean {
  return event.type === 'ended' || event.type === 'failed';
}

function lastOf(events: readonly AgentEvent[]): AgentEvent {
  const last = events.at(-1);
  assert.ok(last !== undefined && isLast(last), 'the last event comes last');
  return last;
}

function reasonOf(events: readonly AgentEvent[]): string {
  const last = lastOf(events);
  return last.type === 'failed' ? last.reason : last.type;
}

function textOf(events: readonly AgentEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}
