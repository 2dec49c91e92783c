import { agentsOf } from './action.ts';
import type { Effect } from './action.ts';
import { isAtRest } from './at-rest.ts';
import { toldUsd } from './ceilings.ts';
import { isBlocking } from './convergence.ts';
import { wantsWork } from './decide.ts';
import type { JournalEntry, Session } from './event.ts';
import { bySeverity } from './finding.ts';
import type { Finding } from './finding.ts';
import type { Loop, MemberReview, Round } from './loop.ts';
import { loopOutput, roundOutput } from './project-output.ts';
import type { Role } from './settings.ts';
import type { GateRunView, LoopView, ReviewView, RoundSummary, RoundView, SessionView } from './view.ts';

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
    findingCount: loop.findings.length,
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

/** A round in short. */
export function roundSummary(round: Round): RoundSummary {
  const { at, head, findingIds, blockingIds, without, fix } = round;
  return {
    ...roundOutput(round),
    at,
    head,
    findingIds: [...findingIds],
    blockingIds: [...blockingIds],
    without: [...without],
    fix: fix === null ? null : { ...fix, commits: [...fix.commits], resolutions: [...fix.resolutions] },
  };
}

/** A round with all that its reviewers answered; the journal knows how the gates did before it. */
export function roundView(round: Round, journal: readonly JournalEntry[]): RoundView {
  return {
    ...roundSummary(round),
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

function atWork({ current }: Loop): SessionView[] {
  if (current === null || current.action.do === 'gates') return [];
  const { action, startedAt, reservedUsd, reported } = current;
  const role = ROLE[current.action.do];
  const hasEnded = (seat: number): boolean => action.do === 'review' && reported.includes(action.sessions[seat]?.member ?? '');
  return agentsOf(action).flatMap((agent, seat) =>
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
            transcript: null,
            model: null,
            billing: null,
            confinement: null,
            network: null,
          },
        ],
  );
}
