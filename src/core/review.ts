import { z } from 'zod';
import { ReportedIssue } from './finding.ts';
import type { Resolution } from './finding.ts';

/** What a review says, or what was computed from it. */
export const Verdict = z.enum(['approved', 'changes_requested', 'needs_discussion']);
export type Verdict = z.infer<typeof Verdict>;

/** Something a reviewer ran, with what it printed. */
export const Evidence = z.object({ claim: z.string(), command: z.string(), output: z.string() });
export type Evidence = z.infer<typeof Evidence>;

/** Tokens and money of one session, as the agent reported them. */
export const Usage = z.object({
  /** All tokens that went in, those of the cache included. */
  inputTokens: z.number().nonnegative().nullable(),
  outputTokens: z.number().nonnegative().nullable(),
  costUsd: z.number().nonnegative().nullable(),
  /** Of the input: read from the cache. */
  cachedTokens: z.number().nonnegative().nullable().default(null),
  /** Of the input: written to the cache. */
  cacheWriteTokens: z.number().nonnegative().nullable().default(null),
  /** Of the output: spent on reasoning. */
  reasoningTokens: z.number().nonnegative().nullable().default(null),
});
export type Usage = z.infer<typeof Usage>;

/** The way a result came back, most trusted first. */
export const Channel = z.enum(['mcp', 'structured', 'result-file', 'nonce', 'text']);
export type Channel = z.infer<typeof Channel>;

/** What the readers understood of a reviewer's answer; `claim` is what it said, not yet what holds. */
export const ReviewReading = z.object({
  channel: Channel,
  claim: Verdict.nullable(),
  /** False: this channel may carry findings and a rejection, never an approval. */
  mayApprove: z.boolean(),
  summary: z.string().nullable(),
  interpretedIntent: z.string().nullable(),
  intentSatisfied: z.boolean().nullable(),
  issues: z.array(ReportedIssue),
  evidence: z.array(Evidence),
  usage: Usage.nullable(),
  /** The commit that it says it reviewed, as it was written. */
  head: z.string().nullable().default(null),
});
export type ReviewReading = z.infer<typeof ReviewReading>;

/** What the readers understood of an author's answer. */
export type AuthorReading = {
  readonly summary: string | null;
  readonly taskComplete: boolean;
  readonly usage: Usage | null;
};

/** What the readers understood of a fixer's answer. */
export type FixReading = {
  readonly summary: string | null;
  readonly resolutions: readonly Resolution[];
  readonly commits: readonly { readonly summary: string; readonly paths: readonly string[] }[];
  readonly usage: Usage | null;
};

/** One ruling of an arbiter. */
export const Ruling = z.object({ findingId: z.string(), ruling: z.enum(['upheld', 'refuted']), note: z.string() });
export type Ruling = z.infer<typeof Ruling>;
