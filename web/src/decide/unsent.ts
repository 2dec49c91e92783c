import type { Said } from './deed.ts';
import { deedName } from './deed.ts';
import type { Proposal } from './propose.ts';

const unsent = new Map<string, Said>();

function keyOf({ loop, deed }: Pick<Proposal, 'loop' | 'deed'>): string {
  return `${loop} ${deedName(deed)}`;
}

/** What was written for a deed and never sent; empty where nothing was. */
export function unsentOf(proposal: Pick<Proposal, 'loop' | 'deed'>): Said {
  return unsent.get(keyOf(proposal)) ?? {};
}

/** Keeps what is written until it is sent, so that leaving a dialog loses nothing. */
export function keepUnsent(proposal: Pick<Proposal, 'loop' | 'deed'>, said: Said): void {
  unsent.set(keyOf(proposal), said);
}

/** Forgets it, because it was sent. */
export function forgetUnsent(proposal: Pick<Proposal, 'loop' | 'deed'>): void {
  unsent.delete(keyOf(proposal));
}
