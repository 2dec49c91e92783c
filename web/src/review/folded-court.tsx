import type { JSX } from 'react';
import type { LoopView, RoundSummary } from '../../../src/core/view.ts';
import { rallyDrawing } from '../ui/rally-geometry.ts';
import { courtEnd, courtTurns } from './court-turns.ts';

const WIDTH = 160;
const HEIGHT = 24;

/** The court while somebody reads: the line alone, small enough to forget. A click opens it again. */
export function FoldedCourt({
  loop,
  rounds,
  onOpen,
}: {
  readonly loop: LoopView;
  readonly rounds: readonly RoundSummary[];
  readonly onOpen: () => void;
}): JSX.Element {
  const turns = courtTurns({ loop, rounds }).filter(({ live, kind }) => !live || kind === 'start');
  const drawing = rallyDrawing({ turns, end: courtEnd(loop), slots: turns.length + 1, width: WIDTH, height: HEIGHT });
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-label="Show the rounds again"
      title="Show the rounds again"
      className="h-7 shrink-0 rounded-2 px-1.5 hover:bg-hover"
    >
      <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} className="rally overflow-visible max-sm:w-24">
        <path className="net" d={drawing.net} />
        {drawing.asked === null ? null : <path className="asked" d={drawing.asked} />}
        {drawing.answered === null ? null : <path className="answered" d={drawing.answered} />}
        <path className="line" d={drawing.line} />
        {drawing.tail === null ? null : <path className="line" d={drawing.tail} />}
      </svg>
    </button>
  );
}
