import type { Effect, ReviewSession } from '../../core/action.ts';
import { gatesApply } from '../../core/decide.ts';
import type { Delta } from '../../core/delta.ts';
import type { Change } from '../../core/diff.ts';
import type { NoVerdict, ReviewOutcome, Session } from '../../core/event.ts';
import type { RaisedFinding } from '../../core/finding.ts';
import type { Memory } from '../../core/memory.ts';
import { repairSection } from '../../core/prompts/repair.ts';
import type { Report } from '../../core/prompts/report.ts';
import { reviewerPrompt } from '../../core/prompts/reviewer.ts';
import { readReview } from '../../core/readers/read-review.ts';
import { redactAll } from '../../core/redact-all.ts';
import { redact } from '../../core/secrets.ts';
import type { ReviewPlace } from '../../git/workspace.ts';
import { failpoint } from '../../lib/failpoint.ts';
import type { Step, StepResult } from '../engine.ts';
import { findingDeltas } from '../finding-deltas.ts';
import { readProjectTexts } from '../project-texts.ts';
import type { ProjectTexts } from '../project-texts.ts';
import { callOf, SessionStopped } from '../sessions.ts';
import type { SessionSeat } from '../session-request.ts';
import type { SessionEnd } from '../sessions.ts';
import { runLook } from './look-session.ts';
import { prove } from './prove.ts';
import { raiseFindings } from './raise.ts';
import { readContents } from './read-lines.ts';
import { trustedPrograms } from './trusted-programs.ts';
import type { Programs } from './trusted-programs.ts';

type ReviewStep = Step<Extract<Effect, { do: 'review' }>>;
type Reviewed = Extract<StepResult, { type: 'reviewed' }>;

/** The part of a review that every member of the panel shares. */
type Shared = { readonly change: Change; readonly texts: ProjectTexts; readonly deltas: readonly Delta[] };

/** One review of the head by fresh eyes: every seat of the panel that is still empty, in parallel. Each answer is journalled as it comes. */
export async function performReview(step: ReviewStep): Promise<StepResult> {
  const { sessions } = step.action;
  const shared = readShared(step);
  // It fails where it is awaited, when there is a place to remove.
  shared.catch(() => undefined);
  let left = sessions.length;
  const settled = await Promise.allSettled(
    sessions.map(async (session, index) => {
      const event = await takeSeat(step, { session, seat: { index, of: sessions.length }, shared });
      left -= 1;
      if (left === 0) return event;
      await step.journal(event);
      return null;
    }),
  );
  const broken = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  if (broken.length > 0) throw together(broken);
  const last = settled.flatMap((one) => (one.status === 'fulfilled' && one.value !== null ? [one.value] : []))[0];
  if (last === undefined) throw new Error('a review without a session');
  return last;
}

/** Of several sessions that were stopped, each has its cost; a bug is told before anything else. */
function together(broken: readonly unknown[]): unknown {
  const stopped = broken.filter((one) => one instanceof SessionStopped);
  return broken.find((one) => !(one instanceof SessionStopped)) ?? new SessionStopped(stopped.flatMap(({ sessions }) => sessions));
}

async function readShared({ engine, loop }: ReviewStep): Promise<Shared> {
  const { head } = loop;
  if (head === null) throw new Error('a review without a head');
  const [change, texts, deltas] = await Promise.all([
    engine.workspace.readChange(loop.base.commit, head.commit),
    readProjectTexts(engine, loop, 'reviewer'),
    findingDeltas(
      engine,
      loop,
      loop.rounds.slice(-1).map((round) => round.head.commit),
    ),
  ]);
  return { change, texts, deltas };
}

type Seat = {
  readonly session: ReviewSession;
  readonly seat: SessionSeat;
  readonly shared: Promise<Shared>;
};

/** One session of the panel, in a throw-away repository of its own with a tripwire around it. */
async function takeSeat(step: ReviewStep, { session: asked, seat, shared }: Seat): Promise<Reviewed> {
  const { engine, loop } = step;
  const place = await engine.workspace.openReview({
    uid: loop.uid,
    mergeBase: loop.base.mergeBase,
    head: loop.head?.commit ?? '',
    message: loop.task.text,
  });
  try {
    const looking = place.tripwire();
    looking.catch(() => undefined);
    const { change, texts, deltas } = await shared;
    const spec = loop.settings.agents[asked.agent];
    const programs = await trustedPrograms(engine, spec, change);
    if (programs === null) return lost(step, asked, { reason: 'crashed', detail: 'its program is part of the change under review' });
    const ended = await review(step, { asked, seat, place, change, texts, programs, ready: looking });
    await failpoint('reviewer ended');
    const tripwire = { before: await looking, after: await place.tripwire() };
    const { outcome, session } = ended;
    if (tripwire.before !== tripwire.after) {
      return lost(step, asked, { reason: 'tampered', detail: 'the reviewer changed what it was given to read', session });
    }
    if (outcome.kind === 'failed') {
      return lost(step, asked, { reason: REASONS[outcome.reason], detail: outcome.message, until: outcome.until ?? null, session });
    }
    if (outcome.inbox.kind === 'foreign') return lost(step, asked, { reason: 'foreign-call', detail: outcome.inbox.detail, session });
    const answer = quotable(outcome);
    const read = readReview({ ...outcome, call: callOf(outcome.inbox), nonce: ended.nonce, trustText: spec?.trustText ?? false });
    if (read.kind === 'unreadable') return lost(step, asked, { ...read, answer, session });
    const { reading } = read;
    if (!isAbout(reading.head, [place.head, change.head])) {
      return lost(step, asked, {
        reason: 'stale-head',
        detail: `it says that it reviewed ${reading.head ?? ''}, which is another commit`,
        session,
      });
    }
    const { version: agentVersion } = await engine.createAgent(spec ?? unknownAgent(asked)).detect();
    const proof = prove({ loop, agent: asked.agent, agentVersion, change, prompt: ended.prompt, session, reading, tripwire });
    const raised = await raiseFindings({ engine, change, reading, agent: asked.agent, roots: [place.dir, place.scratch] });
    const memories = await recall(step, raised);
    return reviewed(step, asked, {
      outcome: { kind: 'review', reading: redactAll(reading), raised, proof, deltas: [...deltas], memories, answer },
      session,
    });
  } finally {
    await place.remove();
  }
}

