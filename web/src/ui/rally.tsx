import type { JSX } from 'react';
import { newestTurns, rallyDrawing, rallySlots, rallyWords } from './rally-geometry.ts';
import type { RallyDrawing, RallyEnd, RallyTurn } from './rally-geometry.ts';

const WIDTH = 214;
const HEIGHT = 42;
/** On a card more turns than these cannot be told from each other. */
const MOST_TURNS = 20;

/** A loop as one line that crosses a net: above it what reviews asked, below it what was answered, on it what is settled. */
export function Rally({
  turns,
  end,
  maxRounds,
  height = HEIGHT,
}: {
  readonly turns: readonly RallyTurn[];
  readonly end: RallyEnd | null;
  readonly maxRounds: number;
  readonly height?: number;
}): JSX.Element {
  const shown = newestTurns(turns, MOST_TURNS);
  const slots = Math.min(rallySlots(maxRounds, shown.length), MOST_TURNS + 1);
  const drawing = rallyDrawing({ turns: shown, end, slots, width: WIDTH, height });
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${height}`}
      className="rally block h-auto w-full max-w-[300px] min-w-0 flex-1 overflow-visible"
      role="img"
      aria-label={rallyWords({ turns, end, maxRounds })}
    >
      <path className="net" d={drawing.net} />
      {drawing.ticks.map((x) => (
        <path key={x} className="net" d={`M${x} ${drawing.mid - 2.5}v5`} />
      ))}
      {drawing.asked === null ? null : <path className="asked" d={drawing.asked} />}
      {drawing.answered === null ? null : <path className="answered" d={drawing.answered} />}
      <path className="line" d={drawing.line} />
      {drawing.tail === null ? null : <path className={`line ${TAILS[end ?? 'wait']}`} d={drawing.tail} />}
      {shown.map(({ kind }, index) => (
        <Node key={index} kind={kind} at={drawing.points[index]} />
      ))}
      <End end={end} drawing={drawing} />
    </svg>
  );
}

const TAILS: Readonly<Record<RallyEnd, string>> = {
  'live-review': 'live tail-reviewer',
  'live-fix': 'live tail-author',
  'live-author': 'live tail-author',
  you: 'tail-you',
  ok: 'tail-ok',
  failed: '',
  wait: 'tail-wait',
};

function Node({
  kind,
  at,
}: {
  readonly kind: RallyTurn['kind'];
  readonly at: RallyDrawing['points'][number] | undefined;
}): JSX.Element | null {
  if (at === undefined) return null;
  if (kind === 'review') return <circle className="node" cx={at.x} cy={at.y} r={2.6} />;
  return <rect className="node" x={at.x - 2.3} y={at.y - 2.3} width={4.6} height={4.6} rx={0.8} />;
}

/** What the line runs into: its shape says it before its colour does. */
function End({ end, drawing: { head, points } }: { readonly end: RallyEnd | null; readonly drawing: RallyDrawing }): JSX.Element | null {
  const last = points.at(-1);
  if (end === 'failed') return last === undefined ? null : <path className="end-failed" d={`m${last.x + 6} ${last.y - 3.5} 7 7m0-7-7 7`} />;
  if (end === null || head === null) return null;
  const { x, y } = head;
  switch (end) {
    case 'you':
      return <circle className="end-you" cx={x} cy={y} r={5.5} />;
    case 'ok':
      return (
        <>
          <circle className="end-ok" cx={x} cy={y} r={5} />
          <path className="end-check" d={`m${x - 2.2} ${y + 0.2} 1.6 1.6 2.9-3.4`} />
        </>
      );
    case 'wait':
      return <circle className="end-wait" cx={x} cy={y} r={3.4} />;
    case 'live-review':
      return <circle className="end-live tail-reviewer" cx={x} cy={y} r={3.6} />;
    case 'live-fix':
    case 'live-author':
      return <rect className="end-live tail-author" x={x - 3.2} y={y - 3.2} width={6.4} height={6.4} rx={1.2} />;
  }
}
