import type { Choice } from './action.ts';
import { choicesOf } from './choices.ts';
import type { Loop } from './loop.ts';

/**
 * What an agent may answer in the place of a person: only what lets a loop go on under its own rules, or ends it. Nothing that approves,
 * takes away what an approval has to pass, chooses who judges, or allows more money.
 */
const OF_AGENTS: readonly Choice[] = ['one-more-round', 'answer', 'retry', 'continue', 'refine', 'uphold', 'cancel'];

/** The choices of a loop that an agent may take, where the settings let agents decide at all. */
export function agentChoicesOf(loop: Loop): readonly Choice[] {
  return choicesOf(loop).filter((choice) => OF_AGENTS.includes(choice));
}
