import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { standingOf } from '../board/columns.ts';
import { movesOf } from '../board/moves.ts';
import { proposalOf } from '../board/proposal.ts';
import { deedName } from './deed.ts';
import type { Proposal } from './propose.ts';

/** Whether a loop is as it was looked at, or as it was before that. */
export function isAsLookedAt({ card }: Pick<ListedLoop, 'card'>, { seq }: Pick<Proposal, 'seq'>): boolean {
  return seq === undefined || card === null || card.seq <= seq;
}

/** What a person sees of a loop when they decide. */
type Decided = Pick<ListedLoop, 'state' | 'blocking' | 'card'>;

/** Whether a loop is another one to decide about than it was; whatever else its journal says of it changes nothing for a person. */
export function hasMovedOn(before: Decided, now: Decided): boolean {
  return gist(before) !== gist(now);
}

function gist({ state, blocking, card }: Decided): string {
  return JSON.stringify([state, blocking, card?.question, card?.choices, card?.overrides, card?.turns]);
}

/** A loop that somebody thinks about: for which proposal, as it was looked at then, and whether it is something else to decide about since. */
export type Watch = { readonly of: Pick<Proposal, 'seq'>; readonly seen: ListedLoop | undefined; readonly moved: boolean };

/** What is watched, after the loop is as it is now. What moved on stays so, also where it asks the same again: another proposal begins anew. */
export function watchOn({ of, seen, moved: before }: Watch, proposal: Pick<Proposal, 'seq'>, now: ListedLoop | undefined): Watch {
  const moved = before && of === proposal;
  if (now === undefined) return { of: proposal, seen, moved };
  if (isAsLookedAt(now, proposal)) return { of: proposal, seen: now, moved };
  return { of: proposal, seen, moved: moved || seen === undefined || !isAsLookedAt(seen, proposal) || hasMovedOn(seen, now) };
}

/** The same deed as it is offered now, as an answer or at any time; null where it is not any more. */
export function offeredNow({ deed }: Pick<Proposal, 'deed'>, now: ListedLoop): Proposal | null {
  const move = movesOf(now).find((one) => deedName(one.deed) === deedName(deed));
  return move === undefined ? null : proposalOf(now, move);
}

/** Where a loop stands now, in a word and a sentence. */
export function standsWords(now: ListedLoop): string {
  const { word } = standingOf(now);
  const more = now.card?.question ?? now.card?.now ?? null;
  return more === null ? `${word}.` : `${word}. ${more}`;
}
