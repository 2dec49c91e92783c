import { z } from 'zod';
import { Action, Choice, EndState, EscalationReason } from './action.ts';
import { Delta } from './delta.ts';
import { DraftAnchor, SubmissionMark } from './draft.ts';
import { PersonRuling, RaisedFinding, Resolution } from './finding.ts';
import { Instant } from './instant.ts';
import { LoopNumber, LoopUid } from './loop-name.ts';
import { Memory } from './memory.ts';
import { CeilingOf } from './policy.ts';
import { ConfinementLevel, CostBasis, Proof } from './proof.ts';
import { ReviewReading, Ruling, Usage } from './review.ts';
import { Billing, Role, Settings } from './settings.ts';
import { Task } from './task.ts';
import { Versions } from './versions.ts';
import { Hindrance } from './waiting.ts';

/** A commit with its tree. */
export const Head = z.object({ commit: z.string(), tree: z.string() });
export type Head = z.infer<typeof Head>;

/** One agent at work, as it is remembered. */
export const Session = z.object({
  agent: z.string(),
  role: Role,
  startedAt: Instant,
  endedAt: Instant,
  exit: z.enum(['completed', 'crashed', 'timed-out', 'cancelled']),
  exitCode: z.number().int().nullable(),
  usage: Usage.nullable(),
  /** What it might spend, where something limited it. */
  reservedUsd: z.number().nonnegative().nullable().default(null),
  /** How `usage.costUsd` is known; null where nothing is known about the cost. */
  costBasis: CostBasis.nullable().default(null),
  /** Path of the transcript, relative to the project's root. */
  transcript: z.string().nullable(),
  /** The model, as the agent itself says. */
  model: z.string().nullable().default(null),
  billing: Billing.nullable().default(null),
  /** By what the agent could go on with this session. */
  resumeId: z.string().nullable().default(null),
  /** How it was held; null where nobody was started. */
  confinement: ConfinementLevel.nullable().default(null),
  /** What it could reach; null where nothing limited it. */
  network: z.enum(['open', 'public', 'provider', 'none']).nullable().default(null),
});
export type Session = z.infer<typeof Session>;

/** What came of a turn of the author or the fixer. */
export const WorkOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('committed'),
    head: Head,
    commits: z.array(z.string()),
    files: z.array(z.string()),
    /** Repositories inside of the checkout, which cannot be part of a commit. */
    skipped: z.array(z.string()),
  }),
  /** Nothing to commit; `skipped` names repositories inside of the checkout, which cannot be part of a commit. */
  z.object({ kind: z.literal('unchanged'), skipped: z.array(z.string()).optional() }),
  /** Not committed, because it holds a secret or a huge new file; the tree is kept under `ref`. */
  z.object({ kind: z.literal('withheld'), ref: z.string(), tree: z.string(), findings: z.array(RaisedFinding) }),
  z.object({
    kind: z.literal('failed'),
    reason: z.enum(['agent-failed', 'timed-out', 'over-budget', ...Hindrance.options]),
    message: z.string(),
    partial: z.string().nullable(),
    /** With `limited`: when that is over, if anybody knows. */
    until: Instant.nullable().optional(),
  }),
]);
export type WorkOutcome = z.infer<typeof WorkOutcome>;

/** How one gate did on one tree. */
export const GateResult = z.object({
  name: z.string(),
  passed: z.boolean(),
  exitCode: z.number().int().nullable(),
  timedOut: z.boolean(),
  /** The end of what it printed. */
  output: z.string(),
  /** Red at first, so it ran once more; this is the second result. */
  reran: z.boolean(),
  /** Red on the base too, so it does not block. */
  redBefore: z.boolean(),
  durationMs: z.number().nonnegative(),
});
export type GateResult = z.infer<typeof GateResult>;

/** Whether a gate stands in the way: it failed, and not only as it did before the change. */
export function isRed(result: GateResult): boolean {
  return !result.passed && !result.redBefore;
}

/** Why a review attempt counts for nothing. */
export const NoVerdict = z.enum([
  'unreadable',
  'empty',
  'stale-head',
  'tampered',
  'crashed',
  'timed-out',
  'text-approval',
  'no-finding',
  'too-large',
  'partial',
  'incomplete-proof',
  'foreign-call',
  'cancelled',
  'over-budget',
  ...Hindrance.options,
]);
export type NoVerdict = z.infer<typeof NoVerdict>;

