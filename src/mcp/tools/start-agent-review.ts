import { z } from 'zod';
import { AgentReviewReply, agentReviewReply } from '../agent-review-reply.ts';
import { startedWords, startReview } from '../start-review.ts';
import { defineTool } from '../tool.ts';
import { changeInputs, changeOf, reviewerInput, workTreeInput } from './inputs.ts';

/** `start_agent_review`: seed 000's command. */
export const startAgentReview = defineTool({
  name: 'start_agent_review',
  title: 'Start an agent review',
  description:
    'Starts a review of a change by another agent. With autoIterate a fixer of Volley answers the findings on a branch of its own, round after round, until it is approved or a person is asked; without it the review is one round. It returns at once: then call wait_for_review. To have your own change reviewed and fix it yourself, use review_my_change.',
  input: z.object({
    ...changeInputs,
    reviewer: reviewerInput,
    workTree: workTreeInput,
    autoIterate: z
      .boolean()
      .optional()
      .describe('Whether a fixer answers the findings by itself. Left out: as configured, off by default.'),
    maxRounds: z.number().int().min(1).max(100).optional().describe('How many reviews it may take. Left out: as configured, 3 by default.'),
    costCeiling: z
      .number()
      .nonnegative()
      .max(1_000_000)
      .optional()
      .describe('The most dollars that it may spend; it may lower the configured ceiling, not raise it.'),
  }),
  output: AgentReviewReply,
  effects: 'writes',
  call: async ({ reviewer = null, workTree = null, autoIterate = null, maxRounds = null, costCeiling = null, ...change }, call) => {
    const limits = { autoIterate, maxRounds, costCeiling };
    const started = await startReview({ change: changeOf(change), reviewer, workTree, ...limits }, call);
    return await agentReviewReply(started.loop, call, startedWords(started));
  },
});
