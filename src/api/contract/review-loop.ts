import { z } from 'zod';
import { AgentReview } from '../../core/seed-000.ts';
import { ReviewLoopSession, ReviewResult } from '../../core/seed-002.ts';
import { Reason } from './people.ts';
import { LoopName, LoopParams, route } from './route.ts';

const feature = { tag: 'review-loop', params: z.object({ featureId: LoopName }), reply: ReviewLoopSession } as const;
const body = z.object({ reason: Reason });

/** Seed 002's seven routes, to the letter, and seed 000's view of a loop. */
export const reviewLoopContract = {
  startReviewLoop: route({
    ...feature,
    method: 'POST',
    path: '/api/review-loop/:featureId/start',
    summary:
      'Has a task reviewed that rests unreviewed, or that would once it is implemented; one that goes there by itself is left alone.',
    body,
    status: 202,
  }),
  reviewLoopStatus: route({
    ...feature,
    method: 'GET',
    path: '/api/review-loop/:featureId/status',
    summary: 'Where a loop stands, with all its reviews.',
  }),
  reviewLoopHistory: route({
    ...feature,
    method: 'GET',
    path: '/api/review-loop/:featureId/history',
    summary: 'The review of every round, oldest first.',
    reply: z.array(ReviewResult),
  }),
  skipReview: route({
    ...feature,
    method: 'POST',
    path: '/api/review-loop/:featureId/skip',
    summary: 'Ends reviewing: the change goes to the pull request or, without one, to a person, and says that it was not reviewed.',
    body,
  }),
  retryReviewLoop: route({
    ...feature,
    method: 'POST',
    path: '/api/review-loop/:featureId/retry',
    summary: 'Tries the current stage again.',
    body,
  }),
  refineReviewLoop: route({
    ...feature,
    method: 'POST',
    path: '/api/review-loop/:featureId/refine',
    summary: 'Has the fixer answer the open findings now; a reason guides it.',
    body,
  }),
  markReady: route({
    ...feature,
    method: 'POST',
    path: '/api/review-loop/:featureId/ready',
    summary: 'Marks the change as ready for a person, as it is.',
    body,
  }),
  agentReview: route({
    method: 'GET',
    path: '/api/loops/:id/agent-review',
    tag: 'review-loop',
    summary: "A loop as seed 000's review, with what each round cost.",
    params: LoopParams,
    reply: AgentReview,
  }),
};
