import type { Effect, EndState, EscalationReason } from './action.ts';
import type { DraftAnchor, SubmissionMark } from './draft.ts';
import type { GateResult, Head, NoVerdict, ReviewOutcome, Session, Tally } from './event.ts';
import type { Finding, RaisedFinding, Resolution } from './finding.ts';
import type { LoopState } from './loop-state.ts';
import type { CeilingOf, Policy } from './policy.ts';
import type { Proof } from './proof.ts';
import type { ReviewReading, Verdict } from './review.ts';
import type { Roles, Settings } from './settings.ts';
import type { Task } from './task.ts';
import type { Versions } from './versions.ts';
import type { Waiting } from './waiting.ts';

/** Seed 004's final verdict. */
export type FinalVerdict = 'APPROVED' | 'CHANGES_REQUESTED' | 'MAX_CYCLES_REACHED' | 'NEEDS_DISCUSSION';

/** Who approved, and on what ground. */
export type Approval =
  | {
      readonly by: 'review';
      readonly round: number;
      readonly proof: Proof;
      /** Those of all reviewers of the round, `proof` among them. */
      readonly proofs: readonly Proof[];
    }
  | { readonly by: 'person'; readonly name: string; readonly reason: string | null };

/** The answer of a fixer to a round's review. */
export type Fix = {
  readonly agent: string | null;
  readonly summary: string | null;
  readonly commits: readonly string[];
  readonly resolutions: readonly Resolution[];
  /** A ruling left something blocking in the same code, so that the fixer is asked again. */
  readonly sentBack: boolean;
};

/** One review and the fix that answers it. */
export type Round = {
  readonly round: number;
  readonly at: string;
  readonly head: Head;
  readonly verdict: Verdict;
  /** The verdict in words: why it is what it is. */
  readonly why: string;
  /** What the rules of convergence made of it, in sentences. */
  readonly notes: readonly string[];
  /** What each member of the panel answered; at least one. */
  readonly reviews: readonly [MemberReview, ...MemberReview[]];
  /** Members of the panel that gave no answer which counts. */
  readonly lost: readonly LostMember[];
  /** Those that a person went on without. */
  readonly without: readonly string[];
  /** The seats as they were settled; kept of the newest round alone, which a ruling may open again. */
  readonly seats: readonly Seat[];
  readonly findingIds: readonly string[];
  readonly blockingIds: readonly string[];
  /** Those that it raised and those that it held to be open, as they were then: later rounds put them in other words. */
  readonly held: readonly Finding[];
  readonly fix: Fix | null;
};

/** What one member of the panel answered. */
export type MemberReview = {
  readonly member: string;
  /** Who took the seat: the member, or a fallback. */
  readonly agent: string;
  readonly stance: Verdict;
  readonly reading: ReviewReading;
  readonly proof: Proof;
  readonly findingIds: readonly string[];
  readonly session: Session | null;
};

/** A member of the panel without an answer, and what was tried. */
export type LostMember = { readonly member: string; readonly attempts: readonly Attempt[] };

/** A review attempt of the round under way that gave no verdict; `answer` is quoted to the reviewer once. */
export type Attempt = {
  readonly agent: string;
  readonly reason: NoVerdict;
  readonly detail: string;
  readonly answer: string | null;
  /** With `limited`: when that is over. */
  readonly until?: string | null;
};

/** The seat of one member in the round under way. */
export type Seat = { readonly member: string; readonly attempts: readonly Attempt[]; readonly answer: Answer | null };

/** An answer that counts, until the round is complete. */
export type Answer = {
  readonly agent: string;
  readonly outcome: Extract<ReviewOutcome, { kind: 'review' }>;
  readonly session: Session | null;
};

/** A loop handed to a person. */
export type Escalation = {
  readonly reason: EscalationReason;
  readonly why: string;
  readonly at: string;
  /** What an oscillating loop swings between. */
  readonly versions: Versions | null;
};

/**
 * A step that a person ordered and that `decide` would not take by itself. `improve` becomes `rest-unreviewed` once its
 * fix is in; `improve-and-review` and, with its review, `review-and-rest` become `review-once`.
 */
export type Order = 'fix' | 'review' | 'review-and-rest' | 'improve' | 'improve-and-review' | 'rest-unreviewed' | 'review-once';

/** Words of a person for the next author, fixer and arbiter. */
export type Guidance = { readonly by: string; readonly text: string };

/** What a person decided about a loop, in words, and in which round. */
export type Decision = {
  readonly at: string;
  readonly by: string;
  readonly what: string;
  readonly reason: string | null;
  readonly round: number;
};

/** Words of a person about the change; `findingId` where they ask for changes. */
export type Comment = {
  readonly at: string;
  readonly by: string;
  readonly text: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly lineEnd: number | null;
  readonly findingId: string | null;
  /** The draft that it was, and how its lines had fared since it was written. */
  readonly draft: { readonly id: string; readonly anchor: DraftAnchor } | null;
  readonly submission: SubmissionMark | null;
};

