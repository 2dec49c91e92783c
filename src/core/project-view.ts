import { agentsOf } from './action.ts';
import type { Effect } from './action.ts';
import { isAtRest } from './at-rest.ts';
import { toldUsd } from './ceilings.ts';
import { isBlocking } from './convergence.ts';
import { wantsWork } from './decide.ts';
import type { JournalEntry, Session } from './event.ts';
import { bySeverity } from './finding.ts';
import type { Finding, Resolution } from './finding.ts';
import type { Fix, Loop, MemberReview, Round } from './loop.ts';
import { bookingOf } from './money.ts';
import { cardOf } from './project-card.ts';
import { loopOutput, roundOutput } from './project-output.ts';
import { sessionsIn } from './round.ts';
import { sessionTranscript } from './session-transcript.ts';
import type { Role } from './settings.ts';
import type { GateRunView, LoopView, ReviewView, RoundSummary, RoundView, SessionView, TurnView } from './view.ts';

/** What of a loop only others know: whether a living process drives it, and whether it needs somebody. */
export type Around = { readonly driven: boolean; readonly needsYou: boolean };

/** So many findings are shown with a loop; all of them are a list of their own. */
export const MOST_SHOWN_FINDINGS = 500;

/** A loop as it is shown by itself. */
export function loopView(loop: Loop, { driven, needsYou }: Around): LoopView {
  const { current, takenOver, landed, ending } = loop;
  const output = loopOutput({ ...loop, findings: gravest(loop) });
  return {
    ...output,
    // What a process does already is not for anybody to type; one that has just come to rest is still held for a moment.
    next: driven && wantsWork(loop) ? null : output.next,
    seq: loop.seq,
    createdAt: loop.createdAt,
    updatedAt: loop.updatedAt,
    driven,
    needsYou,
    atRest: isAtRest(loop),
    phase: current === null ? null : phaseOf(current.action, current.startedAt),
    maxRounds: loop.maxRounds,
    roles: loop.roles,
    notes: [...loop.notes],
    commits: [...loop.commits],
    start: loop.start,
    takenOverBy: takenOver?.by ?? null,
    landed,
    ending,
    endedAt: loop.endedAt,
    findingCount: loop.findings.length,
    build: buildOf(loop),
    card: cardOf(loop),
  };
}

function phaseOf(action: Effect, startedAt: string): LoopView['phase'] {
  return { do: action.do, agents: [...agentsOf(action)], startedAt, why: action.why };
}

/** All findings, or of very many those that block and the gravest of the others, in their order. */
function gravest({ findings, settings: { policy } }: Loop): readonly Finding[] {
  if (findings.length <= MOST_SHOWN_FINDINGS) return findings;
  const rank = (finding: Finding): number => (isBlocking(finding, policy) ? 0 : 1);
  const shown = new Set(findings.toSorted((a, b) => rank(a) - rank(b) || bySeverity(a, b)).slice(0, MOST_SHOWN_FINDINGS));
  return findings.filter((finding) => shown.has(finding));
}

/** What was done before the first review: the author's sessions, and those that made its gates pass. */
function buildOf(loop: Loop): LoopView['build'] {
  const agent = loop.roles.author;
  if (loop.task.kind !== 'implement' || agent === null) return null;
  const sessions = loop.sessions.filter((session) => session.role === 'author' || isBeforeReview(loop, session));
  const written = sessions.filter(({ role }) => role === 'author');
  const iterations = Math.max(loop.author.iterations, written.length);
  return { ...turnView(loop, sessions), agent: written.at(-1)?.agent ?? agent, iterations };
}

function isBeforeReview({ sessions }: Loop, session: Session): boolean {
  const first = sessions.findIndex(({ role }) => role === 'reviewer');
  return session.role === 'fixer' && (first === -1 || sessions.indexOf(session) < first);
}

/** A round in short. */
export function roundSummary(loop: Loop, round: Round): RoundSummary {
  const { at, head, findingIds, blockingIds, without, fix } = round;
  const sessions = sessionsIn(loop, round);
  const reviews = sessions.filter(({ role }) => role === 'reviewer');
  const answers = sessions.filter((session) => session.role !== 'reviewer' && !isBeforeReview(loop, session));
  return {
    ...roundOutput(round),
    at,
    head,
    findingIds: [...findingIds],
    blockingIds: [...blockingIds],
    without: [...without],
    review: turnView(loop, reviews),
    fix: fix === null ? null : fixView(fix, turnView(loop, answers)),
  };
}

