import type { Effect, EndState, EscalationReason } from './action.ts';
import type { GateResult, Head, NoVerdict, Session } from './event.ts';
import type { Finding, RaisedFinding, Resolution } from './finding.ts';
import type { Proof } from './proof.ts';
import type { ReviewReading, Verdict } from './review.ts';
import type { Roles, Settings } from './settings.ts';
import type { Task } from './task.ts';

/** Where a loop stands; seed 002's names and what the other seeds need. */
export type LoopState =
  | 'queued'
  | 'implementing'
  | 'pending_self_review'
  | 'self_reviewing'
  | 'self_review_passed'
  | 'self_review_failed'
  | 'refining'
  | 'pr_created'
  | 'awaiting_pr_feedback'
  | 'addressing_feedback'
  | 'ready_for_human_review'
  | 'approved'
  | 'merged'
  | 'needs_human'
  | 'blocked'
  | 'cancelled'
  | 'failed';

/** Seed 004's final verdict. */
export type FinalVerdict = 'APPROVED' | 'CHANGES_REQUESTED' | 'MAX_CYCLES_REACHED' | 'NEEDS_DISCUSSION';

/** Who approved, and on what ground. */
export type Approval =
  | { readonly by: 'review'; readonly round: number; readonly proof: Proof }
  | { readonly by: 'person'; readonly name: string; readonly reason: string | null };

/** The answer of a fixer to a round's review. */
export type Fix = {
  readonly agent: string | null;
  readonly summary: string | null;
  readonly commits: readonly string[];
  readonly resolutions: readonly Resolution[];
};

/** One review and the fix that answers it. */
export type Round = {
  readonly round: number;
  readonly at: string;
  readonly head: Head;
  readonly verdict: Verdict;
  /** The verdict in words: why it is what it is. */
  readonly why: string;
  readonly reading: ReviewReading;
  readonly proof: Proof;
  readonly findingIds: readonly string[];
  readonly blockingIds: readonly string[];
  readonly session: Session | null;
  readonly fix: Fix | null;
};

/** A review attempt of the round under way that gave no verdict. */
export type Attempt = { readonly agent: string; readonly reason: NoVerdict; readonly detail: string };

/** A loop handed to a person. */
export type Escalation = { readonly reason: EscalationReason; readonly why: string; readonly at: string };

/**
 * A step that a person ordered and that `decide` would not take by itself. `improve` becomes `rest-unreviewed` once its
 * fix is in, `improve-and-review` becomes `review-once`.
 */
export type Order = 'fix' | 'review' | 'improve' | 'improve-and-review' | 'rest-unreviewed' | 'review-once';

/** Words of a person for the next author, fixer and arbiter. */
export type Guidance = { readonly by: string; readonly text: string };

/** The life of one task, folded from its journal. */
export type Loop = {
  readonly id: number;
  readonly uid: string;
  readonly seq: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly task: Task;
  readonly settings: Settings;
  readonly base: { readonly ref: string; readonly commit: string; readonly mergeBase: string; readonly mergeBaseTree: string };
  readonly start: Head;
  readonly branch: string;
  readonly notes: readonly string[];

  readonly state: LoopState;
  readonly current: { readonly token: number; readonly action: Effect; readonly startedAt: string } | null;
  /** The newest commit of the change; null while an author has committed nothing. */
  readonly head: Head | null;
  /** Every commit that the engine made for this loop or took over from a person, oldest first. */
  readonly commits: readonly string[];
  readonly author: { readonly iterations: number; readonly idle: number; readonly failures: number; readonly complete: boolean };
  readonly fixer: { readonly idle: number; readonly failures: number };
  readonly lastFailure: { readonly reason: 'agent-failed' | 'timed-out'; readonly message: string; readonly partial: string | null } | null;
  /** The partial tree that the next author or fixer starts from, on a person's word. */
  readonly resumeFrom: string | null;
  readonly withheld: { readonly ref: string; readonly tree: string; readonly findings: readonly RaisedFinding[] } | null;
  readonly gates: {
    readonly tree: string | null;
    readonly results: readonly GateResult[];
    readonly fixes: number;
    /** How gates that were red on the change did on the base. */
    readonly baseline: Readonly<Record<string, 'red' | 'green'>>;
    /** The tree whose red gates a person accepted, and who. */
    readonly accepted: { readonly tree: string; readonly by: string } | null;
  };
  readonly rounds: readonly Round[];
  readonly attempts: readonly Attempt[];
  /** Agents that changed what they were given to read; none of them reviews this loop again. */
  readonly tampered: readonly string[];
  readonly findings: readonly Finding[];
  /** Starts as the policy says; people may raise it. */
  readonly maxRounds: number;
  readonly ceilingUsd: number | null;
  /** Starts as the settings say; people may reassign a role. */
  readonly roles: Roles;
  readonly order: Order | null;
  readonly guidance: readonly Guidance[];
  readonly escalation: Escalation | null;
  readonly ending: { readonly state: EndState; readonly why: string } | null;
  readonly takenOver: { readonly by: string; readonly escalation: Escalation | null } | null;
  /** Where somebody else moved the branch while nothing could take that over. */
  readonly pushed: { readonly head: Head; readonly descends: boolean } | null;
  /** Rounds that people's own commits were given; they do not count against the hard total. */
  readonly grantedRounds: number;
  readonly reviewSkipped: boolean;
  readonly approval: Approval | null;
  readonly finalVerdict: FinalVerdict | null;
  readonly spend: { readonly usd: number; readonly estimated: boolean; readonly warned: boolean };
  readonly sessions: readonly Session[];
  /** Where a person brought the work to, and which commit of it. */
  readonly landed: { readonly onto: string; readonly commit: string } | null;
};
