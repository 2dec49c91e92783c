import type { FileDiffMetadata, SelectionSide } from '@pierre/diffs';
import type { Entry, Viewer } from './entry.ts';
import { rowsAt } from './rows.ts';
import { METRICS } from './viewer-css.ts';

/** The viewer takes a new patch only after it was coloured; so many frames that may take. */
const MOST_FRAMES = 60;

/**
 * Remembers the line that is being read in a file. What it gives puts the same line to the same place after the file got another
 * patch, though its number may be another one now; null where the file begins on the screen, because then that stays.
 */
export function keepLine(viewer: Viewer, { id, item }: Entry, signal: AbortSignal): ((next: FileDiffMetadata) => Promise<void>) | null {
  const rendered = viewer.getRenderedItems().find((one) => one.id === id);
  const top = viewer.getTopForItem(id);
  if (rendered?.type !== 'diff' || top === undefined) return null;
  const below = viewer.getScrollTop() + METRICS.diffHeaderHeight - top;
  if (below <= METRICS.diffHeaderHeight) return null;
  const anchor = rendered.instance.getNumericScrollAnchor(below);
  if (anchor === undefined) return null;
  const { lineNumber, side = 'additions', top: lineTop } = anchor;
  const text = lineText(item.fileDiff, side, lineNumber);
  return async (next) => {
    const line = text === null ? null : sameLine(next, side, { text, near: lineNumber });
    if (line === null || line === lineNumber) return;
    const isThere = (): boolean =>
      rowsAt(rendered.element.shadowRoot, { line, side }).some((cell) => cell.textContent.trimEnd() === text?.trimEnd());
    if (await soon(isThere, signal)) viewer.scrollTo({ type: 'line', id, lineNumber: line, side, align: 'start', offset: lineTop - below });
  };
}

/**
 * Remembers the first file on the screen that has its lines, below one that still waits for its own. What it gives keeps that one where
 * it is while the other gets as high as it is.
 */
export function keepBelow(
  viewer: Viewer,
  above: Entry,
  { isReady, signal }: { readonly isReady: (id: string) => boolean; readonly signal: AbortSignal },
): (() => Promise<void>) | null {
  const rendered = viewer.getRenderedItems();
  const from = rendered.findIndex(({ id }) => id === above.id);
  const bottom = viewer.getScrollTop() + viewer.getHeight();
  const placeOf = (id: string): number => (viewer.getTopForItem(id) ?? Infinity) - viewer.getScrollTop();
  const held =
    from < 0 ? undefined : rendered.slice(from + 1).find(({ id }) => isReady(id) && (viewer.getTopForItem(id) ?? Infinity) < bottom);
  if (held === undefined) return null;
  const { id } = held;
  const offset = placeOf(id);
  return async () => {
    if (await soon(() => placeOf(id) !== offset, signal)) viewer.scrollTo({ type: 'item', id, align: 'start', offset });
  };
}

/** Waits some frames for something to hold; it is no matter any more as soon as somebody moves, or is led elsewhere. */
async function soon(holds: () => boolean, signal: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const moved = AbortSignal.any([signal, over.signal]);
  for (const kind of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    document.addEventListener(kind, () => over.abort(), { signal: moved, passive: true, capture: true });
  for (let frame = 0; frame < MOST_FRAMES && !moved.aborted; frame++) {
    if (holds()) {
      over.abort();
      return true;
    }
    await new Promise(requestAnimationFrame);
  }
  over.abort();
  return false;
}

/** What stands in a line of one side, if the diff holds it. */
export function lineText(diff: FileDiffMetadata, side: SelectionSide, line: number): string | null {
  const at = stretches(diff, side).find(({ start, count }) => start <= line && line < start + count);
  return at === undefined ? null : (linesOn(diff, side)[at.index + line - at.start] ?? null);
}

/** The line with a text that is nearest to where it was before; null where it is gone. */
export function sameLine(
  diff: FileDiffMetadata,
  side: SelectionSide,
  { text, near }: { readonly text: string; readonly near: number },
): number | null {
  const lines = linesOn(diff, side);
  let best: number | null = null;
  for (const { start, count, index } of stretches(diff, side)) {
    for (let n = 0; n < count; n++) {
      if (lines[index + n] !== text) continue;
      if (best === null || Math.abs(start + n - near) < Math.abs(best - near)) best = start + n;
    }
  }
  return best;
}

function linesOn(diff: FileDiffMetadata, side: SelectionSide): readonly string[] {
  return side === 'additions' ? diff.additionLines : diff.deletionLines;
}

type Stretch = { readonly start: number; readonly count: number; readonly index: number };

function stretches(diff: FileDiffMetadata, side: SelectionSide): readonly Stretch[] {
  if (!diff.isPartial) return [{ start: 1, count: linesOn(diff, side).length, index: 0 }];
  return diff.hunks.map((hunk) =>
    side === 'additions'
      ? { start: hunk.additionStart, count: hunk.additionCount, index: hunk.additionLineIndex }
      : { start: hunk.deletionStart, count: hunk.deletionCount, index: hunk.deletionLineIndex },
  );
}