function fixView({ commits, resolutions, ...fix }: Fix, turn: TurnView): RoundSummary['fix'] {
  const counting = (status: Resolution['status']): number => resolutions.filter((one) => one.status === status).length;
  const counts = { fixed: counting('fixed'), disputed: counting('disputed'), needsPerson: counting('needs_person') };
  return { ...turn, ...fix, commits: [...commits], resolutions: [...resolutions], ...counts };
}

/** What some sessions took together; a cost that nobody knows is none. */
function turnView(loop: Loop, sessions: readonly Session[]): TurnView {
  const bookings = sessions.map((session) => bookingOf(loop, session));
  const usd = bookings.reduce((sum, booking) => sum + booking.usd, 0);
  const isKnown = usd > 0 || sessions.some(({ usage }) => typeof usage?.costUsd === 'number');
  return {
    startedAt: sessions.reduce<string | null>((first, { startedAt }) => (first === null || startedAt < first ? startedAt : first), null),
    endedAt: sessions.reduce<string | null>((last, { endedAt }) => (last === null || endedAt > last ? endedAt : last), null),
    spendUsd: isKnown ? toldUsd(usd) : null,
    estimated: bookings.some(({ estimated }) => estimated),
    transcripts: sessions.flatMap(({ transcript }) => (transcript === null ? [] : [transcriptName(transcript)])),
  };
}

/** A round with all that its reviewers answered; the journal knows how the gates did before it. */
export function roundView(loop: Loop, round: Round, journal: readonly JournalEntry[]): RoundView {
  return {
    ...roundSummary(loop, round),
    reviews: reviewViews(round),
    lostMembers: round.lost.map(({ member, attempts }) => ({
      member,
      attempts: attempts.map(({ agent, reason, detail, until = null, answer }) => ({ agent, reason, detail, until, answer })),
    })),
    gates: gateRuns(journal).findLast(({ tree }) => tree === round.head.tree) ?? null,
  };
}

/** What the members of the panel answered in a round. */
export function reviewViews({ round, reviews }: Round): ReviewView[] {
  return reviews.map((review) => reviewView(round, review));
}

function reviewView(round: number, { member, agent, stance, reading, proof, findingIds, session }: MemberReview): ReviewView {
  const { claim, summary, interpretedIntent, intentSatisfied, evidence } = reading;
  return {
    round,
    member,
    agent,
    stance,
    claim,
    summary,
    interpretedIntent,
    intentSatisfied,
    evidence,
    findingIds: [...findingIds],
    proof,
    session: session === null ? null : doneView(session),
  };
}

/** Every time that gates ran, oldest first. */
export function gateRuns(journal: readonly JournalEntry[]): GateRunView[] {
  return journal.flatMap(({ seq, at, event }) => (event.type === 'gated' ? [{ seq, at, tree: event.tree, results: event.results }] : []));
}

/** The sessions of a loop: those that are done, oldest first, then those at work. */
export function sessionViews(loop: Loop): SessionView[] {
  return [...loop.sessions.map(doneView), ...atWork(loop)];
}

function doneView({ resumeId: _resumeId, transcript, reservedUsd, ...session }: Session): SessionView {
  return { ...session, reservedUsd: toldReservation(reservedUsd), transcript: transcript === null ? null : transcriptName(transcript) };
}

function toldReservation(usd: number | null | undefined): number | null {
  return typeof usd === 'number' ? toldUsd(usd) : null;
}

/** The name of a transcript among the artefacts of its loop. */
export function transcriptName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const ROLE: Record<Exclude<Effect['do'], 'gates'>, Role> = { author: 'author', review: 'reviewer', fix: 'fixer', arbitrate: 'arbiter' };

function atWork({ id, current }: Loop): SessionView[] {
  if (current === null || current.action.do === 'gates') return [];
  const { action, token, startedAt, reservedUsd, reported } = current;
  const role = ROLE[current.action.do];
  const hasEnded = (seat: number): boolean => action.do === 'review' && reported.includes(action.sessions[seat]?.member ?? '');
  const agents = agentsOf(action);
  return agents.flatMap((agent, seat) =>
    hasEnded(seat)
      ? []
      : [
          {
            agent,
            role,
            startedAt,
            endedAt: null,
            exit: null,
            exitCode: null,
            usage: null,
            reservedUsd: toldReservation(reservedUsd[seat]),
            costBasis: null,
            transcript: sessionTranscript({ loop: id, token, role, seat: { index: seat, of: agents.length } }),
            model: null,
            billing: null,
            confinement: null,
            network: null,
          },
        ],
  );
}
