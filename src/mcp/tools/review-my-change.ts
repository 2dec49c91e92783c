import { z } from 'zod';
import { LoopReply, loopReply } from '../loop-reply.ts';
import { startedWords, startReview } from '../start-review.ts';
import { defineTool } from '../tool.ts';
import { changeInputs, changeOf, reviewerInput, workTreeInput } from './inputs.ts';

/** `review_my_change`: a review of what the agent did, which the agent itself answers. */
export const reviewMyChange = defineTool({
  name: 'review_my_change',
  title: 'Review my change',
  description:
    'Has the change that you made in this repository reviewed by another agent, before you say that you are done. It starts the review and returns at once with its number: then call wait_for_review. Nothing of yours is touched; you fix the findings yourself and call report_fixes. Without arguments it takes all that the current branch has beyond the default branch, committed or not; on the default branch itself, what is not committed.',
  input: z.object({ ...changeInputs, reviewer: reviewerInput, workTree: workTreeInput }),
  output: LoopReply,
  effects: 'writes',
  call: async ({ reviewer = null, workTree = null, ...change }, call) => {
    const started = await startReview({ change: changeOf(change), reviewer, workTree, autoIterate: false }, call);
    return await loopReply(started.loop, call, startedWords(started));
  },
});
