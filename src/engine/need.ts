import type { LoopRow } from '../store/store.ts';
import { isOver } from './put-away.ts';

/** What a loop needs of all that lies around its journal. `history`: what it left unfinished, and its transcripts. */
export type Need = 'everything' | 'history' | 'nothing';

/** What a loop still needs: all of it while it can go on or somebody drives it, nothing once it is over since before the limit. */
export function needOf(row: Pick<LoopRow, 'state' | 'wantsWork' | 'updatedAt'> & { readonly driven: boolean }, limit: string): Need {
  if (!isOver(row.state) || row.wantsWork || row.driven) return 'everything';
  return row.updatedAt < limit ? 'nothing' : 'history';
}
