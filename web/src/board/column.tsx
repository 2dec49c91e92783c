import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { JSX, ReactNode } from 'react';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { movedBetween, noteMoved } from '../decide/still.ts';
import { CardList } from './card-list.tsx';
import { COLUMN_NAMES } from './columns.ts';
import type { Column } from './columns.ts';
import { useDrag, useDropMoves, useDropTarget } from './drag.ts';
import { useKeptPlace } from './kept-place.ts';
import { loadMoreFinished, useLoops } from './loops.ts';
import { dropWords } from './moves.ts';
import type { Move } from './moves.ts';

const EMPTY: Readonly<Record<Column, string>> = {
  you: 'Nobody waits for you.',
  building: 'Nothing is being built.',
  review: 'Nothing is being reviewed.',
  pull: 'No pull request is open.',
  done: 'Nothing is done yet.',
};

/** One column of the board; it scrolls by itself. While a card is dragged it says what a drop would do, or steps back. */
export function ColumnView({
  column,
  loops,
  words,
  isNothing,
  doneToday,
}: {
  readonly column: Column;
  readonly loops: readonly ListedLoop[];
  /** Those of a filter, because of which some may be left out. */
  readonly words: string;
  /** Whether no column has anything, which is then said once. */
  readonly isNothing: boolean;
  readonly doneToday: string;
}): JSX.Element {
  const section = useRef<HTMLElement>(null);
  // Held as state: a list that is there before it would find nothing to scroll in, and draw nothing.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const kept = useKeptPlace(column, words);
  const filtered = words !== '';
  const total = useLoops(({ finishedTotal }) => finishedTotal);
  const drop = useDropMoves(column);
  const isOver = useDrag(({ over }) => over === column);
  useDropTarget(section, column);
  useStillness(loops);
  const isDone = column === 'done';
  const { onEnd, isLooking } = useFurtherBack({ isDone, filtered, isEmpty: loops.length === 0 });
  const count = isDone && !filtered ? Math.max(total, loops.length) : loops.length;
  return (
    <section
      ref={section}
      aria-label={COLUMN_NAMES[column]}
      className={`flex min-h-0 min-w-0 snap-start flex-col -outline-offset-4 transition-opacity duration-(--fast) max-sm:w-[min(88vw,360px)] max-sm:shrink-0 ${lookOf(drop, isOver)}`}
    >
      <ColumnHead column={column} count={count} isLoud={loops.length > 0}>
        {drop === null || drop.length === 0 ? null : (
          <span className="ml-auto truncate text-small font-normal text-fg-2">{dropWords(drop)}</span>
        )}
        {isDone && drop === null && doneToday !== '0' ? (
          <small className="ml-auto text-small font-normal text-fg-3">{doneToday} today</small>
        ) : null}
      </ColumnHead>
      <div ref={setScroller} className="min-h-0 flex-1 overflow-y-auto px-2 pt-1 pb-6 outline-none [scrollbar-width:thin]" tabIndex={-1}>
        {isNothing || scroller === null ? null : loops.length === 0 ? (
          <p className="rounded-3 border border-dashed border-line px-3 py-4 text-small text-fg-3">
            {isLooking ? 'Looking further back…' : filtered ? 'Nothing here has these words.' : EMPTY[column]}
          </p>
        ) : (
          <CardList
            key={words}
            column={column}
            words={words}
            kept={kept}
            loops={loops}
            scroller={scroller}
            {...(onEnd !== null ? { onEnd, end: <p className="px-3 py-2 text-small text-fg-3">More are coming…</p> } : {})}
          />
        )}
      </div>
    </section>
  );
}

/** How a column looks while a card is dragged: as one that takes it, or stepping back. */
function lookOf(drop: readonly Move[] | null, isOver: boolean): string {
  if (drop === null) return '';
  if (drop.length === 0) return 'opacity-40';
  return `rounded-3 outline-2 outline-dashed ${isOver ? 'bg-selected outline-control' : 'outline-line-strong'}`;
}

/** Tells which cards came to another place, so that no click meets one that was not meant. */
function useStillness(loops: readonly ListedLoop[]): void {
  const before = useRef<readonly number[] | null>(null);
  useLayoutEffect(() => {
    const now = loops.map(({ id }) => id);
    if (before.current !== null) noteMoved(movedBetween(before.current, now));
    before.current = now;
  }, [loops]);
}

type Asked = { readonly isDone: boolean; readonly filtered: boolean; readonly isEmpty: boolean };

/** How more of what is done is asked for; null where nothing more is to come. A filter that has found nothing yet asks by itself. */
function useFurtherBack({ isDone, filtered, isEmpty }: Asked): { readonly onEnd: (() => void) | null; readonly isLooking: boolean } {
  const next = useLoops(({ finishedNext }) => finishedNext);
  const more = isDone && next !== null;
  // Another one for each page: where one brought nothing to see, the end is still in sight.
  const onEnd = useCallback(() => void loadMoreFinished(next === null || !filtered ? undefined : MOST_FILTERED), [next, filtered]);
  const isLooking = more && filtered && isEmpty;
  useEffect(() => {
    if (isLooking) onEnd();
  }, [isLooking, onEnd]);
  return { onEnd: more ? onEnd : null, isLooking };
}

/** Most of them are not shown. */
const MOST_FILTERED = 500;

function ColumnHead({
  column,
  count,
  isLoud,
  children,
}: {
  readonly column: Column;
  readonly count: number;
  readonly isLoud: boolean;
  readonly children: ReactNode;
}): JSX.Element {
  return (
    <h2 tabIndex={-1} className="flex h-9 shrink-0 items-center gap-[7px] px-3 pt-2 font-semibold whitespace-nowrap">
      {column === 'you' ? (
        <i
          aria-hidden
          className={`mr-px size-[9px] rounded-full ${isLoud ? 'bg-you shadow-[0_0_0_1.5px_var(--you-edge)]' : 'bg-line-strong'}`}
        />
      ) : null}
      {COLUMN_NAMES[column]} <span className="font-normal text-fg-3">{count.toLocaleString('en')}</span>
      {children}
    </h2>
  );
}
