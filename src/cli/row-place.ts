import type { DrivenRow } from '../app-board.ts';
import { isOver } from '../core/needs-you.ts';

/** Where a task of the overview belongs: what asks somebody first, then what runs by itself, then what is over. */
export type Place = 'you' | 'land' | 'running' | 'waiting' | 'stopped' | 'pending' | 'over';

/** The place of a row. */
export function placeOf(row: DrivenRow): Place {
  if (row.needsYou) return 'you';
  if (row.waiting !== null && !row.wantsWork && !isOver(row)) return 'waiting';
  if (row.wantsWork) return row.driven ? 'running' : row.state === 'queued' ? 'pending' : 'stopped';
  return row.state === 'approved' && row.next?.startsWith('volley land ') === true ? 'land' : 'over';
}
