import { dollars } from '../../../src/core/ceilings.ts';
import { MOST_CEILING_USD } from '../../../src/core/policy.ts';

/** What is wrong with a ceiling that a loop is to go on with, in words; null where nothing is, or nothing is written yet. */
export function ceilingMistake(usd: number | undefined, spentUsd: number | null): string | null {
  if (usd === undefined) return null;
  // A loop that has spent nothing may be held up by what others spent.
  const least = spentUsd ?? 0;
  if (!(usd > least)) return least > 0 ? `More than ${dollars(least)}, which is spent.` : 'More than nothing.';
  return usd > MOST_CEILING_USD ? `At most ${MOST_CEILING_USD.toLocaleString('en-US')} dollars.` : null;
}
