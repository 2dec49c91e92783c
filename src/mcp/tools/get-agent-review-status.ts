import { z } from 'zod';
import { AgentReviewReply, agentReviewReply, requireReview, reviewIdInput } from '../agent-review-reply.ts';
import { defineTool } from '../tool.ts';

/** `get_agent_review_status`: seed 000's command. */
export const getAgentReviewStatus = defineTool({
  name: 'get_agent_review_status',
  title: 'Get the status of an agent review',
  description:
    'Tells at once how a review stands: its status, its rounds with their comments, and what it cost. To wait until it is over, use wait_for_review instead of calling this again and again.',
  input: z.object({ reviewId: reviewIdInput }),
  output: AgentReviewReply,
  effects: 'reads',
  call: async ({ reviewId }, call) => await agentReviewReply(await requireReview(call.desk, reviewId), call),
});
