import { useVirtualizer } from '@tanstack/react-virtual';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { JSX, ReactNode } from 'react';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { LoopCard } from './card.tsx';
import { standingOf } from './columns.ts';
import type { Column } from './columns.ts';
import { keepPlace, offsetWithin } from './kept-place.ts';
import type { Place } from './kept-place.ts';

const GAP = 8;
const OVERSCAN = 5;

type Given = {
  readonly column: Column;
  /** Those of the filter. */
  readonly words: string;
  /** Where it was when somebody left it. */
  readonly kept: Place | null;
  readonly loops: readonly ListedLoop[];
  readonly scroller: HTMLElement;
  /** Called when the last card comes near. */
  readonly onEnd?: () => void;
  readonly end?: ReactNode;
};

/** Any number of cards below each other, of which only those that can be seen are there. */
export function CardList({ column, words, kept, loops, scroller, onEnd, end = null }: Given): JSX.Element {
  const [begun] = useState(() => ({ offset: startOf(kept, loops, scroller.clientHeight), measured: [...(kept?.measured ?? [])] }));
  const virtual = useVirtualizer<HTMLElement, Element>({
    initialOffset: begun.offset,
    initialMeasurementsCache: begun.measured,
    count: loops.length,
    getScrollElement: () => scroller,
    estimateSize: (index) => estimate(loops[index]),
    getItemKey: (index) => loops[index]?.id ?? index,
    overscan: OVERSCAN,
    gap: GAP,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (lastShown >= loops.length - OVERSCAN) onEnd?.();
  }, [lastShown, loops.length, onEnd]);
  useEffect(
    () => () => keepPlace(column, { words, offset: virtual.scrollOffset ?? 0, measured: [...virtual.measurementsCache] }),
    [column, words, virtual],
  );
  useAnchor(virtual, loops);
  const arrived = useArrivals(loops);
  return (
    <>
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const loop = loops[index];
          return loop === undefined ? null : (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={`absolute inset-x-0 top-0 ${arrived.has(loop.id) ? 'animate-[appear_320ms_var(--ease-out)]' : ''}`}
              style={{ transform: `translateY(${start}px)` }}
            >
              <LoopCard loop={loop} />
            </li>
          );
        })}
      </ul>
      {end}
    </>
  );
}

/** Where a list begins: where it was, as far as it is still so long. */
function startOf(kept: Place | null, loops: readonly ListedLoop[], visible: number): number {
  if (kept === null) return 0;
  const known = new Map(kept.measured.map(({ key, size }) => [key, size]));
  return offsetWithin(kept.offset, { heights: loops.map((loop) => known.get(loop.id) ?? estimate(loop)), gap: GAP, visible });
}

/** About how high a card is before it is measured. */
function estimate(loop: ListedLoop | undefined): number {
  if (loop === undefined) return 0;
  const { column } = standingOf(loop);
  return column === 'done' ? 52 : column === 'you' ? 270 : 150;
}

type List = Virtualizer<HTMLElement, Element>;

/** Keeps the card that is read where it is when others come or go above it. */
function useAnchor(virtual: List, loops: readonly ListedLoop[]): void {
  const anchor = useRef<{ readonly id: number; readonly start: number } | null>(null);
  useLayoutEffect(() => {
    const held = anchor.current;
    const offset = virtual.scrollOffset ?? 0;
    if (held === null || offset === 0) return;
    const index = loops.findIndex(({ id }) => id === held.id);
    const start = index === -1 ? undefined : virtual.measurementsCache[index]?.start;
    if (start !== undefined && start !== held.start) virtual.scrollToOffset(offset + start - held.start);
  }, [loops, virtual]);
  useEffect(() => {
    const first = virtual.getVirtualItems().find(({ end }) => end > (virtual.scrollOffset ?? 0));
    const loop = first === undefined ? undefined : loops[first.index];
    anchor.current = first === undefined || loop === undefined ? null : { id: loop.id, start: first.start };
  });
}

/** Which cards came into this list while somebody looked; those that were there, or are scrolled to, did not. */
function useArrivals(loops: readonly ListedLoop[]): ReadonlySet<number> {
  const [seen, setSeen] = useState(() => ({ loops, known: idsOf(loops), arrived: new Set<number>() }));
  if (seen.loops === loops) return seen.arrived;
  const known = idsOf(loops);
  const arrived = new Set([...known].filter((id) => !seen.known.has(id)));
  setSeen({ loops, known, arrived });
  return arrived;
}

function idsOf(loops: readonly ListedLoop[]): Set<number> {
  return new Set(loops.map(({ id }) => id));
}
