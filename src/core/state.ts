import type { Effect } from './action.ts';
import type { LoopState } from './loop-state.ts';
import type { Loop } from './loop.ts';

/** Where a loop stands, derived from everything else in it. */
export function stateOf(loop: Omit<Loop, 'state'>): LoopState {
  if (loop.ending !== null) return loop.ending.state;
  if (loop.takenOver !== null) return 'blocked';
  if (loop.escalation !== null) return 'needs_human';
  if (loop.current !== null) return stateDuring(loop.current.action, loop);
  return stateBetween(loop);
}

function stateDuring(action: Effect, loop: Omit<Loop, 'state'>): LoopState {
  switch (action.do) {
    case 'author':
      return 'implementing';
    case 'review':
      return 'self_reviewing';
    case 'fix':
    case 'arbitrate':
      return 'refining';
    case 'gates':
      return loop.rounds.length === 0 ? 'pending_self_review' : 'refining';
  }
}

function stateBetween(loop: Omit<Loop, 'state'>): LoopState {
  if (loop.approval !== null) return 'self_review_passed';
  const last = loop.rounds.at(-1);
  if (last !== undefined) {
    if (last.head.tree !== loop.head?.tree || last.fix !== null) return 'refining';
    return last.verdict === 'approved' ? 'self_review_passed' : 'self_review_failed';
  }
  if (!loop.begun && loop.commits.length === 0) return 'queued';
  if (loop.task.kind === 'review') return 'pending_self_review';
  if (loop.author.complete) return 'pending_self_review';
  return 'implementing';
}
