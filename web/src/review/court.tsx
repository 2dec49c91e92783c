import { useState } from 'react';
import type { JSX, MouseEvent } from 'react';
import type { LoopView, RoundSummary } from '../../../src/core/view.ts';
import { Age } from '../ui/age.tsx';
import { seenText } from '../ui/hidden-characters.ts';
import { Icon } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';
import { rallyDrawing } from '../ui/rally-geometry.ts';
import type { RallyDrawing, RallyEnd, RallyPoint } from '../ui/rally-geometry.ts';
import { Tile } from '../ui/tile.tsx';
import { between, courtEnd, courtTurns, turnOf } from './court-turns.ts';
import type { CourtTurn } from './court-turns.ts';
import { rangeText } from './range.ts';
import { useMedia } from './use-media.ts';
import { useWidth } from './use-width.ts';

/** The height of the drawing, and how much of it is left free above and below. */
const HEIGHT = 88;
const FREE = 6;
const INSET = 14;
/** A turn under way has its node before the end of the line, with room for its words. */
const LIVE_ROOM = 64;
/** What the end of the line takes where no turn stands there. */
const END_ROOM = 20;
/** More turns than these are no buttons any more; the oldest are left out, and the history has them. */
const MOST = 25;

type Given = {
  readonly loop: LoopView;
  readonly rounds: readonly RoundSummary[];
  /** The range that is shown, as the address has it. */
  readonly range: string | undefined;
  readonly onRange: (range: string | undefined) => void;
};

/** The rally of a loop, drawn large: its turns are buttons. One shows what it did, two show what lies between them. */
export function Court({ loop, rounds, range, onRange }: Given): JSX.Element {
  const [width, ref] = useWidth(900);
  const all = courtTurns({ loop, rounds });
  const turns = all.slice(-MOST);
  // Where the turn lies below, the line ends by itself.
  const below = useMedia('(width < 1180px)');
  const drawing = courtDrawing(loop, turns, below ? width - END_ROOM : width);
  const [first, setFirst] = useState<CourtTurn['sentence'] | null>(null);
  const shown = turnOf(range, turns, first);
  const step = turns.length < 2 ? width : (drawing.points[1]?.x ?? 0) - (drawing.points[0]?.x ?? 0);
  const choose = (turn: CourtTurn, event: MouseEvent): void => {
    const other = event.shiftKey || event.metaKey || event.ctrlKey ? turns.find(({ sentence }) => sentence === first) : undefined;
    const chosen = other === undefined ? turn.range : between(other, turn, turns);
    if (other === undefined) setFirst(turn.sentence);
    if (chosen !== null) onRange(rangeText(chosen));
  };
  return (
    <div ref={ref} className="relative h-[152px] min-w-0">
      <Drawing drawing={drawing} loop={loop} ends={below} />
      <ol aria-label="Rounds" className="absolute inset-x-0 top-[38px] h-[88px]">
        {turns.map((turn, index) => (
          <Node
            key={`${turn.kind}-${turn.round}`}
            turn={turn}
            at={drawing.points[index]}
            chosen={turn === shown}
            onChoose={(event) => choose(turn, event)}
          />
        ))}
      </ol>
      {turns.map((turn, index) => (
        <Label
          key={`${turn.kind}-${turn.round}`}
          turn={turn}
          x={drawing.points[index]?.x ?? 0}
          room={roomOf(turn, { step, width, x: drawing.points[index]?.x ?? 0 })}
          startedAt={turn.live ? (loop.phase?.startedAt ?? null) : null}
        />
      ))}
    </div>
  );
}

/** Where everything of the court is: the drawing of a rally, with the turn under way as one of its nodes. */
export function courtDrawing(loop: LoopView, turns: readonly CourtTurn[], width: number): RallyDrawing {
  const done = turns.filter(({ live, kind }) => !live || kind === 'start');
  const end = courtEnd(loop);
  const live = done.length < turns.length;
  const drawing = rallyDrawing({
    turns: done,
    end,
    slots: done.length + 1,
    width: live ? Math.max(width - LIVE_ROOM, 2 * INSET) : width + INSET + 6,
    height: HEIGHT - 2 * FREE,
    inset: INSET,
  });
  return live && drawing.head !== null ? { ...drawing, points: [...drawing.points, drawing.head] } : drawing;
}

const TAILS = {
  'live-review': 'live tail-reviewer',
  'live-fix': 'live tail-author',
  'live-author': 'live tail-author',
  you: 'tail-you',
  ok: 'tail-ok',
  failed: '',
  wait: 'tail-wait',
} as const;

function Drawing({
  drawing,
  loop,
  ends,
}: {
  readonly drawing: RallyDrawing;
  readonly loop: LoopView;
  readonly ends: boolean;
}): JSX.Element {
  const end = courtEnd(loop);
  return (
    <svg
      aria-hidden
      className="rally pointer-events-none absolute inset-x-0 top-[38px] h-[88px] w-full overflow-visible [&_.line]:stroke-fg [&_.line]:stroke-2"
    >
      <g transform={`translate(0 ${FREE})`}>
        <line className="net" x1="0" x2="100%" y1={drawing.mid} y2={drawing.mid} />
        {drawing.asked === null ? null : <path className="asked" d={drawing.asked} />}
        {drawing.answered === null ? null : <path className="answered" d={drawing.answered} />}
        <path className="line" d={drawing.line} />
        {drawing.tail === null ? null : (
          // The tail keeps its own colour, which the line's would hide.
          <path className={`line ${end === null ? '' : TAILS[end]}`} style={tailStyle(end)} d={drawing.tail} />
        )}
        {ends && drawing.head !== null && end !== null && end in ENDS ? (
          <circle className={ENDS[end]} cx={drawing.head.x} cy={drawing.head.y} r={7} />
        ) : null}
      </g>
    </svg>
  );
}

