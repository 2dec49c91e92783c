import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import type { Choice } from '../../../src/core/action.ts';
import type { Card } from '../../../src/core/card.ts';
import type { Override } from '../../../src/core/event.ts';
import { deedName, LANDING } from '../decide/deed.ts';
import type { Deed } from '../decide/deed.ts';
import type { Column } from './columns.ts';

/** One legal move of a loop: where it goes, or null where it stays; the word for it, what it does, and what is asked of the server. */
export type Move = {
  readonly to: Column | null;
  readonly label: string;
  readonly does: string;
  readonly deed: Deed;
};

const CHOICE_TO: Readonly<Record<Choice, Column>> = {
  'fix-manually': 'you',
  accept: 'done',
  cancel: 'done',
  'one-more-round': 'review',
  answer: 'review',
  retry: 'review',
  reassign: 'review',
  'continue-without': 'review',
  'review-anyway': 'review',
  uphold: 'review',
  refute: 'review',
  'raise-ceiling': 'review',
  continue: 'review',
  refine: 'review',
};

/** The overrides that are moves; a verdict is set where the findings are read, and what follows an improvement is said there too. */
const OVERRIDES: Readonly<Partial<Record<Override, { readonly to: Column; readonly label: string; readonly does: string }>>> = {
  retry: { to: 'review', label: 'Retry', does: 'Does the current stage again.' },
  refine: { to: 'review', label: 'Refine now', does: 'The fixer answers the open findings now.' },
  skip: { to: 'you', label: 'Skip the review…', does: 'Ends reviewing; the change says that it was not reviewed.' },
  ready: { to: 'you', label: 'Mark ready…', does: 'Hands the change to a person as it is.' },
  takeover: { to: 'you', label: 'Take over', does: 'Pauses the loop: you work on its branch, and hand it back.' },
  handback: { to: 'review', label: 'Hand back', does: 'Reviews what you committed, and goes on.' },
  cancel: { to: 'done', label: 'Cancel…', does: 'Ends the loop. Its branch and its journal stay.' },
};

/** How a review is had; what is not built yet stays where it is until it is. */
const REVIEWS: Readonly<Partial<Record<Card['review'], Move>>> = {
  order: { to: 'review', label: 'Review it', does: 'Has the change reviewed.', deed: { kind: 'review' } },
  edit: { to: null, label: 'Review it when built', does: 'Goes on to a review once it is built.', deed: { kind: 'review' } },
};

/** Every legal move of a loop, in the order in which they are offered; what is asked comes before what anybody may do at any time. */
export function movesOf({ state, rounds, card }: Pick<ListedLoop, 'state' | 'rounds' | 'card'>): readonly Move[] {
  if (card === null) return [];
  const chosen = card.choices.map(({ choice, label, text, needs }): Move => {
    const to = rounds === 0 && CHOICE_TO[choice] === 'review' && card.author !== null ? 'building' : CHOICE_TO[choice];
    return { to, label, does: text, deed: { kind: 'choice', choice, needs } };
  });
  const offered = new Set<string>(card.choices.map(({ choice }) => (choice === 'fix-manually' ? 'takeover' : choice)));
  const others = card.overrides.flatMap((override): Move[] => {
    const known = OVERRIDES[override];
    if (known === undefined || offered.has(override)) return [];
    const to = override === 'retry' ? stageOf(state, rounds) : known.to;
    return [{ ...known, to, deed: { kind: 'override', override } }];
  });
  const review = REVIEWS[card.review];
  const land: Move[] = card.canLand ? [{ to: 'done', ...LANDING }] : [];
  return [...chosen, ...land, ...(review === undefined ? [] : [review]), ...others];
}

/** Where a loop is while its stage is done again. */
function stageOf(state: string, rounds: number): Column {
  return rounds === 0 && (state === 'implementing' || state === 'failed' || state === 'queued') ? 'building' : 'review';
}

/** The moves that lead into a column; a card is not moved to where it is. */
export function movesTo(moves: readonly Move[], to: Column, from: Column): readonly Move[] {
  return to === from ? [] : moves.filter((move) => move.to === to);
}

/** What a drop does, in the room that the head of a column has: the best move, and how many others there are. */
export function dropWords(moves: readonly Move[]): string {
  const [first, ...others] = moves.map(({ label }) => label.replace('…', ''));
  return others.length === 0 ? (first ?? '') : `${first} or ${others.length} more`;
}

/** What goes on with a loop that waits without a question, the best first. */
const ONWARD: readonly string[] = ['land', 'review', 'handback', 'retry'];

/** What a card that waits for somebody offers where nothing is asked: what goes on with it, or else taking it over. */
export function offersOf(loop: Pick<ListedLoop, 'state' | 'rounds' | 'card'>): readonly Move[] {
  const moves = movesOf(loop).filter(({ to }) => to !== null);
  const onward = ONWARD.flatMap((name) => moves.filter(({ deed }) => deedName(deed) === name));
  return onward.length === 0 ? moves.filter(({ deed }) => deedName(deed) === 'takeover') : onward;
}
