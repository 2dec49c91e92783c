import { plainAgent } from '../core/settings.ts';
import type { AgentSpec } from '../core/settings.ts';
import { openChannel } from '../lib/channel.ts';
import { watchLimits } from '../lib/limits.ts';
import { NO_NEEDS } from './agent.ts';
import type { Agent, AgentEvent, AgentInput, FailureReason } from './agent.ts';

const OUTPUT_LIMIT_CHARS = 64 * 1024 * 1024;

/** What a fake agent does when it is run. */
export type FakeAgent = {
  readonly name: string;
  /** What it tells; without a last `ended` or `failed` it counts as crashed. */
  readonly script: (input: AgentInput) => readonly AgentEvent[] | AsyncIterable<AgentEvent>;
  /** What it does to its checkout before it tells anything. */
  readonly edit?: (cwd: string) => Promise<void>;
  readonly spec?: Partial<AgentSpec>;
  /** How it hands its results back; by the result file if left out. */
  readonly reportsBy?: Agent['reportsBy'];
  readonly maxPromptChars?: number;
};

/** An agent that lives in memory, for tests of set-ups and of the engine; limits and cancellation hold for it as for a real one. */
export function fakeAgent(fake: FakeAgent): Agent {
  return {
    spec: plainAgent({ name: fake.name, driver: 'fake', ...fake.spec }),
    reportsBy: fake.reportsBy ?? ['result-file'],
    holdsItself: false,
    maxPromptChars: fake.maxPromptChars ?? null,
    detect: async () => await Promise.resolve({ available: true, version: null, problem: null, login: null }),
    needs: async () => await Promise.resolve(NO_NEEDS),
    run: (input, signal) => run(fake, input, signal),
  };
}

/** What a session may be started with in a test; a `marker` of its own is needed where several run at once. */
export function fakeInput(change: Partial<AgentInput> = {}): AgentInput {
  return {
    role: 'reviewer',
    cwd: '/',
    prompt: '',
    subject: { change: null, findings: [], rules: [] },
    env: { PATH: process.env['PATH'] ?? '' },
    task: 1,
    round: 1,
    nonce: 'nonce',
    scratch: null,
    base: 'base',
    head: 'head',
    launcher: [],
    held: false,
    report: 'result-file',
    resume: null,
    obeysProject: false,
    bridge: null,
    resultFile: '/nonexistent/result',
    wallMs: 60_000,
    idleMs: 60_000,
    budgetUsd: null,
    marker: 'fake-session',
    ...change,
  };
}

/** The last event of a session that went well. */
export function fakeEnded(result: string | null, output = ''): AgentEvent {
  return { type: 'ended', exitCode: 0, output, result };
}

/** The last event of a session that counts for nothing. */
export function fakeFailed(reason: FailureReason, message = `The fake agent failed: ${reason}.`): AgentEvent {
  return { type: 'failed', reason, exitCode: null, message, output: '', result: null };
}

async function* run(fake: FakeAgent, input: AgentInput, signal: AbortSignal): AsyncGenerator<AgentEvent, void, undefined> {
  const events = openChannel<AgentEvent>();
  let over = false;
  const tell = (event: AgentEvent): void => {
    if (over) return;
    over = isLast(event);
    events.push(event);
    if (over) events.close();
  };
  const limits = watchLimits({
    wallMs: input.wallMs,
    idleMs: input.idleMs,
    onWall: () => tell(fakeFailed('timed-out')),
    onIdle: () => tell(fakeFailed('idle')),
  });
  const cancel = (): void => tell(fakeFailed('cancelled'));
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const play = async (): Promise<void> => {
    await fake.edit?.(input.cwd);
    let chars = 0;
    for await (const event of fake.script(input)) {
      if (over) return;
      limits.touch();
      chars += event.type === 'text' ? event.text.length : 0;
      tell(chars > OUTPUT_LIMIT_CHARS ? fakeFailed('output-too-large') : event);
    }
    tell(fakeFailed('crashed', 'The script ended without a last event.'));
  };
  play().catch((error: unknown) => tell(fakeFailed('crashed', String(error))));
  try {
    yield* events.values();
  } finally {
    over = true;
    limits.stop();
    signal.removeEventListener('abort', cancel);
  }
}

function isLast(event: AgentEvent): boolean {
  return event.type === 'ended' || event.type === 'failed';
}
