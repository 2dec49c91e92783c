import { z } from 'zod';
import { EscalationReason } from './action.ts';
import { Category, Severity } from './finding.ts';
import { LoopState } from './loop-state.ts';
import { Role } from './settings.ts';

const count = z.number().int().nonnegative();
/** Between 0 and 1; null where there is nothing to have a share of. */
const share = z.number().min(0).max(1).nullable();
const usd = z.number().nonnegative();
/** What some sessions came to; `estimatedUsd` is the part of `usd` that nobody measured. */
export const Spent = z.object({ usd, estimatedUsd: usd, sessions: count });
export type Spent = z.infer<typeof Spent>;

/** What the loops of a project came to, in the days that were asked for; the days are those of UTC. */
export const Analytics = z.object({
  type: z.literal('analytics'),
  v: z.literal(1),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** The loops that began in these days, as they stand now. */
  loops: z.object({
    total: count,
    byState: z.array(z.object({ state: LoopState, count })),
    approvedByReview: count,
    approvedByPerson: count,
    landed: count,
    /** How many loops had how many rounds. */
    byRounds: z.array(z.object({ rounds: count, count })),
    /** The rounds that an approved loop took, on average. */
    averageRounds: z.number().nullable(),
  }),
  firstReview: z.object({ reviewed: count, passed: count, passRate: share }),
  /** What reviews raised in these days, each finding once, as it stands now. */
  findings: z.object({
    total: count,
    fixed: count,
    refuted: count,
    accepted: count,
    open: count,
    /** The share of reviewers' findings that were refuted. */
    falsePositiveRate: share,
    /** The most common one first. */
    byCategory: z.array(z.object({ category: Category, count, fixed: count, refuted: count })),
    bySeverity: z.array(z.object({ severity: Severity, count, fixed: count, refuted: count })),
    perDay: z.array(z.object({ day: z.string(), count, byCategory: z.record(Category, count) })),
  }),
  /** An estimate; `assumption` says of what. */
  timeSaved: z.object({
    minutes: z.number().nonnegative(),
    /** The findings that were fixed without a person. */
    findings: count,
    minutesPerFinding: z.record(Severity, z.number()),
    assumption: z.string(),
  }),
  /** How often loops were handed to a person, by the reason. */
  escalations: z.array(z.object({ reason: EscalationReason, count })),
  reviewers: z.array(
    z.object({
      agent: z.string(),
      /** Sessions whose answer was waited for. */
      reviews: count,
      noVerdict: count,
      noVerdictShare: share,
      findings: count,
      refuted: count,
      refutedShare: share,
    }),
  ),
  spend: z.object({
    usd,
    measuredUsd: usd,
    estimatedUsd: usd,
    /** What was used on subscriptions, at the price of the same tokens; it is in none of the other sums unless it counts. */
    subscriptionUsd: usd,
    perDay: z.array(Spent.extend({ day: z.string() })),
    perAgent: z.array(Spent.extend({ agent: z.string() })),
    perModel: z.array(Spent.extend({ model: z.string().nullable() })),
  }),
  tokens: z.object({ input: count, output: count }),
  sessions: z.object({
    total: count,
    averageMs: z.number().nonnegative().nullable(),
    perRole: z.array(z.object({ role: Role, count, averageMs: z.number().nonnegative().nullable() })),
  }),
});
export type Analytics = z.infer<typeof Analytics>;
