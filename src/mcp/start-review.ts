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
export function startedWords(started: StartedReview): string[] {
  const { loop, isNew, workTree, notes } = started;
  const who = loop.roles.reviewer.join(', ');
  if (!isNew)
    return [
      `Task ${loop.id} reviews exactly this already, by ${who}, so no other review is started. The same code would get the same answer.`,
      scopeWords(started),
    ];
  return [
    `The review is started as task ${loop.id}, by ${who}, of the change in ${workTree}.`,
    scopeWords(started),
    ...notes,
    ...startNotes(loop),
  ];
}

/** What is part of a review and what is not, so that nobody takes the approval of a part for that of the whole. */
export function scopeWords({ loop, change, branch }: StartedReview): string {
  const on = branch === null ? 'what is checked out' : quote(branch, LONGEST_NAME);
  if (change.kind === 'range') return `It is about the commits ${quote(change.range, LONGEST_NAME)} alone.`;
  if (change.kind === 'branch')
    return `It is about the commits of ${change.branch === 'HEAD' ? on : quote(change.branch, LONGEST_NAME)} alone.`;
  return change.base === undefined
    ? `It is about what is not committed on ${on}; what is committed there is no part of it.`
    : `It is about all that ${on} has beyond ${loop.base.mergeBase.slice(0, 12)}, committed or not.`;
}

/** What whoever asked for a review should know about how it was started. */
export function startNotes({ notes }: Loop): string[] {
  return notes.map((note) => `Note: ${quote(note, LONGEST_NOTE)}`);
}

const LONGEST_NOTE = 300;
const LONGEST_NAME = 120;
