import type { RoundSummary } from '../../../src/core/view.ts';

/** Two points of a loop's life, as the server names them, or what is new since this browser last looked. */
export type Range = { readonly from: string; readonly to: string } | 'seen';

/** All that the loop changes. */
export const WHOLE: Range = { from: 'base', to: 'head' };

/** The range that an address names; the whole change where it names none. */
export function readRange(text: string | undefined): Range {
  if (text === undefined || !namesRange(text)) return WHOLE;
  if (text === 'seen') return 'seen';
  const [from = '', to = ''] = text.split('..');
  return { from, to };
}

/** Whether words name two points, or what is new. */
export function namesRange(text: string): boolean {
  const points = text.split('..');
  return text === 'seen' || (points.length === 2 && points.every((point) => point !== ''));
}

/** A range as an address has it; nothing for the whole change. */
export function rangeText(range: Range): string | undefined {
  if (range === 'seen') return range;
  return isWhole(range) ? undefined : `${range.from}..${range.to}`;
}

/** Whether a range is all that the loop changes. */
export function isWhole(range: Range): boolean {
  return range !== 'seen' && range.from === 'base' && range.to === 'head';
}

/** A range in words, as they stand behind "Showing". */
export function rangeWords(range: Range): string {
  if (range === 'seen') return 'what is new since I last looked';
  if (isWhole(range)) return 'the whole change';
  if (range.from === 'base') return `the change up to ${pointWords(range.to)}`;
  return `${pointWords(range.from)} to ${pointWords(range.to)}`;
}

const SHORT = 7;

/** A point in words: "round 2", "now", or a commit by its first letters. */
export function pointWords(point: string): string {
  if (point === 'head') return 'now';
  if (point === 'base') return 'the base';
  if (point === 'start') return 'the start';
  const round = /^round-(\d+)$/.exec(point)?.[1];
  return round === undefined ? shortId(point) : `round ${round}`;
}

/** A commit by its first letters. */
export function shortId(commit: string): string {
  return commit.slice(0, SHORT);
}

/** One thing that can be looked at, with what it is good for. */
export type RangeOffer = { readonly label: string; readonly why: string; readonly range: Range };

/** What the menu offers beside the whole change: every fix by itself, and from each round to now. */
export function rangeOffers(rounds: readonly Pick<RoundSummary, 'round' | 'head' | 'fix'>[], head: string | null): RangeOffer[] {
  return rounds.flatMap((round, index): RangeOffer[] => {
    const next = rounds[index + 1];
    const fixed = round.fix?.commits.at(-1);
    const offers: RangeOffer[] = [];
    if (fixed !== undefined)
      offers.push({
        label: next === undefined ? `Round ${round.round} to its fix` : `Round ${round.round} to round ${next.round}`,
        why: `what the fix of round ${round.round} changed`,
        range: { from: `round-${round.round}`, to: next === undefined ? fixed : `round-${next.round}` },
      });
    if (next !== undefined && round.head.commit !== head)
      offers.push({
        label: `Round ${round.round} to now`,
        why: 'all that changed since it was reviewed',
        range: { from: `round-${round.round}`, to: 'head' },
      });
    return offers;
  });
}

/**
 * The change as the next or an earlier round saw it; behind the last round comes the whole change, and null where there is no further
 * step. A round that saw what is newest is the whole change.
 */
export function nextRound(range: Range, { rounds, head }: Rounds, step: 1 | -1): Range | null {
  const stops: Range[] = [
    ...rounds.filter((one) => one.head.commit !== head).map(({ round }) => ({ from: 'base', to: `round-${round}` })),
    WHOLE,
  ];
  const to = range === 'seen' ? 'head' : range.to;
  const at = stops.findIndex((stop) => stop !== 'seen' && stop.to === to);
  return stops[(at === -1 ? stops.length - 1 : at) + step] ?? null;
}

type Rounds = { readonly rounds: readonly Pick<RoundSummary, 'round' | 'head'>[]; readonly head: string };

/** Every point between which one may look, oldest first. */
export function rangePoints(rounds: readonly Pick<RoundSummary, 'round'>[]): string[] {
  return ['base', ...rounds.map(({ round }) => `round-${round}`), 'head'];
}
