import { z } from 'zod';
import { Choice } from '../../core/action.ts';
import { agentChoicesOf } from '../../core/agent-choices.ts';
import { VolleyError } from '../../core/errors.ts';
import type { Loop } from '../../core/loop.ts';
import { decideLoop, requireLoop } from '../../engine/commands.ts';
import { LoopReply, loopReply } from '../loop-reply.ts';
import { defineTool } from '../tool.ts';
import { loopInput } from './inputs.ts';

/** `decide`: an agent's answer to what a loop asks, where the user allows that. */
export const decide = defineTool({
  name: 'decide',
  title: 'Answer what a loop asks',
  description:
    'Answers the question of a task that stopped and asks a person, in your own name. It works only if the user switched it on (mcp.decide), and only for choices that let the loop go on by its own rules: nothing here accepts or approves a change. Ask the person first; without their word, do not call it.',
  input: z.object({
    loop: loopInput,
    choice: Choice.describe('One of those that the task offers to agents, as show_loop tells in asks.agentMayChoose.'),
    reason: z
      .string()
      .trim()
      .min(1)
      .max(4000)
      .describe('Why; it stands in the journal, and author and fixer read it. With answer: the answer itself.'),
  }),
  output: LoopReply,
  effects: 'destroys',
  call: async ({ loop: id, choice, reason }, call) => {
    const { desk, agent } = call;
    const loop = await requireLoop(desk.engine, id);
    if (!(await desk.control.mayDecide())) throw notAllowed(loop);
    if (!agentChoicesOf(loop).includes(choice)) throw notOffered(loop, choice);
    const decided = await decideLoop(desk.engine, id, { choice, by: agent, reason, agent: null, ceilingUsd: null });
    desk.stir();
    return await loopReply(decided, call, [`Task ${id}: ${choice}, written down as decided by ${agent}.`]);
  },
});

function notAllowed({ id }: Loop): VolleyError {
  return new VolleyError(
    'refused',
    'Agents may not decide here.',
    `Tell the person what task ${id} asks; they answer it with volley decide ${id}.`,
  );
}

function notOffered(loop: Loop, choice: Choice): VolleyError {
  const offered = agentChoicesOf(loop);
  return new VolleyError(
    'refused',
    `'${choice}' is not for an agent to choose in task ${loop.id} now.`,
    offered.length === 0 ? 'Only a person can answer it; tell them.' : `An agent may choose: ${offered.join(', ')}.`,
  );
}