/** What came of one review attempt. */
export const ReviewOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('review'),
    reading: ReviewReading,
    raised: z.array(RaisedFinding),
    proof: Proof,
    /** What changed since each head on which a finding was raised, and since the one that was reviewed last. */
    deltas: z.array(Delta),
    /** What was refuted before about the very code that this review cites. */
    memories: z.array(Memory),
    /** The beginning of what it answered. */
    answer: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('no-verdict'),
    reason: NoVerdict,
    detail: z.string(),
    /** The beginning of what it answered, to be quoted to it once. */
    answer: z.string().nullable(),
    until: Instant.nullable().optional(),
  }),
]);
export type ReviewOutcome = z.infer<typeof ReviewOutcome>;

/** What all loops of the project spent on a day, and what the sessions at work in the others may still spend. */
export const Tally = z.object({
  /** The calendar day, as YYYY-MM-DD. */
  day: z.string(),
  spentUsd: z.number().nonnegative(),
  reservedUsd: z.number().nonnegative(),
  estimated: z.boolean(),
});
export type Tally = z.infer<typeof Tally>;

/** What a person does to a loop outside of an escalation. */
export const Override = z.enum(['retry', 'refine', 'skip', 'ready', 'verdict', 'cancel', 'takeover', 'handback', 'improve', 'review']);
export type Override = z.infer<typeof Override>;

/** What a person may set as the verdict. */
export const SetVerdict = z.enum(['APPROVED', 'CHANGES_REQUESTED']);
export type SetVerdict = z.infer<typeof SetVerdict>;

/** What a person may change of a task: its words and conditions before anything is done, its limits at any time. What is left out stays. */
export const Edit = z
  .object({
    title: z.string(),
    text: z.string(),
    story: z.string().nullable(),
    plan: z.string().nullable(),
    ref: z.string().nullable(),
    group: z.string().nullable(),
    dependsOn: z.array(z.number().int().positive()),
    author: z.string(),
    reviewer: z.array(z.string()).min(1),
    fixer: z.string(),
    autoReview: z.boolean(),
    /** Whether a fixer answers what blocks; left out, it follows `autoReview`. */
    autoIterate: z.boolean(),
    maxRounds: z.number().int().positive(),
    ceilingUsd: z.number().nonnegative().nullable(),
  })
  .partial();
export type Edit = z.infer<typeof Edit>;

const Base = z.object({ ref: z.string(), commit: z.string(), mergeBase: z.string(), mergeBaseTree: z.string() });

const token = z.number().int();
const by = z.string();
const reason = z.string().nullable();
/** With a ruling that lets findings stand: what changed since they were raised, so that their lines are those of now. */
const deltas = z.array(Delta).optional();