function unknownAgent({ agent }: ReviewSession): never {
  throw new Error(`agent ${agent} is not part of the loop`);
}

const REASONS: Record<Extract<SessionEnd['outcome'], { kind: 'failed' }>['reason'], NoVerdict> = {
  'agent-failed': 'crashed',
  'timed-out': 'timed-out',
  'over-budget': 'over-budget',
  cancelled: 'cancelled',
  'too-large': 'too-large',
  limited: 'limited',
  'logged-out': 'logged-out',
};

const QUOTED_CHARS = 4000;

/** The beginning of an answer, as it may be quoted to its agent. */
function quotable(outcome: Extract<SessionEnd['outcome'], { kind: 'ended' }>): string | null {
  const text = redact(callOf(outcome.inbox) ?? outcome.result ?? outcome.output).trim();
  if (text === '') return null;
  return text.length > QUOTED_CHARS ? `${text.slice(0, QUOTED_CHARS)}…` : text;
}

const SHORTEST_COMMIT = 7;

/** Whether the commit that a reviewer names is the one under review; one that names none was given no other. */
function isAbout(named: string | null, heads: readonly string[]): boolean {
  const name = (named ?? '').trim().toLowerCase();
  return name === '' || (name.length >= SHORTEST_COMMIT && heads.some((head) => head.startsWith(name)));
}

/** What was refuted before about the very code that these findings cite. */
async function recall({ engine, loop }: ReviewStep, raised: readonly RaisedFinding[]): Promise<Memory[]> {
  const hashes = [...new Set(raised.flatMap(({ codeHash }) => codeHash ?? []))];
  const memories = hashes.length === 0 ? [] : await engine.store.memories({ codeHashes: hashes });
  return memories.filter(({ findingId }) => !findingId.startsWith(`${loop.id}.`));
}

type SeatSession = {
  readonly asked: ReviewSession;
  readonly seat: SessionSeat;
  readonly place: ReviewPlace;
  readonly change: Change;
  readonly texts: ProjectTexts;
  readonly programs: Programs;
  /** The tripwire is set before the reviewer starts. */
  readonly ready: Promise<unknown>;
};

async function review(step: ReviewStep, given: SeatSession): Promise<SessionEnd> {
  const { engine, loop } = step;
  const { asked, seat, place, change, texts, programs, ready } = given;
  const contents = loop.settings.review.context === 'files' ? await readContents(engine, change) : [];
  return await runLook(step, {
    role: 'reviewer',
    agent: asked.agent,
    seat,
    place,
    programs,
    ready,
    // An agent that did not find the tool answers by its own structured output.
    ...(asked.repair ? { way: 'structured' as const } : {}),
    subject: { change, findings: [], rules: texts.rules },
    prompt: ({ report }) => repairOf(step, asked) + promptFor(step, { ...given, contents, report }),
  });
}

function promptFor(
  { loop }: ReviewStep,
  given: SeatSession & { readonly contents: Awaited<ReturnType<typeof readContents>>; readonly report: Report },
): string {
  const { place, change, texts, contents, report } = given;
  return reviewerPrompt(
    {
      loopId: loop.id,
      task: loop.task,
      base: place.base,
      head: place.head,
      files: change.files,
      diff: change.patch,
      contents,
      standards: texts.standards,
      gates: gatesApply(loop) ? loop.gates.results : null,
      otherLoops: [],
      depth: loop.settings.policy.depth,
      report,
    },
    texts.prompt,
  );
}

/** A reviewer whose answer could not be used is told so once, with its own words. */
function repairOf({ loop }: ReviewStep, { member, repair }: ReviewSession): string {
  const last = loop.seats.find((seat) => seat.member === member)?.attempts.at(-1);
  return !repair || last === undefined ? '' : `${repairSection({ problem: last.detail, answer: last.answer ?? '' })}\n\n`;
}

type Lost = {
  readonly reason: NoVerdict;
  readonly detail: string;
  readonly answer?: string | null;
  readonly until?: string | null;
  readonly session?: Session;
};

function lost(step: ReviewStep, asked: ReviewSession, { reason, detail, answer = null, until = null, session }: Lost): Reviewed {
  // A prompt that did not fit was never sent, so there is no session to remember.
  const kept = session === undefined || reason === 'too-large' ? null : session;
  return reviewed(step, asked, { outcome: { kind: 'no-verdict', reason, detail, answer, until }, session: kept });
}

function reviewed(
  { token }: ReviewStep,
  { member, agent }: ReviewSession,
  came: { outcome: ReviewOutcome; session: Session | null },
): Reviewed {
  return { type: 'reviewed', token, member, agent, ...came };
}
