import type { Agent, AgentInput, Subject } from '../agents/agent.ts';
import type { Session } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { reservationOf } from '../core/money.ts';
import type { Report } from '../core/prompts/report.ts';
import { readUsage } from '../core/readers/read-usage.ts';
import { BUILTIN } from '../core/settings.ts';
import type { AgentSpec, Role } from '../core/settings.ts';
import { nonce as makeNonce } from '../lib/ids.ts';
import { converse } from './converse.ts';
import type { Run, Terminal } from './converse.ts';
import type { Engine } from './engine.ts';
import type { InboxReport } from './inbox.ts';
import { openSessionMeter } from './session-meter.ts';

/** What a session is asked to do. `prompt` gets the nonce and the result file of this session. */
export type SessionRequest = {
  readonly engine: Engine;
  readonly loop: Loop;
  readonly token: number;
  readonly role: Role;
  readonly agent: string;
  /** Which of the sessions of its action it is, from 0, how many there are, and how many share what money is left. */
  readonly seat?: SessionSeat;
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
  prompt(given: { readonly report: Report }): string;
};

/** The place of a session among those of its action. */
export type SessionSeat = { readonly index: number; readonly of: number; readonly paid: number };

/** How a session went. `usage` is filled in by whoever reads the result. */
export type SessionEnd = {
  readonly session: Session;
  readonly prompt: string;
  readonly nonce: string;
  readonly outcome:
    | {
        readonly kind: 'ended';
        readonly output: string;
        readonly result: string | null;
        readonly structured: boolean;
        /** What came by the session's result channel. */
        readonly inbox: InboxReport;
      }
    | { readonly kind: 'failed'; readonly reason: SessionFailure; readonly message: string };
};

/** Why a session counts for nothing. */
export type SessionFailure = 'agent-failed' | 'timed-out' | 'over-budget' | 'cancelled' | 'too-large';

/** Sessions that were stopped from outside; their results are void, their cost is not. */
export class SessionStopped extends Error {
  override readonly name = 'SessionStopped';
  readonly sessions: readonly Session[];

  constructor(sessions: readonly Session[]) {
    super(`stopped: ${sessions.map(({ agent }) => agent).join(', ')}`);
    this.sessions = sessions;
  }
}

/** The mark by which every process of an action can be found again; a panel has one for each of its sessions. */
export function markerOf(loop: Pick<Loop, 'uid'>, token: number, seat = 0): string {
  return seat === 0 ? `${loop.uid}-${token}` : `${loop.uid}-${token}.${seat}`;
}

/** Runs one agent at work and returns how it went; a cancelled session throws. */
export async function runSession(request: SessionRequest): Promise<SessionEnd> {
  const { engine, loop, token, role, seat = { index: 0, of: 1, paid: 1 } } = request;
  const configured = loop.settings.agents[request.agent];
  if (configured === undefined) throw new Error(`agent ${request.agent} is not part of loop ${loop.id}`);
  const spec = { ...configured, ...request.programs };
  const agent = engine.createAgent(spec);
  const nonce = makeNonce();
  const report: Report = agent.reportsBy === 'mcp' ? { channel: 'mcp', loopId: loop.id } : { channel: 'result-file' };
  const prompt = request.prompt({ report });
  const marker = markerOf(loop, token, seat.index);
  const reservedUsd = reservationOf(loop, request.agent, seat.paid);
  if (agent.maxPromptChars !== null && prompt.length > agent.maxPromptChars) return tooLarge(request, { agent, prompt, nonce });
  const [folder, transcript] = await Promise.all([
    engine.artefacts.makeSessionFolder(marker),
    engine.artefacts.openTranscript(`task-${loop.id}-${token}-${role}${seat.of === 1 ? '' : `-${seat.index + 1}`}`),
    request.ready,
  ]);
  const startedAt = engine.now();
  try {
    transcript.write(
      `# prompt\n${spec.driver === BUILTIN ? '(read by nobody: the built-in agent gets the change as data)' : prompt}\n# answer\n`,
    );
    const meter = openSessionMeter({ spec, reservedUsd, price: async (model, usage) => await engine.price(spec, model, usage) });
    const run = await converse({
      engine,
      agent,
      meter,
      subject: { role, loopId: loop.id, round: request.round, findingIds: request.subject.findings.map(({ id }) => id) },
      signal: request.signal,
      input: inputOf(request, { folder: folder.dir, nonce, prompt, passEnv: spec.env, marker, reservedUsd }),
      onText: (text) => {
        transcript.write(text);
        engine.report({ type: 'activity', loopId: loop.id, text });
      },
    });
    const paid = await meter.close(readUsage(callOf(run.inbox) ?? run.last.result));
    const session = sessionOf(request, run.last, { startedAt, transcript: transcript.path, reservedUsd, ...paid });
    if (request.signal.aborted) {
      await request.onStop?.();
      throw new SessionStopped([session]);
    }
    return { session, prompt, nonce, outcome: outcomeOf(run, reservedUsd) };
  } finally {
    transcript.close();
    await folder.remove();
  }
}