/** All that can happen to a loop. `token` is the seq of the `started` entry that asked for a result. */
export const Event = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('created'),
    id: LoopNumber,
    uid: LoopUid,
    task: Task,
    settings: Settings,
    base: Base,
    start: Head,
    branch: z.string(),
    by,
    notes: z.array(z.string()),
  }),
  /** The day's spend as it was looked up in the transaction that starts a paid action, or asks why it does not start. */
  z.object({ type: z.literal('tallied'), ...Tally.shape }),
  z.object({ type: z.literal('started'), action: Action }),
  z.object({
    type: z.literal('authored'),
    token,
    outcome: WorkOutcome,
    summary: z.string().nullable(),
    taskComplete: z.boolean(),
    session: Session.nullable(),
  }),
  z.object({
    type: z.literal('fixed'),
    token,
    outcome: WorkOutcome,
    summary: z.string().nullable(),
    resolutions: z.array(Resolution),
    /** What the fixer did beyond what it was asked. */
    strayed: z.array(RaisedFinding),
    session: Session.nullable(),
  }),
  z.object({ type: z.literal('gated'), token, tree: z.string(), results: z.array(GateResult) }),
  z.object({
    type: z.literal('reviewed'),
    token,
    member: z.string(),
    agent: z.string(),
    outcome: ReviewOutcome,
    session: Session.nullable(),
  }),
  z.object({
    type: z.literal('arbitrated'),
    token,
    outcome: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('rulings'), rulings: z.array(Ruling) }),
      z.object({
        kind: z.literal('failed'),
        reason: z.enum(['agent-failed', 'timed-out', 'over-budget', ...Hindrance.options]),
        message: z.string(),
        until: Instant.nullable().optional(),
      }),
    ]),
    deltas,
    session: Session.nullable(),
  }),
  /** A refuted finding that the project remembers no more; the loop itself goes on as it did. */
  z.object({ type: z.literal('forgotten'), findingId: z.string(), by, reason }),
  /** A person's word about one finding. */
  z.object({ type: z.literal('ruled'), findingId: z.string(), ruling: PersonRuling, by, reason, deltas }),
  z.object({
    type: z.literal('escalated'),
    reason: EscalationReason,
    why: z.string(),
    /** With `oscillating`: what it swings between. */
    versions: Versions.nullable().default(null),
  }),
  z.object({ type: z.literal('finished'), state: EndState, why: z.string() }),
  z.object({
    type: z.literal('decided'),
    choice: Choice,
    by,
    reason,
    agent: z.string().nullable(),
    ceilingUsd: z.number().nonnegative().nullable(),
    deltas,
  }),
  z.object({
    type: z.literal('overridden'),
    override: Override,
    by,
    reason,
    /** With `verdict`: what is set. */
    verdict: SetVerdict.nullable(),
    /** With `improve`: whether the next review follows. With `review`: whether a fixer answers it. */
    review: z.boolean(),
  }),
  /** Words of a person about the change; `raised` where they ask for changes, which is a finding of theirs. */
  z.object({
    type: z.literal('commented'),
    by,
    text: z.string(),
    file: z.string().nullable(),
    line: z.number().int().positive().nullable(),
    /** The last line, where there are several. */
    lineEnd: z.number().int().positive().nullable().optional(),
    /** The draft that it was, and how its lines had fared since it was written. */
    draft: z.object({ id: z.string(), anchor: DraftAnchor }).optional(),
    /** Where it was submitted with drafts, or as one. */
    submission: SubmissionMark.optional(),
    raised: RaisedFinding.nullable(),
  }),
  /** A person changed the task or its limits. */
  z.object({ type: z.literal('edited'), by, reason, edit: Edit }),
  /** What it depends on is done: it starts from there. */
  z.object({
    type: z.literal('released'),
    base: Base,
    start: Head,
    /** The work that it starts from, by task. */
    ground: z.array(z.object({ id: z.number().int(), commit: z.string() })),
    notes: z.array(z.string()),
  }),
  /** What it depends on will not be done, or does not go together. */
  z.object({ type: z.literal('dependency-lost'), why: z.string() }),
  /** The branch of the loop was moved by somebody else; `applied` where a person applied the suggestion of a finding here. */
  z.object({
    type: z.literal('moved'),
    head: Head,
    descends: z.boolean(),
    applied: z.object({ findingId: z.string(), by, reason }).optional(),
  }),
  /** The process that ran the action is gone, or was asked to stop; its token is void. */
  z.object({ type: z.literal('interrupted'), token, why: z.string(), session: Session.nullable() }),
  /** All that is left of the money is reserved for sessions of other loops, or the disk is full: somebody looks again then. */
  z.object({
    type: z.literal('postponed'),
    /** What it waits for; money if left out. */
    for: z.enum(['slot', 'disk']).optional(),
    until: Instant,
    why: z.string(),
  }),
  /** What it waited for may be over. */
  z.object({ type: z.literal('woken') }),
  /** The checkout could not be made ready. */
  z.object({ type: z.literal('checkout-lost'), token, why: z.string() }),
  /** A person brought the work to a branch, or to their working tree. */
  z.object({ type: z.literal('landed'), onto: z.string(), commit: z.string(), by }),
  /** A person took it over from a file that another project exported: what came before was written elsewhere. */
  z.object({ type: z.literal('imported'), by }),
  z.object({
    type: z.literal('warned'),
    about: z.enum(['ceiling', 'branch', 'document']),
    /** With `ceiling`: which one; the loop's if left out. */
    ceiling: CeilingOf.optional(),
    text: z.string(),
  }),
  z.object({ type: z.literal('failed'), message: z.string(), stack: z.string().nullable() }),
  /** An event that the loop did not take, with the reason; what its session spent is booked all the same. */
  z.object({ type: z.literal('refused'), event: z.string(), why: z.string(), session: Session.nullable() }),
]);
export type Event = z.infer<typeof Event>;

/** An event in the journal of its loop. */
export type JournalEntry = { readonly seq: number; readonly at: string; readonly event: Event };
