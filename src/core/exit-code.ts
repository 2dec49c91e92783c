import type { Loop } from './loop.ts';

/** The exit code of a command that drove a loop: 0 approved or not asked to review, 2 a question is open, 3 any other rest, 1 failed. */
export function exitCodeOf(loop: Loop): 0 | 1 | 2 | 3 {
  if (loop.ending?.state === 'failed') return 1;
  if (loop.escalation !== null && loop.takenOver === null) return 2;
  if (loop.ending?.state === 'approved' && loop.approval !== null) return 0;
  const unasked =
    loop.ending?.state === 'pending_self_review' || (loop.ending?.state === 'ready_for_human_review' && !loop.settings.review.enabled);
  return unasked ? 0 : 3;
}
