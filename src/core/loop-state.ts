import { z } from 'zod';

/** Where a loop stands; seed 002's names and what the other seeds need. */
export const LoopState = z.enum([
  'queued',
  'implementing',
  'pending_self_review',
  'self_reviewing',
  'self_review_passed',
  'self_review_failed',
  'refining',
  'pr_created',
  'awaiting_pr_feedback',
  'addressing_feedback',
  'ready_for_human_review',
  'approved',
  'merged',
  'needs_human',
  'blocked',
  'cancelled',
  'failed',
]);
export type LoopState = z.infer<typeof LoopState>;
