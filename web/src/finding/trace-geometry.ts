import type { Beat } from './story.ts';

/** A mark on the line of a finding: round where a reviewer asks, square where the fixer answers. */
export type TraceMark = { readonly beat: Beat; readonly x: number; readonly y: number };

/** The drawing of one finding's life: 16 high, in the grammar of the rally. */
export type TraceDrawing = { readonly width: number; readonly net: string; readonly line: string; readonly marks: readonly TraceMark[] };

const STEP = 11;
const HEIGHTS: Readonly<Record<Beat, number>> = { asked: 3, answered: 13, settled: 8, you: 8 };

/** So many beats are drawn; of more, the first and the newest ones. */
const MOST_BEATS = 10;

/** Where everything of a trace is. */
export function traceDrawing(beats: readonly Beat[]): TraceDrawing {
  const drawn = beats.length <= MOST_BEATS ? beats : [...beats.slice(0, 1), ...beats.slice(1 - MOST_BEATS)];
  const marks = drawn.map((beat, index) => ({ beat, x: 6 + index * STEP, y: HEIGHTS[beat] }));
  // One point alone still stands above a net, not above a dot of one.
  const width = 10 + Math.max(2, drawn.length) * STEP;
  return { width, net: `M1 8H${width - 1}`, line: marks.length < 2 ? '' : `M${marks.map(({ x, y }) => `${x} ${y}`).join('L')}`, marks };
}
