import type { FileDiffMetadata } from '@pierre/diffs';

/** A file as it was before the change, made of what it is now and of the lines that a patch of some hunks replaced. */
export function oldSide(text: string, { hunks, deletionLines }: Pick<FileDiffMetadata, 'hunks' | 'deletionLines'>): string {
  const lines = text.split(/(?<=\n)/);
  const parts: string[][] = [];
  let at = 0;
  for (const { additionStart, additionCount, deletionLineIndex, deletionCount } of hunks) {
    // A side without lines is named by the line before it.
    const from = additionCount === 0 ? additionStart : additionStart - 1;
    parts.push(lines.slice(at, from), deletionLines.slice(deletionLineIndex, deletionLineIndex + deletionCount));
    at = from + additionCount;
  }
  return [...parts, lines.slice(at)].flat().join('');
}
