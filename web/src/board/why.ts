import type { ListedLoop } from '../../../src/api/contract/loops.ts';

/** A finding by its number, with what is said of it before its own words. */
const FINDING = /\b\d+\.\d+\b[^:]*: /;

/** So many words that are not in the question are worth a line. */
const WORTH = 2;

/** Why a loop asks, as far as its question does not say it already; null where that is nothing. */
export function whyBeyond({ why, card }: Pick<ListedLoop, 'why' | 'card'>): string | null {
  const question = card?.question ?? null;
  if (why === null || question === null) return null;
  const asked = question.toLowerCase();
  // What comes before the words of a finding is how many there are, which the question says.
  const finding = FINDING.exec(why);
  const more = why
    .slice(finding === null ? 0 : finding.index + finding[0].length)
    .trim()
    .split(/(?<=[.?!])\s+/)
    .filter((said) => !asked.includes(said.toLowerCase()))
    .join(' ');
  const known = new Set(stemsOf(asked));
  const isNews = new Set(stemsOf(more.toLowerCase()).filter((stem) => !known.has(stem))).size >= WORTH;
  return isNews ? `${more.slice(0, 1).toUpperCase()}${more.slice(1)}` : null;
}

/** The beginnings of the longer words, so that `fix` and `fixes` are one. */
function stemsOf(text: string): readonly string[] {
  return [...text.matchAll(/\p{L}{4,}/gu)].map(([word]) => word.slice(0, 5));
}
