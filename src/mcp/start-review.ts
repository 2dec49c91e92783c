import type { Loop } from '../core/loop.ts';
import { VolleyError } from '../core/errors.ts';
import type { ReviewRequest, StartedReview } from '../engine/control-desk.ts';
import type { Call } from './tool.ts';
import { quote } from './untrusted.ts';

/** Starts a review in the name of the agent, or finds the one of the very same; that there is nothing to review is an error that says so. */
export async function startReview(request: Partial<ReviewRequest>, { desk, agent, signal, workTree }: Call): Promise<StartedReview> {
  // Nobody should find a review later that nobody waited for.
  signal.throwIfAborted();
  const nothing = { change: null, reviewer: null, autoIterate: null, maxRounds: null, costCeiling: null, follows: null, workTree: null };
  const started = await desk.control.review({ ...nothing, ...request, by: agent });
  if (started === null)
    throw new VolleyError(
      'refused',
      `Nothing to review in ${request.workTree ?? workTree}: the change does not differ from its base.`,
      'Change something first, or name another change (working-tree, branch or range) or another workTree of the project.',
    );
  desk.stir();
  return started;
}

/** What whoever asked for a review should know about it. */
export function startedWords({ loop, isNew, workTree }: StartedReview): string[] {
  const who = loop.roles.reviewer.join(', ');
  if (!isNew)
    return [
      `Task ${loop.id} reviews exactly this already, by ${who}, so no other review is started. The same code would get the same answer.`,
    ];
  return [`The review is started as task ${loop.id}, by ${who}, of the change in ${workTree}.`, ...startNotes(loop)];
}

/** What whoever asked for a review should know about how it was started. */
export function startNotes({ notes }: Loop): string[] {
  return notes.map((note) => `Note: ${quote(note, LONGEST_NOTE)}`);
}

const LONGEST_NOTE = 300;