/** The life of one task, folded from its journal. */
export type Loop = {
  readonly id: number;
  readonly uid: string;
  readonly seq: number;
  /** The entry of its journal that last changed something: what was refused since then did not, unless it was paid for. */
  readonly changedSeq: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly task: Task;
  readonly settings: Settings;
  readonly base: { readonly ref: string; readonly commit: string; readonly mergeBase: string; readonly mergeBaseTree: string };
  readonly start: Head;
  /** Whose standards, prompts, rules, hooks and agent settings hold; work of other tasks that this one builds on does not change them. */
  readonly rulesFrom: string;
  readonly branch: string;
  readonly notes: readonly string[];

  readonly state: LoopState;
  /** Whether anything was ever started for it. */
  readonly begun: boolean;
  readonly current: {
    readonly token: number;
    readonly action: Effect;
    readonly startedAt: string;
    /** The requests of people that its fixer is the first to hear of. */
    readonly asked: readonly string[];
    /** Members of the panel whose sessions have ended. */
    readonly reported: readonly string[];
    /** What each of its sessions may spend, in their order; null where nothing limits one. */
    readonly reservedUsd: readonly (number | null)[];
  } | null;
  /** The newest commit of the change; null while an author has committed nothing. */
  readonly head: Head | null;
  /** Every commit that the engine made for this loop or took over from a person, oldest first. */
  readonly commits: readonly string[];
  readonly author: { readonly iterations: number; readonly idle: number; readonly failures: number; readonly complete: boolean };
  readonly fixer: { readonly idle: number; readonly failures: number };
  readonly arbiter: { readonly failures: number };
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
  /** The seats of the panel that something happened to in the round under way. */
  readonly seats: readonly Seat[];
  /** Members that a person goes on without in the round under way. */
  readonly without: readonly string[];
  /** Agents that changed what they were given to read; none of them reviews this loop again. */
  readonly tampered: readonly string[];
  readonly findings: readonly Finding[];
  /** Starts as the policy says; people may raise it. */
  readonly maxRounds: number;
  readonly ceilingUsd: Policy['ceilingUsd'];
  /** Starts as the settings say; people may reassign a role. */
  readonly roles: Roles;
  readonly order: Order | null;
  readonly guidance: readonly Guidance[];
  /** Who decided what about it, and why, oldest first. */
  readonly decisions: readonly Decision[];
  readonly comments: readonly Comment[];
  /** Start as the settings say; people may change both. */
  readonly autoReview: boolean;
  readonly autoIterate: boolean;
  readonly escalation: Escalation | null;
  readonly ending: { readonly state: EndState; readonly why: string } | null;
  /** When it came to that; null while it goes on. */
  readonly endedAt: string | null;
  /** Since when it asks, rests, waits or is held by a person as it does now; null while it goes on. Words about it change nothing of that. */
  readonly restsSince: string | null;
  /** Who works on it, and what it was at before: handed back without a commit, it is so again. */
  readonly takenOver: { readonly by: string; readonly escalation: Escalation | null; readonly ending: Loop['ending'] } | null;
  /** Where somebody else moved the branch while nothing could take that over. */
  readonly pushed: { readonly head: Head; readonly descends: boolean } | null;
  /** Rounds that people's own commits were given; they do not count against the hard total. */
  readonly grantedRounds: number;
  /** How often a commit of somebody else was taken over since a person last spoke. */
  readonly takeovers: number;
  readonly reviewSkipped: boolean;
  /** A person said no to this code: no ruling brings an approval back before there is a new commit, review or verdict. */
  readonly vetoed: boolean;
  /** The work of other tasks that it started from. */
  readonly ground: readonly { readonly id: number; readonly commit: string }[];
  readonly approval: Approval | null;
  readonly finalVerdict: FinalVerdict | null;
  readonly spend: {
    readonly usd: number;
    readonly estimated: boolean;
    /** The ceilings of which most is spent, and that this was said of. */
    readonly warned: readonly CeilingOf[];
    readonly subscriptionUsd: number;
  };
  /** The spend of all loops on the day of the last paid action, with what this one spent since; null without a ceiling for the day. */
  readonly tally: Tally | null;
  /** False once a person raised the ceiling for a session that needed more than one may spend: what is left is then all that limits. */
  readonly sessionsLimited: boolean;
  /** Why a session was stopped that had used up what it might spend; a person is asked at once. */
  readonly overBudget: string | null;
  readonly sessions: readonly Session[];
  /** Where a person brought the work to, which commit of it, and when. */
  readonly landed: { readonly onto: string; readonly commit: string; readonly at: string } | null;
  /** Who took it over from another project's file; what was in it then is nobody's word here. */
  readonly imported: { readonly by: string; readonly at: string } | null;
  /** What has to pass before it can go on by itself. */
  readonly waiting: Waiting | null;
};
