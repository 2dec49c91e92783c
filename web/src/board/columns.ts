import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import type { LoopState } from '../../../src/core/loop-state.ts';
import type { RallyEnd } from '../ui/rally-geometry.ts';
import type { Turn } from '../ui/state-word.tsx';

/** The columns of the board, from left to right. */
export const COLUMNS = ['you', 'building', 'review', 'pull', 'done'] as const;
export type Column = (typeof COLUMNS)[number];

/** What the columns are called. */
export const COLUMN_NAMES: Readonly<Record<Column, string>> = {
  you: 'Needs you',
  building: 'Building',
  review: 'In review',
  pull: 'Pull request',
  done: 'Done',
};

/** Where a loop is on the board: its column, whose turn it is, and the word for it. */
export type Standing = { readonly column: Column; readonly turn: Turn; readonly word: string };

const STANDINGS: Readonly<Record<LoopState, Standing>> = {
  queued: { column: 'building', turn: 'waiting', word: 'Queued' },
  implementing: { column: 'building', turn: 'author', word: 'Implementing' },
  pending_self_review: { column: 'review', turn: 'waiting', word: 'Pending review' },
  self_reviewing: { column: 'review', turn: 'reviewer', word: 'Reviewing' },
  self_review_passed: { column: 'review', turn: 'settled', word: 'Review passed' },
  self_review_failed: { column: 'done', turn: 'waiting', word: 'Changes requested' },
  refining: { column: 'review', turn: 'author', word: 'Refining' },
  pr_created: { column: 'pull', turn: 'waiting', word: 'Pull request open' },
  awaiting_pr_feedback: { column: 'pull', turn: 'waiting', word: 'Awaiting feedback' },
  addressing_feedback: { column: 'pull', turn: 'author', word: 'Addressing feedback' },
  ready_for_human_review: { column: 'pull', turn: 'settled', word: 'Ready for human review' },
  approved: { column: 'done', turn: 'settled', word: 'Approved' },
  merged: { column: 'done', turn: 'settled', word: 'Merged' },
  needs_human: { column: 'you', turn: 'you', word: 'Needs you' },
  blocked: { column: 'you', turn: 'you', word: 'Taken over' },
  cancelled: { column: 'done', turn: 'waiting', word: 'Cancelled' },
  failed: { column: 'done', turn: 'failed', word: 'Failed' },
};

/** A state that this page does not know comes from a newer server: it is shown under its own name. */
function standingOfState(state: string): Standing {
  return isState(state) ? STANDINGS[state] : { column: 'building', turn: 'waiting', word: state.replaceAll('_', ' ') };
}

function isState(state: string): state is LoopState {
  return Object.hasOwn(STANDINGS, state);
}

type Placed = Pick<ListedLoop, 'state' | 'needsYou' | 'landed'>;

/** Where a loop is on the board. Whatever waits for a person is in the first column, however it came there. */
export function standingOf({ state, needsYou, landed }: Placed): Standing {
  const standing = standingOfState(state);
  if (needsYou) return { ...standing, column: 'you', turn: standing.turn === 'failed' ? 'failed' : 'you' };
  return landed && standing.column === 'done' ? { ...standing, word: 'Landed' } : standing;
}

/** The states whose loops are asked for page by page, because there may be any number of them. */
export const FINISHED: readonly LoopState[] = ['approved', 'merged', 'cancelled', 'self_review_failed'];

/** The states whose loops are all on the board. */
export const OPEN: readonly LoopState[] = Object.keys(STANDINGS)
  .filter(isState)
  .filter((state) => !FINISHED.includes(state));

/** Whether somebody works on a loop at this moment, so that something of it may move. */
export function isLive({ driven, phase, needsYou }: Pick<ListedLoop, 'driven' | 'phase' | 'needsYou'>): boolean {
  return driven && phase !== null && !needsYou;
}

/** What the rally of a loop runs into; null for one that was called off. */
export function rallyEnd(loop: Pick<ListedLoop, 'state' | 'needsYou' | 'driven' | 'phase' | 'landed'>): RallyEnd | null {
  const { turn } = standingOf(loop);
  if (turn === 'failed') return 'failed';
  if (turn === 'you' || turn === 'settled') return turn === 'you' ? 'you' : 'ok';
  if (loop.state === 'cancelled') return null;
  if (turn === 'waiting' || !isLive(loop)) return 'wait';
  if (turn === 'reviewer') return 'live-review';
  return loop.state === 'implementing' ? 'live-author' : 'live-fix';
}
