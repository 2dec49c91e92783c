import type { AgentEvent, AgentInput, Subject } from '../agents/agent.ts';
import type { Session } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { readUsage } from '../core/readers/read-usage.ts';
import type { Usage } from '../core/review.ts';
import { BUILTIN } from '../core/settings.ts';
import type { AgentSpec, Role } from '../core/settings.ts';
import { nonce as makeNonce } from '../lib/ids.ts';
import type { Engine } from './engine.ts';

/** What a session is asked to do. `prompt` gets the nonce and the result file of this session. */
export type SessionRequest = {
  readonly engine: Engine;
  readonly loop: Loop;
  readonly token: number;
  readonly role: Role;
  readonly agent: string;
  /** Programs in the place of the configured ones, where those are part of the change under review. */
  readonly programs?: Pick<AgentSpec, 'run' | 'sarif'>;
  readonly round: number;
  readonly cwd: string;
  readonly base: string;
  readonly head: string;
  /** Null: an empty folder is made. */
  readonly scratch: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly wallMs: number;
  readonly signal: AbortSignal;
  /** What must have come to its end before the agent starts. */
  readonly ready?: Promise<unknown>;
  /** What to save when the session is stopped from outside. */
  readonly onStop: (() => Promise<void>) | null;
  readonly subject: Subject;
  prompt(given: { readonly nonce: string }): string;
};

/** How a session went. `usage` is filled in by whoever reads the result. */
export type SessionEnd = {
  readonly session: Session;
  readonly prompt: string;
  readonly nonce: string;
  readonly outcome:
    | { readonly kind: 'ended'; readonly output: string; readonly result: string | null; readonly structured: boolean }
    | { readonly kind: 'failed'; readonly reason: 'agent-failed' | 'timed-out'; readonly message: string };
};

/** A session that was stopped from outside; its result is void, its cost is not. */
export class SessionStopped extends Error {
  override readonly name = 'SessionStopped';
  readonly session: Session;

  constructor(session: Session) {
    super(`the session of ${session.agent} was stopped`);
    this.session = session;
  }
}

/** The mark by which every process of an action can be found again. */
export function markerOf(loop: Pick<Loop, 'uid'>, token: number): string {
  return `${loop.uid}-${token}`;
}

/** Runs one agent at work and returns how it went; a cancelled session throws. */
export async function runSession(request: SessionRequest): Promise<SessionEnd> {
  const { engine, loop, token, role } = request;
  const configured = loop.settings.agents[request.agent];
  if (configured === undefined) throw new Error(`agent ${request.agent} is not part of loop ${loop.id}`);
  const spec = { ...configured, ...request.programs };
  const nonce = makeNonce();
  const prompt = request.prompt({ nonce });
  const [folder, transcript] = await Promise.all([
    engine.artefacts.makeSessionFolder(markerOf(loop, token)),
    engine.artefacts.openTranscript(`task-${loop.id}-${token}-${role}`),
    request.ready,
  ]);
  const startedAt = engine.now();
  try {
    transcript.write(
      `# prompt\n${spec.driver === BUILTIN ? '(read by nobody: the built-in agent gets the change as data)' : prompt}\n# answer\n`,
    );
    const last = await follow(
      engine.createAgent(spec).run(inputOf(request, { folder: folder.dir, nonce, prompt, passEnv: spec.env }), request.signal),
      (event) => {
        if (event.type !== 'text') return;
        transcript.write(event.text);
        engine.report({ type: 'activity', loopId: loop.id, text: event.text });
      },
    );
    const session = sessionOf(request, last, { startedAt, transcript: transcript.path });
    if (request.signal.aborted) {
      await request.onStop?.();
      throw new SessionStopped(session);
    }
    return { session, prompt, nonce, outcome: outcomeOf(last) };
  } finally {
    transcript.close();
    await folder.remove();
  }
}

/** What an agent handed back; nothing where its session failed. */
export function answerOf({ outcome }: SessionEnd): { readonly result: string | null; readonly output: string } {
  return outcome.kind === 'ended' ? { result: outcome.result, output: outcome.output } : { result: null, output: '' };
}

/** Adds what an agent reported about its cost to the record of its session. */
export function withUsage(session: Session, usage: Usage | null): Session {
  return usage === null ? session : { ...session, usage };
}

type Terminal = Extract<AgentEvent, { type: 'ended' | 'failed' }>;

async function follow(events: AsyncIterable<AgentEvent>, onEvent: (event: AgentEvent) => void): Promise<Terminal> {
  let last: Terminal | null = null;
  for await (const event of events) {
    onEvent(event);
    if (event.type === 'ended' || event.type === 'failed') last = event;
  }
  if (last === null) throw new Error('the driver ended without a last event');
  return last;
}

function inputOf(
  request: SessionRequest,
  given: { folder: string; nonce: string; prompt: string; passEnv: readonly string[] },
): AgentInput {
  const { engine, loop, role } = request;
  const launch = engine.confinement.prepare({ cwd: request.cwd, env: request.env }, { role, passEnv: given.passEnv, home: engine.home });
  return {
    role,
    cwd: launch.cwd,
    prompt: given.prompt,
    subject: request.subject,
    env: launch.env,
    task: loop.id,
    round: request.round,
    nonce: given.nonce,
    scratch: request.scratch ?? `${given.folder}/scratch`,
    base: request.base,
    head: request.head,
    resultFile: `${given.folder}/result`,
    wallMs: request.wallMs,
    idleMs: loop.settings.policy.timeoutsMs.idle,
    marker: markerOf(loop, request.token),
  };
}

function sessionOf(request: SessionRequest, last: Terminal, given: { startedAt: string; transcript: string }): Session {
  const failed = last.type === 'failed';
  const timedOut = failed && (last.reason === 'timed-out' || last.reason === 'idle');
  return {
    agent: request.agent,
    role: request.role,
    startedAt: given.startedAt,
    endedAt: request.engine.now(),
    exit: !failed ? 'completed' : timedOut ? 'timed-out' : last.reason === 'cancelled' ? 'cancelled' : 'crashed',
    exitCode: last.exitCode,
    usage: readUsage(last.result),
    transcript: given.transcript,
  };
}

function outcomeOf(last: Terminal): SessionEnd['outcome'] {
  if (last.type === 'ended') return { kind: 'ended', output: last.output, result: last.result, structured: last.structured === true };
  const timedOut = last.reason === 'timed-out' || last.reason === 'idle';
  return { kind: 'failed', reason: timedOut ? 'timed-out' : 'agent-failed', message: last.message };
}
