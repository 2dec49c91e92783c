import { z } from 'zod';
import { VolleyError } from '../../core/errors.ts';
import { isAskedByAgent } from '../../engine/asked-by-agent.ts';
import { overrideLoop } from '../../engine/commands.ts';
import { AgentReviewReply, agentReviewReply, requireReview, reviewIdInput } from '../agent-review-reply.ts';
import { defineTool } from '../tool.ts';

/** `cancel_agent_review`: seed 000's command. */
export const cancelAgentReview = defineTool({
  name: 'cancel_agent_review',
  title: 'Cancel an agent review',
  description:
    'Stops a review for good: its agents are ended and it cannot go on. What was found stays in its journal. Only a review that an agent started by these tools can be cancelled, any other one only if the user switched that on (mcp.decide). Cancel what you started, or what the person asks you to.',
  input: z.object({
    reviewId: reviewIdInput,
    reason: z.string().trim().min(1).max(1000).optional().describe('Why; it stands in the journal.'),
  }),
  output: AgentReviewReply,
  effects: 'destroys',
  call: async ({ reviewId, reason }, call) => {
    const { desk, agent } = call;
    const { id } = await requireReview(desk, reviewId);
    if (!(await isAskedByAgent(desk.engine.store, id)) && !(await desk.control.mayDecide())) throw notYours(id);
    const loop = await overrideLoop(desk.engine, id, { override: 'cancel', by: agent, reason: reason ?? null });
    desk.stir();
    return await agentReviewReply(loop, call, [`Task ${id} is cancelled.`]);
  },
});

function notYours(id: number): VolleyError {
  return new VolleyError(
    'refused',
    `Task ${id} was not started by an agent, so no agent may cancel it.`,
    `Tell the person; their command is volley cancel ${id}.`,
  );
}
