import type { Finding, RaisedFinding } from './finding.ts';

/**
 * Finds the finding of an earlier round that a raised one repeats: the same file, category and words. Findings that moved
 * or were rephrased are not recognised yet; they count as new ones.
 */
export function findEarlier(earlier: readonly Finding[], raised: RaisedFinding): Finding | null {
  const words = wordsOf(raised.description);
  return earlier.find((one) => one.file === raised.file && one.category === raised.category && wordsOf(one.description) === words) ?? null;
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