/** What an agent handed back; nothing where its session failed. Somebody else's word counts for nothing. */
export function answerOf({ outcome }: SessionEnd): { readonly result: string | null; readonly output: string } {
  if (outcome.kind === 'failed' || outcome.inbox.kind === 'foreign') return { result: null, output: '' };
  return { result: callOf(outcome.inbox) ?? outcome.result, output: outcome.output };
}

/** The arguments of the call that was accepted and witnessed. */
export function callOf(inbox: InboxReport): string | null {
  return inbox.kind === 'result' ? inbox.json : null;
}

function inputOf(
  request: SessionRequest,
  given: { folder: string; nonce: string; prompt: string; passEnv: readonly string[]; marker: string; reservedUsd: number | null },
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
    bridge: null,
    resultFile: `${given.folder}/result`,
    wallMs: request.wallMs,
    idleMs: loop.settings.policy.timeoutsMs.idle,
    budgetUsd: given.reservedUsd,
    marker: given.marker,
  };
}

type Recorded = Pick<Session, 'startedAt' | 'transcript' | 'reservedUsd' | 'usage' | 'costBasis'>;

function sessionOf(request: SessionRequest, last: Terminal, record: Recorded): Session {
  const failed = last.type === 'failed';
  const timedOut = failed && (last.reason === 'timed-out' || last.reason === 'idle');
  return {
    agent: request.agent,
    role: request.role,
    endedAt: request.engine.now(),
    exit: !failed ? 'completed' : timedOut ? 'timed-out' : last.reason === 'cancelled' ? 'cancelled' : 'crashed',
    exitCode: last.exitCode,
    ...record,
  };
}

function outcomeOf({ last, inbox, over }: Run, reservedUsd: number | null): SessionEnd['outcome'] {
  if (over) return { kind: 'failed', reason: 'over-budget', message: overWords(reservedUsd) };
  if (last.type === 'ended') {
    return { kind: 'ended', output: last.output, result: last.result, structured: last.structured === true, inbox };
  }
  const timedOut = last.reason === 'timed-out' || last.reason === 'idle';
  const reason = timedOut ? 'timed-out' : last.reason === 'cancelled' ? 'cancelled' : 'agent-failed';
  return { kind: 'failed', reason, message: last.message };
}

function overWords(reservedUsd: number | null): string {
  return `a session was stopped that had spent the $${(reservedUsd ?? 0).toFixed(2)} it was allowed`;
}

/** A prompt that does not fit is not cut: nobody is started, and nothing is spent. */
function tooLarge(request: SessionRequest, given: { agent: Agent; prompt: string; nonce: string }): SessionEnd {
  const { agent, prompt, nonce } = given;
  const now = request.engine.now();
  const session: Session = {
    agent: request.agent,
    role: request.role,
    startedAt: now,
    endedAt: now,
    exit: 'cancelled',
    exitCode: null,
    usage: null,
    reservedUsd: null,
    costBasis: 'free',
    transcript: null,
  };
  const message = `what it would have to read has ${prompt.length} characters, and it takes ${agent.maxPromptChars ?? 0}`;
  return { session, prompt, nonce, outcome: { kind: 'failed', reason: 'too-large', message } };
}
