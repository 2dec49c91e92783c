import type { Agent, AgentEvent, AgentInput, ReportWay } from '../agents/agent.ts';
import type { Session } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import type { Report } from '../core/prompts/report.ts';
import { readUsage } from '../core/readers/read-usage.ts';
import { sessionTranscript } from '../core/session-transcript.ts';
import { BUILTIN } from '../core/settings.ts';
import { transcriptHead } from '../core/transcript-prompt.ts';
import { isHindered } from '../core/waiting.ts';
import type { Hindrance } from '../core/waiting.ts';
import { nonce as makeNonce } from '../lib/ids.ts';
import { converse } from './converse.ts';
import type { Run } from './converse.ts';
import { enterSession } from './enter-session.ts';
import type { Entry } from './enter-session.ts';
import type { InboxReport } from './inbox.ts';
import { openSessionMeter } from './session-meter.ts';
import type { SessionRequest } from './session-request.ts';

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
    | {
        readonly kind: 'failed';
        readonly reason: SessionFailure;
        readonly message: string;
        /** With `limited`: when that is over. */
        readonly until?: string | null;
      };
};

/** Why a session counts for nothing. */
export type SessionFailure = 'agent-failed' | 'timed-out' | 'over-budget' | 'cancelled' | 'too-large' | Hindrance;

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
  const { engine, loop, token, role, seat = { index: 0, of: 1 } } = request;
  const configured = loop.settings.agents[request.agent];
  if (configured === undefined) throw new Error(`agent ${request.agent} is not part of loop ${loop.id}`);
  const spec = { ...configured, ...request.programs };
  const agent = engine.createAgent(spec);
  const nonce = makeNonce();
  const way = agent.reportsBy.find((one) => one === request.way) ?? agent.reportsBy[0] ?? 'result-file';
  const prompt = request.prompt({ report: reportOf(way, loop) });
  const marker = markerOf(loop, token, seat.index);
  const reservedUsd = loop.current?.reservedUsd[seat.index] ?? null;
  if (agent.maxPromptChars !== null && prompt.length > agent.maxPromptChars) return tooLarge(request, { agent, prompt, nonce });
  const [folder, transcript] = await Promise.all([
    engine.artefacts.makeSessionFolder(marker),
    engine.artefacts.openTranscript(sessionTranscript({ loop: loop.id, token, role, seat })),
    request.ready,
  ]);
  const startedAt = engine.now();
  try {
    transcript.write(transcriptHead(spec.driver === BUILTIN ? '(read by nobody: the built-in agent gets the change as data)' : prompt));
    const meter = openSessionMeter({ spec, reservedUsd, price: async (model, usage) => await engine.price(spec, model, usage) });
    const resultFile = `${folder.dir}/result`;
    const entry = await enterSession(request, { agent, way, folder: folder.dir, resultFile });
    const run = await converse({
      agent,
      entry,
      meter,
      signal: request.signal,
      input: inputOf(request, entry, { scratch: `${folder.dir}/scratch`, resultFile, nonce, prompt, way, marker, reservedUsd }),
      onEvent: (event) => {
        const text = activityOf(event);
        if (text === null) return;
        transcript.write(text);
        engine.report({ type: 'activity', loopId: loop.id, text });
      },
    });
    const paid = await meter.close(readUsage(callOf(run.inbox) ?? run.last.result));
    const session = sessionOf(request, { run, entry }, { startedAt, transcript: transcript.path, reservedUsd, ...paid });
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

function reportOf(way: ReportWay, { id }: Loop): Report {
  return way === 'mcp' ? { channel: 'mcp', loopId: id } : { channel: way };
}

/** What people and the transcript see of a session while it works. */
function activityOf(event: AgentEvent): string | null {
  if (event.type === 'text') return event.text;
  if (event.type === 'tool') return `[${event.detail === '' ? event.name : event.detail}]\n`;
  return event.type === 'limited' ? `[${event.message}]\n` : null;
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

type Given = {
  readonly scratch: string;
  readonly resultFile: string;
  readonly nonce: string;
  readonly prompt: string;
  readonly way: ReportWay;
  readonly marker: string;
  readonly reservedUsd: number | null;
};

function inputOf(request: SessionRequest, entry: Entry, { scratch, way, reservedUsd, ...given }: Given): AgentInput {
  const { loop, role, subject, round, base, head, wallMs } = request;
  const { cwd, env, launcher, bridge } = entry;
  return {
    role,
    cwd,
    env,
    launcher,
    bridge,
    held: entry.level === 'os',
    report: way,
    resume: null,
    obeysProject: request.obeysProject ?? false,
    subject,
    task: loop.id,
    round,
    scratch: request.scratch ?? scratch,
    base,
    head,
    wallMs,
    idleMs: loop.settings.policy.timeoutsMs.idle,
    budgetUsd: reservedUsd,
    ...given,
  };
}

type Recorded = Pick<Session, 'startedAt' | 'transcript' | 'reservedUsd' | 'usage' | 'costBasis'>;

function sessionOf(request: SessionRequest, { run, entry }: { readonly run: Run; readonly entry: Entry }, record: Recorded): Session {
  const { last, self } = run;
  const failed = last.type === 'failed';
  const timedOut = failed && (last.reason === 'timed-out' || last.reason === 'idle');
  return {
    agent: request.agent,
    role: request.role,
    endedAt: request.engine.now(),
    exit: !failed ? 'completed' : timedOut ? 'timed-out' : last.reason === 'cancelled' ? 'cancelled' : 'crashed',
    exitCode: last.exitCode,
    model: self.model,
    billing: self.billing,
    resumeId: self.id,
    confinement: entry.level,
    network: entry.network,
    ...record,
  };
}

function outcomeOf({ last, inbox, over, until }: Run, reservedUsd: number | null): SessionEnd['outcome'] {
  if (over) return { kind: 'failed', reason: 'over-budget', message: overWords(reservedUsd) };
  if (last.type === 'ended') {
    return { kind: 'ended', output: last.output, result: last.result, structured: last.structured === true, inbox };
  }
  if (isHindered(last.reason)) return { kind: 'failed', reason: last.reason, message: last.message, until };
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
    model: null,
    billing: null,
    resumeId: null,
    confinement: null,
    network: null,
  };
  const message = `what it would have to read has ${prompt.length} characters, and it takes ${agent.maxPromptChars ?? 0}`;
  return { session, prompt, nonce, outcome: { kind: 'failed', reason: 'too-large', message } };
}
