import type { Edit } from './event.ts';
import { isLanded } from './land-problem.ts';
import type { Loop } from './loop.ts';

/**
 * What it takes to have a loop reviewed: an order, a change of the task while it is not implemented yet, nothing because it goes
 * there by itself, or something else, which is said.
 */
export type ReviewStart =
  | { readonly kind: 'order'; readonly fix: boolean }
  | { readonly kind: 'edit'; readonly edit: Edit }
  | { readonly kind: 'under-way' }
  | { readonly kind: 'refused'; readonly why: string; readonly remedy: string };

/** How the review of a loop starts; one that was reviewed is not begun anew, and one that asks is not gone past. */
export function reviewStart(loop: Loop): ReviewStart {
  const { id, ending } = loop;
  if (isLanded(loop)) return refused(`its work has landed on ${loop.landed?.onto ?? ''}`, `Start a new task for what is still to be done.`);
  if (loop.takenOver !== null) return refused(`${loop.takenOver.by} took it over`, `Hand it back first: volley handback ${id}.`);
  if (loop.escalation !== null)
    return refused(`it asks a person: ${loop.escalation.why}`, `Decide first; volley show ${id} has the choices.`);
  switch (ending?.state) {
    case undefined:
      return startOnItsWay(loop);
    case 'pending_self_review':
    case 'ready_for_human_review':
      return loop.settings.review.enabled ? { kind: 'order', fix: loop.autoIterate } : switchedOff();
    case 'self_review_failed':
      return refused(`its review asked for changes: ${ending?.why ?? ''}`, `Refine it, or retry for another review.`);
    case 'approved':
      return approved();
    case 'cancelled':
      return refused('it was cancelled', `Start a new task for what is still to be done.`);
    case 'failed':
      return refused(`it failed: ${ending?.why ?? ''}`, `Retry it once that is mended.`);
  }
}

/** One that would come to rest without a review is told to go on to it; whether a fixer answers that stays as it was. */
function startOnItsWay(loop: Loop): ReviewStart {
  const { task, order, rounds, autoReview, autoIterate } = loop;
  if (!loop.settings.review.enabled) return switchedOff();
  if (loop.approval !== null) return approved();
  if (loop.reviewSkipped) return { kind: 'order', fix: autoIterate };
  if (order === 'improve' || order === 'rest-unreviewed')
    return refused('somebody ordered an improvement that is not reviewed', 'Start the review when the improvement is done.');
  const isReviewed = task.kind !== 'implement' || autoReview || rounds.length > 0 || (order !== null && order !== 'fix');
  return isReviewed ? { kind: 'under-way' } : { kind: 'edit', edit: { autoReview: true, autoIterate } };
}

function switchedOff(): ReviewStart {
  return refused('reviews are switched off for it', 'Switch them on with review.enabled, and add the task again.');
}

function approved(): ReviewStart {
  return refused('it is approved', `Start a new task for what is still to be done.`);
}

function refused(why: string, remedy: string): ReviewStart {
  return { kind: 'refused', why, remedy };
}
