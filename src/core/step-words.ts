import type { Action, EndState, FixCause } from './action.ts';
import { agentsOf } from './action.ts';
import { ASKS } from './asks.ts';
import { someOf } from './words.ts';

/** A step that a task would take, as people say it. `gates` are the names of those that run. */
export function stepWords(action: Action, gates: readonly string[]): string {
  switch (action.do) {
    case 'author':
      return `${action.agent} builds it`;
    case 'gates':
      return gates.length === 1 ? `the gate ${someOf(gates)} runs` : `the gates run: ${someOf(gates)}`;
    case 'review':
      return `round ${action.round}: ${reviewersWords(agentsOf(action))}`;
    case 'fix':
      return `${action.agent} ${FIXES[action.cause]}`;
    case 'arbitrate':
      return `${action.agent} rules on what is disputed`;
    case 'escalate':
      return `you are asked: ${ASKS[action.reason].toLowerCase()}`;
    case 'finish':
      return ENDS[action.state];
    case 'wait':
    case 'rest':
      return 'it waits';
  }
}

/** Who reviews a change, as people say it. */
export function reviewersWords(reviewers: readonly string[]): string {
  if (reviewers.length === 0) return 'nobody reviews it';
  return `${someOf(reviewers)} ${reviewers.length === 1 ? 'reviews' : 'review'} it`;
}

const FIXES: Readonly<Record<FixCause, string>> = {
  review: 'answers what was found',
  order: 'improves it',
  gates: 'mends what makes a gate red',
  withheld: 'takes out what must not be committed',
};

const ENDS: Readonly<Record<EndState, string>> = {
  approved: 'it is approved',
  self_review_failed: 'it rests with what was found, and you decide',
  pending_self_review: 'it rests, built and not reviewed, until you ask for a review',
  ready_for_human_review: 'it is ready for you to read, without a review',
  cancelled: 'it is cancelled',
  failed: 'it fails, and you are told why',
};
