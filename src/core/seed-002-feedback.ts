import { z } from 'zod';
import { Severity } from './finding.ts';
import { Instant } from './instant.ts';

/** Words on a pull request, as seed 002 has them. */
export const PRComment = z.object({
  id: z.number(),
  author: z.string(),
  body: z.string(),
  file: z.string().exactOptional(),
  line: z.number().exactOptional(),
  createdAt: Instant,
  isBot: z.boolean(),
});
export type PRComment = z.infer<typeof PRComment>;

/** A review on a pull request, as seed 002 has it. */
export const PRReview = z.object({
  id: z.number(),
  author: z.string(),
  state: z.enum(['approved', 'changes_requested', 'commented', 'pending']),
  body: z.string().exactOptional(),
  comments: z.array(PRComment),
  submittedAt: Instant,
});
export type PRReview = z.infer<typeof PRReview>;

/** Everything that a pull request has been told, as seed 002 has it. */
export const PRFeedback = z.object({
  prNumber: z.number(),
  comments: z.array(PRComment),
  reviews: z.array(PRReview),
  checksStatus: z.enum(['pending', 'passing', 'failing']),
  mergeable: z.boolean(),
  requestedChanges: z.boolean(),
});
export type PRFeedback = z.infer<typeof PRFeedback>;

/**
 * What the feedback on a pull request asks for: the answer that seed 002's analyzer prompt prescribes. A comment on the whole
 * pull request, and a check, have no place.
 */
export const AnalyzedFeedback = z.object({
  actionableIssues: z.array(
    z.object({
      source: z.enum(['comment', 'review', 'check']),
      sourceId: z.number(),
      author: z.string(),
      severity: Severity.exclude(['suggestion']),
      file: z.string().exactOptional(),
      line: z.number().exactOptional(),
      description: z.string(),
      suggestedAction: z.string(),
    }),
  ),
  questionsToAnswer: z.array(z.object({ sourceId: z.number(), author: z.string(), question: z.string(), suggestedResponse: z.string() })),
  requiresHumanDecision: z.array(z.object({ sourceId: z.number(), reason: z.string() })),
  overallStatus: z.enum(['ready_to_fix', 'needs_human_input', 'blocked']),
});
export type AnalyzedFeedback = z.infer<typeof AnalyzedFeedback>;
