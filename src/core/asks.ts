import type { EscalationReason } from './action.ts';

/** Why a person is asked, in two or three words. */
export const ASKS: Readonly<Record<EscalationReason, string>> = {
  tampered: 'Reviewer changed files',
  ceiling: 'Ceiling reached',
  'needs-discussion': 'Question',
  disputed: 'Disputed',
  oscillating: 'Going in circles',
  'stuck-finding': 'Stuck',
  'no-progress': 'No progress',
  'gates-red': 'Gates red',
  'no-verdict': 'No verdict',
  'max-rounds': 'Max rounds reached',
  'agent-failed': 'Agent failed',
  'timed-out': 'Timed out',
  'not-complete': 'Not finished',
  'branch-moved': 'Branch moved',
  'checkout-missing': 'Checkout missing',
  dependency: 'Dependency lost',
  forge: 'Forge failed',
};
