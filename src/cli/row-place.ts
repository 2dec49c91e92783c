import type { BoardRow } from '../app-board.ts';

/** Where a task of the overview belongs: what asks somebody first, then what runs by itself, then what is over. */
export type Place = 'you' | 'land' | 'running' | 'waiting' | 'stopped' | 'pending' | 'over';

/** The place of a row. */
export function placeOf(row: BoardRow): Place {
  if (needsYou(row)) return 'you';
  if (row.waiting !== null && !row.wantsWork && !OVER.has(row.state)) return 'waiting';
  if (row.wantsWork) return row.driven ? 'running' : row.state === 'queued' ? 'pending' : 'stopped';
  return row.state === 'approved' && row.next?.startsWith('volley land ') === true ? 'land' : 'over';
}

const OVER: ReadonlySet<string> = new Set(['approved', 'merged', 'cancelled', 'failed', 'self_review_failed', 'ready_for_human_review']);

/** Whether nothing happens to a task until somebody does something. A review that was asked for alone is answered when it is read. */
export function needsYou(row: BoardRow): boolean {
  if (row.state === 'needs_human' || row.state === 'blocked' || row.state === 'failed') return true;
  if (row.wantsWork) return false;
  if (row.waiting === 'login') return !OVER.has(row.state);
  if (row.state === 'pending_self_review' && row.waiting === null) return true;
  return row.state === 'ready_for_human_review' || (row.state === 'self_review_failed' && row.kind === 'implement');
}
