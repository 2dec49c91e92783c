import type { FileDiffMetadata } from '@pierre/diffs';

/** What ends the lines of a file on both sides of a change, which nobody sees in their text. */
export type LineEndings = {
  /** How they differ, in words; null where they do not. */
  readonly words: string | null;
  /** The changed lines, by their number, that end with a carriage return where the other side does not. */
  readonly deletions: ReadonlySet<number>;
  readonly additions: ReadonlySet<number>;
};

/** Those of a file of which no lines are known. */
export const NO_ENDINGS: LineEndings = { words: null, deletions: new Set(), additions: new Set() };

/** Compares what ends the lines on both sides of a diff. */
export function lineEndings({
  hunks,
  deletionLines,
  additionLines,
}: Pick<FileDiffMetadata, 'hunks' | 'deletionLines' | 'additionLines'>): LineEndings {
  const [before, after] = [endingOf(deletionLines), endingOf(additionLines)];
  if (before === after && before !== 'mixed') return NO_ENDINGS;
  const differ = before !== null && after !== null && before !== after;
  const deletions = new Set<number>();
  const additions = new Set<number>();
  for (const hunk of hunks) {
    const oldOffset = hunk.deletionStart - hunk.deletionLineIndex;
    const newOffset = hunk.additionStart - hunk.additionLineIndex;
    for (const part of hunk.hunkContent) {
      if (part.type === 'context') continue;
      const old = { lines: deletionLines, from: part.deletionLineIndex, count: part.deletions };
      const fresh = { lines: additionLines, from: part.additionLineIndex, count: part.additions };
      if (!differ && !differs(old, fresh)) continue;
      for (const index of returnsIn(old)) deletions.add(index + oldOffset);
      for (const index of returnsIn(fresh)) additions.add(index + newOffset);
    }
  }
  return { words: differ ? `line endings ${before} → ${after}` : null, deletions, additions };
}

type Ending = 'LF' | 'CRLF' | 'mixed';

function endingOf(lines: readonly string[]): Ending | null {
  let ending: Ending | null = null;
  for (const line of lines) {
    // The last line may have no end at all.
    if (!line.endsWith('\n')) continue;
    const one = line.endsWith('\r\n') ? 'CRLF' : 'LF';
    if (ending !== null && ending !== one) return 'mixed';
    ending = one;
  }
  return ending;
}

type Stretch = { readonly lines: readonly string[]; readonly from: number; readonly count: number };

function differs(old: Stretch, fresh: Stretch): boolean {
  const [before, after] = [old, fresh].map(({ lines, from, count }) => endingOf(lines.slice(from, from + count)));
  // Where both kinds stand together, nobody else tells which line ends how.
  if (before === 'mixed' || after === 'mixed') return true;
  return before !== null && after !== null && before !== after;
}

function* returnsIn({ lines, from, count }: Stretch): Generator<number> {
  for (let index = from; index < from + count; index++) if (lines[index]?.endsWith('\r\n') === true) yield index;
}
