import { z } from 'zod';
import { Card } from './card.ts';
import { GateResult, Head, NoVerdict, Session } from './event.ts';
import { FindingStatus, MOST_PATCH_CHARS, Resolution, Severity } from './finding.ts';
import { Instant } from './instant.ts';
import { FindingOutput, LoopOutput } from './output.ts';
import { Proof } from './proof.ts';
import { Evidence, Verdict } from './review.ts';
import { Role, Roles } from './settings.ts';

/** What runs now: the action, who does it, since when, and why. */
export const PhaseView = z.object({ do: z.string(), agents: z.array(z.string()), startedAt: Instant, why: z.string() });

/** What a turn took: when it began and ended, and what it cost, as far as that is known. */
export const TurnView = z.object({
  startedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  spendUsd: z.number().nullable(),
  estimated: z.boolean(),
  /** The transcripts of its sessions, by their names among the artefacts. */
  transcripts: z.array(z.string()),
});
export type TurnView = z.infer<typeof TurnView>;

/** A loop as it is shown by itself: what programs see of it, and where it stands right now. */
export const LoopView = LoopOutput.extend({
  seq: z.number().int(),
  createdAt: Instant,
  updatedAt: Instant,
  /** Whether a living process drives it. */
  driven: z.boolean(),
  /** Whether nothing happens to it until somebody does something. */
  needsYou: z.boolean(),
  /** Whether waiting for it changes nothing: it is over, asks a person, or waits for one. */
  atRest: z.boolean(),
  phase: PhaseView.nullable(),
  maxRounds: z.number().int(),
  roles: Roles,
  notes: z.array(z.string()),
  /** Every commit of the loop, oldest first. */
  commits: z.array(z.string()),
  start: Head,
  takenOverBy: z.string().nullable(),
  landed: z.object({ onto: z.string(), commit: z.string(), at: Instant }).nullable(),
  /** Why it came to its end or to rest. */
  ending: z.object({ state: z.string(), why: z.string() }).nullable(),
  /** When it came to that; null while it goes on. */
  endedAt: Instant.nullable(),
  /** How many findings there are; of very many, `findings` holds those that matter most. */
  findingCount: z.number().int().nonnegative(),
  /** What the author did before the first review; null where there is none. */
  build: TurnView.extend({ agent: z.string(), iterations: z.number().int().nonnegative() }).nullable(),
  /** Whose turn it is, what is asked, and what may be done. */
  card: Card,
});
export type LoopView = z.infer<typeof LoopView>;

/** One agent at work or done; `transcript` is its name among the artefacts, null where nobody was started. */
export const SessionView = Session.omit({ resumeId: true, transcript: true, endedAt: true, exit: true }).extend({
  role: Role,
  /** Null while it works. */
  endedAt: Instant.nullable(),
  exit: Session.shape.exit.nullable(),
  transcript: z.string().nullable(),
});
export type SessionView = z.infer<typeof SessionView>;

/** What one member of the panel answered in a round. */
export const ReviewView = z.object({
  round: z.number().int(),
  member: z.string(),
  /** Who took the seat: the member, or a fallback. */
  agent: z.string(),
  stance: Verdict,
  /** What it said, which is not what holds. */
  claim: Verdict.nullable(),
  summary: z.string().nullable(),
  interpretedIntent: z.string().nullable(),
  intentSatisfied: z.boolean().nullable(),
  evidence: z.array(Evidence),
  findingIds: z.array(z.string()),
  proof: Proof,
  session: SessionView.nullable(),
});
export type ReviewView = z.infer<typeof ReviewView>;

/** The gates on one tree, with the ends of what they printed. */
export const GateRunView = z.object({ seq: z.number().int(), at: Instant, tree: z.string(), results: z.array(GateResult) });
export type GateRunView = z.infer<typeof GateRunView>;

/** One round in short: the verdict, what was raised, and the fix that answered it. */
export const RoundSummary = LoopOutput.shape.rounds.element.extend({
  at: Instant,
  head: Head,
  findingIds: z.array(z.string()),
  blockingIds: z.array(z.string()),
  /** Those that a person went on without. */
  without: z.array(z.string()),
  /** The sessions of its reviewers, those too that came to nothing. */
  review: TurnView,
  fix: z
    .object({
      ...TurnView.shape,
      agent: z.string().nullable(),
      summary: z.string().nullable(),
      commits: z.array(z.string()),
      resolutions: z.array(Resolution),
      sentBack: z.boolean(),
      /** How many findings it fixed, disputed or left to a person, by its own word. */
      fixed: z.number().int().nonnegative(),
      disputed: z.number().int().nonnegative(),
      needsPerson: z.number().int().nonnegative(),
    })
    .nullable(),
});
export type RoundSummary = z.infer<typeof RoundSummary>;

/** One round with all that its reviewers answered. */
export const RoundView = RoundSummary.extend({
  reviews: z.array(ReviewView),
  lostMembers: z.array(
    z.object({
      member: z.string(),
      attempts: z.array(
        z.object({ agent: z.string(), reason: NoVerdict, detail: z.string(), until: Instant.nullable(), answer: z.string().nullable() }),
      ),
    }),
  ),
  /** How the gates did on the tree that was reviewed; null where none ran on it. */
  gates: GateRunView.nullable(),
});
export type RoundView = z.infer<typeof RoundView>;

/** One thing that happened to a finding, and how it stood after it. */
export const FindingStep = z.object({
  seq: z.number().int(),
  at: Instant,
  /** The round under way, or the one that was reviewed last. */
  round: z.number().int(),
  what: z.enum(['raised', 'raised-again', 'status', 'answered', 'ruled', 'changed']),
  status: FindingStatus,
  severity: Severity,
  blocking: z.boolean(),
  file: z.string().nullable(),
  line: z.number().nullable(),
  /** Who did it: the reviewers, the fixer, or whoever ruled. */
  by: z.array(z.string()),
  /** The newest commit then: what was reviewed, or what the fixer made. */
  commit: z.string().nullable(),
  /** In words: the status that it had before, the answer, or the ruling with its reason. */
  note: z.string(),
});
export type FindingStep = z.infer<typeof FindingStep>;

/** A finding with all that happened to it. */
export const FindingView = FindingOutput.extend({
  /** Its exact patch as a unified diff; null where it has none. */
  patch: z.string().max(MOST_PATCH_CHARS).nullable(),
  /** Why that cannot be applied now; null if it can. */
  patchProblem: z.string().nullable(),
  history: z.array(FindingStep),
});
export type FindingView = z.infer<typeof FindingView>;

/** Why one step of a loop was taken. */
export const Reason = z.object({ seq: z.number().int(), step: z.string(), why: z.string() });
export type Reason = z.infer<typeof Reason>;