/** How the line ends where no turn stands at its end; what is under way has a node there. */
const ENDS: Readonly<Partial<Record<RallyEnd, string>>> = { you: 'end-you', ok: 'end-ok', wait: 'end-wait' };

const TAIL_COLOURS: Readonly<Record<string, string>> = {
  'live-review': 'var(--reviewer-solid)',
  'live-fix': 'var(--author-solid)',
  'live-author': 'var(--author-solid)',
  ok: 'var(--settled-solid)',
  wait: 'var(--text-3)',
};

function tailStyle(end: string | null): { readonly stroke?: string } {
  const stroke = TAIL_COLOURS[end ?? ''];
  return stroke === undefined ? {} : { stroke };
}

function Node({
  turn,
  at,
  chosen,
  onChoose,
}: {
  readonly turn: CourtTurn;
  readonly at: RallyPoint | undefined;
  readonly chosen: boolean;
  readonly onChoose: (event: MouseEvent) => void;
}): JSX.Element | null {
  if (at === undefined) return null;
  const [agent] = turn.agents;
  const shape = turn.kind === 'review' ? 'rounded-full' : 'rounded-1';
  const ring = turn.live
    ? turn.kind === 'review'
      ? 'shadow-[0_0_0_3px_var(--bg),0_0_0_5px_var(--reviewer-solid)]'
      : 'shadow-[0_0_0_3px_var(--bg),0_0_0_5px_var(--author-solid)]'
    : chosen
      ? 'shadow-[0_0_0_3px_var(--bg),0_0_0_5px_var(--text)]'
      : 'shadow-[0_0_0_3px_var(--bg)] hover:shadow-[0_0_0_3px_var(--bg),0_0_0_5px_var(--line-strong)]';
  return (
    <li className="absolute -translate-1/2" style={{ left: at.x, top: at.y + FREE }}>
      <button
        type="button"
        aria-pressed={chosen}
        title={seenText(turn.range === null ? turn.sentence : `${turn.sentence} With ⇧: what lies between this and the one before.`)}
        onClick={onChoose}
        className={`relative grid size-6 place-items-center ${shape} ${ring} transition-shadow duration-(--fast) before:absolute before:-inset-2.5`}
      >
        <span className="sr-only">
          <Plain text={turn.sentence} />
          {turn.range === null ? '' : ' Show what it is about.'}
        </span>
        {agent === undefined ? (
          // A change that somebody brought: no agent wrote it here.
          <span className="grid size-6 place-items-center rounded-1 bg-surface text-fg-2 shadow-[inset_0_0_0_1px_var(--line-strong)]">
            <Icon name="branch" size={14} />
          </span>
        ) : (
          <Tile agent={agent} role={turn.kind === 'review' ? 'reviews' : 'writes'} size="large" />
        )}
        {turn.agents.length > 1 ? (
          <span
            aria-hidden
            className="absolute -right-1.5 -bottom-1 rounded-full bg-bg px-0.5 text-[9px] leading-3 font-semibold text-fg-2"
          >
            +{turn.agents.length - 1}
          </span>
        ) : null}
      </button>
    </li>
  );
}

type Room = 'full' | 'short' | 'none';

/** How much can be said about a turn without touching its neighbours, which lie two turns away. */
function roomOf(turn: CourtTurn, { step, width, x }: { readonly step: number; readonly width: number; readonly x: number }): Room {
  const free = turn.kind === 'start' ? step * 1.4 : Math.min(step * 2, (width - x) * 2 + step);
  return free > 190 ? 'full' : free > 84 ? 'short' : 'none';
}

const TONES = { plain: 'text-fg-2', settled: 'text-settled', live: 'text-reviewer' } as const;

function Label({
  turn,
  x,
  room,
  startedAt,
}: {
  readonly turn: CourtTurn;
  readonly x: number;
  readonly room: Room;
  readonly startedAt: string | null;
}): JSX.Element | null {
  if (room === 'none') return null;
  const top = turn.kind === 'review';
  const tone = turn.live && turn.kind !== 'review' ? 'text-author' : TONES[turn.tone];
  const details = room === 'full' ? turn.details : turn.details.slice(top ? 1 : 0, top ? 2 : 1);
  return (
    <p
      aria-hidden
      style={turn.kind === 'start' ? { left: 0 } : { left: x, translate: '-50%' }}
      className={`absolute text-small whitespace-nowrap text-fg-3 ${turn.kind === 'start' ? 'text-left' : 'text-center'} ${top ? 'top-0' : 'top-[133px]'}`}
    >
      {turn.head === '' ? null : <b className="font-semibold text-fg">{turn.head}</b>}
      {room === 'short' && top ? null : (
        <span className={top || turn.live ? tone : ''}>{turn.head === '' ? turn.word : ` ${turn.word}`}</span>
      )}
      {top ? <br /> : details.length > 0 ? ' · ' : null}
      {details.map((detail, index) => (
        <span key={detail} className={/^[0-9a-f]{7}$/.test(detail) ? 'font-mono text-[11.5px]' : ''}>
          {index === 0 ? '' : ' · '}
          <Plain text={detail} />
        </span>
      ))}
      {startedAt === null ? null : (
        <>
          {' · '}
          <Age at={startedAt} />
        </>
      )}
    </p>
  );
}
