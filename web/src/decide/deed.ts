import type { Choice } from '../../../src/core/action.ts';
import type { Card } from '../../../src/core/card.ts';
import type { Override } from '../../../src/core/event.ts';
import { ask } from '../api/queries.ts';

/** What has to be named beside a choice. */
export type Need = Card['choices'][number]['needs'];

/** What a person has done to a loop: an answer to what it asks, something that may be done at any time, a review that is ordered, or its work that is landed. */
export type Deed =
  | { readonly kind: 'choice'; readonly choice: Choice; readonly needs: Need }
  | { readonly kind: 'override'; readonly override: Override }
  | { readonly kind: 'review' }
  | { readonly kind: 'land' };

/** What ends a loop, may approve it, or ends what was to be passed: a person is asked again, and may say why. */
const GRAVE: ReadonlySet<string> = new Set(['accept', 'refute', 'cancel', 'skip', 'ready', 'land']);

/** The name of a deed, by which its words are found. */
export function deedName(deed: Deed): Choice | Override | 'land' {
  return deed.kind === 'choice' ? deed.choice : deed.kind === 'override' ? deed.override : deed.kind;
}

/** Whether a deed cannot be taken back. */
export function isGrave(deed: Deed): boolean {
  return GRAVE.has(deedName(deed));
}

/** Whether a deed is asked about before it is done: it is grave, or needs something to be named. */
export function isAskedAbout(deed: Deed): boolean {
  return isGrave(deed) || (deed.kind === 'choice' && deed.needs !== null);
}

/** How landing is offered, wherever it is. */
export const LANDING = {
  label: 'Land it…',
  does: 'Brings its commits to your branch, all of them or none.',
  deed: { kind: 'land' },
} as const;

/** What is said beside a deed. */
export type Said = { readonly reason?: string; readonly agent?: string; readonly ceilingUsd?: number; readonly onto?: string };

/** Does it, and returns what there is to tell beside that. `seq` is the loop as it was looked at: one that moved on since takes nothing. */
export async function perform(
  deed: Deed,
  { loop, seq, said }: { readonly loop: number; readonly seq?: number; readonly said: Said },
): Promise<string | null> {
  const { reason = null, agent = null, ceilingUsd = null, onto = '' } = said;
  switch (deed.kind) {
    case 'choice':
      await ask('decideLoop', { params: { id: loop }, body: { choice: deed.choice, reason, agent, ceilingUsd, seq } });
      return null;
    case 'override':
      await ask('overrideLoop', { params: { id: loop }, body: { override: deed.override, reason, seq } });
      return null;
    case 'review':
      await ask('startReviewLoop', { params: { featureId: loop }, body: { reason } });
      return null;
    case 'land': {
      const done = await ask('landLoop', { params: { id: loop }, body: { onto: onto.trim() === '' ? null : onto.trim() } });
      return done.kind === 'already' ? `#${loop} was on ${done.onto} already.` : `Landed #${loop} on ${done.onto}.`;
    }
  }
}
