import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import type { Proposal } from '../decide/propose.ts';
import type { Move } from './moves.ts';

/** A move as it is proposed, with what was looked at. */
export function proposalOf({ id, card }: Pick<ListedLoop, 'id' | 'card'>, { label, does, deed }: Move): Proposal {
  return { loop: id, label, does, deed, raiseToUsd: card?.raiseToUsd ?? null, ...(card === null ? {} : { seq: card.seq }) };
}
