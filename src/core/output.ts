import { z } from 'zod';
import { Choice, EscalationReason } from './action.ts';
import { Event } from './event.ts';
import { Category, FindingSource, FindingStatus, Provenance, Resolution, Severity } from './finding.ts';
import { Instant } from './instant.ts';
import { Proof } from './proof.ts';

const v = z.literal(1);

/** A finding as programs see it. */
export const FindingOutput = z.object({
  type: z.literal('finding'),
  v,
  id: z.string(),
  status: FindingStatus,
  provenance: Provenance,
  source: FindingSource,
  severity: Severity,
  category: Category,
  file: z.string().nullable(),
  line: z.number().nullable(),
  lineEnd: z.number().nullable(),
  description: z.string(),
  impact: z.string().nullable(),
  suggestion: z.string().nullable(),
  /** Whether it comes with an exact patch that a person can apply now; only a look at the file tells whether that fits still. */
  applicable: z.boolean(),
  blocking: z.boolean(),
  firstRound: z.number(),
  lastRound: z.number(),
  anchor: z.enum(['exact', 'moved', 'outdated', 'unplaced']),
  /** Where it was last raised, if that is another place than now. */
  movedFrom: z.object({ file: z.string().nullable(), line: z.number().nullable() }).nullable(),
  /** The lines as they were when it was last raised. */
  snippet: z.string().nullable(),
  also: z.array(z.string()),
  resolution: Resolution.nullable(),
  ruling: z
    .object({
      ruling: z.enum(['refuted', 'upheld', 'accepted', 'reopened']),
      by: z.string(),
      person: z.boolean(),
      note: z.string(),
      from: z.string().nullable(),
      remembered: z.boolean(),
    })
    .nullable(),
  raisedBy: z.array(z.string()),
  flags: z.array(z.string()),
});
export type FindingOutput = z.infer<typeof FindingOutput>;

/** A loop as programs see it; the last line of every command that drives one. */
export const LoopOutput = z.object({
  type: z.literal('loop'),
  v,
  id: z.number(),
  uid: z.string(),
  /** How far its journal is: who decides may say it, and decides nothing about a loop that moved on since. */
  seq: z.number(),
  task: z.object({
    kind: z.string(),
    title: z.string(),
    text: z.string(),
    ref: z.string().nullable(),
    dependsOn: z.array(z.number()),
    group: z.string().nullable(),
    /** The review whose findings were answered before this one. */
    follows: z.number().nullable(),
  }),
  state: z.string(),
  finalVerdict: z.string().nullable(),
  approval: z
    .union([
      z.object({ by: z.literal('review'), round: z.number(), proof: Proof, proofs: z.array(Proof) }),
      z.object({ by: z.literal('person'), name: z.string(), reason: z.string().nullable() }),
    ])
    .nullable(),
  branch: z.string(),
  base: z.string(),
  head: z.string().nullable(),
  rounds: z.array(
    z.object({
      round: z.number(),
      verdict: z.string(),
      why: z.string(),
      notes: z.array(z.string()),
      reviewers: z.array(z.string()),
      lost: z.array(z.string()),
      findings: z.number(),
      blocking: z.number(),
      channel: z.string(),
      confinement: z.string(),
      spendUsd: z.number().nullable(),
    }),
  ),
  /** Where the blocking findings of the last two rounds point to; shown, never a reason to stop. */
  trend: z.enum(['converging', 'plateau', 'diverging']).nullable(),
  findings: z.array(FindingOutput),
  gates: z.array(z.object({ name: z.string(), passed: z.boolean(), redBefore: z.boolean(), reran: z.boolean() })),
  waiting: z.object({ for: z.string(), until: Instant.optional() }).nullable(),
  spend: z.object({
    usd: z.number(),
    estimated: z.boolean(),
    /** The lesser of the loop's and its run's. */
    ceilingUsd: z.number().nullable(),
    subscriptionUsd: z.number(),
    /** Where the day has a ceiling: what all loops spent on it, as it was looked up for the last paid session of this one. */
    day: z.object({ day: z.string(), usd: z.number(), estimated: z.boolean(), ceilingUsd: z.number() }).optional(),
  }),
  /** Who decided what, and why. */
  decisions: z.array(z.object({ at: Instant, by: z.string(), what: z.string(), reason: z.string().nullable(), round: z.number() })),
  comments: z.array(
    z.object({
      at: Instant,
      by: z.string(),
      text: z.string(),
      file: z.string().nullable(),
      line: z.number().nullable(),
      lineEnd: z.number().nullable(),
      findingId: z.string().nullable(),
    }),
  ),
  escalation: z.object({ reason: EscalationReason, why: z.string(), choices: z.array(Choice) }).optional(),
  /** Who took it over from the file of another project, and when; what came before that was written there. */
  imported: z.object({ by: z.string(), at: Instant }).nullable(),
  /** Also for a loop at rest after a blocking review, which is no escalation. */
  choices: z.array(Choice),
  next: z.string().nullable(),
});
export type LoopOutput = z.infer<typeof LoopOutput>;

/** An entry of a journal as programs see it. */
export const EventOutput = z.object({
  type: z.literal('event'),
  v,
  loop: z.number(),
  seq: z.number(),
  at: Instant,
  state: z.string(),
  event: Event,
});
export type EventOutput = z.infer<typeof EventOutput>;

/** An error as programs see it. */
export const ErrorOutput = z.object({ type: z.literal('error'), v, code: z.string(), message: z.string(), remedy: z.string() });
export type ErrorOutput = z.infer<typeof ErrorOutput>;

/** Where a server listens, and the files with the tokens that it asks for; the first line of `volley serve`. */
export const ListeningOutput = z.object({
  type: z.literal('listening'),
  v,
  url: z.string(),
  tokenFile: z.string(),
  /** Of the token that agents are given: it opens `/mcp` alone. */
  agentTokenFile: z.string(),
  /** The process that serves. */
  pid: z.number().int(),
});
export type ListeningOutput = z.infer<typeof ListeningOutput>;

/** The first line of an exported history. */
export const ExportOutput = z.object({
  type: z.literal('export'),
  v,
  /** The version of Volley that wrote it. */
  version: z.string(),
  /** The name of the project's folder, without where it lies. */
  project: z.string(),
  exportedAt: Instant,
  /** How many loops follow, each with its journal. */
  loops: z.number().int().nonnegative(),
});
export type ExportOutput = z.infer<typeof ExportOutput>;
