import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { JSX, RefObject } from 'react';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { counted } from '../../../src/core/words.ts';
import { Plain } from '../ui/plain.tsx';
import { LoopCard } from './card.tsx';
import { loadMoreFinished, useLoops } from './loops.ts';
import { NothingFound } from './nothing-found.tsx';
import { byRun } from './order.ts';
import type { Run } from './order.ts';

type Row = { readonly key: string; readonly run: Run; readonly loops: readonly ListedLoop[] | null };

const CARD_WIDTH = 268;
const NEAR = 6;

/** The loops by the runs in which they were started together, as many beside each other as fit. */
export function RunsView({ loops }: { readonly loops: readonly ListedLoop[] }): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const across = useAcross(scroller);
  const rows = useMemo(() => byRun(loops).flatMap((run) => rowsOf(run, across)), [loops, across]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.loops === null ? 44 : 170),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 4,
  });
  const next = useLoops(({ finishedNext }) => finishedNext);
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (next !== null && lastShown >= rows.length - NEAR) void loadMoreFinished();
  }, [next, lastShown, rows.length]);
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-4 pb-6">
      {rows.length > 0 ? null : <NothingFound />}
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className="absolute inset-x-0 top-0 pb-2"
              style={{ transform: `translateY(${start}px)` }}
            >
              {row.loops === null ? <RunHead run={row.run} isWhole={next === null} /> : <RunCards loops={row.loops} across={across} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function rowsOf(run: Run, across: number): readonly Row[] {
  const name = run.name === null ? 'none' : `run ${run.name}`;
  const rows: Row[] = [{ key: name, run, loops: null }];
  for (let at = 0; at < run.loops.length; at += across) rows.push({ key: `${name} ${at}`, run, loops: run.loops.slice(at, at + across) });
  return rows;
}

/** What is still to be asked for may belong to any run. */
function RunHead({ run, isWhole }: { readonly run: Run; readonly isWhole: boolean }): JSX.Element {
  return (
    <h2 className="flex items-baseline gap-2.5 pt-4 font-semibold">
      {run.name === null ? 'No run' : <Plain text={run.name} />}
      <span className="text-small font-normal text-fg-3">
        {counted(run.loops.length, 'task')}
        {isWhole ? '' : ' loaded'} · {run.done} done
      </span>
      {run.needYou === 0 ? null : (
        <span className="text-small font-semibold text-you-text">{run.needYou === 1 ? '1 needs you' : `${run.needYou} need you`}</span>
      )}
    </h2>
  );
}

function RunCards({ loops, across }: { readonly loops: readonly ListedLoop[]; readonly across: number }): JSX.Element {
  return (
    <div className="grid items-start gap-2 px-0.5" style={{ gridTemplateColumns: `repeat(${across}, minmax(0, 1fr))` }}>
      {loops.map((loop) => (
        <LoopCard key={loop.id} loop={loop} />
      ))}
    </div>
  );
}

/** How many cards fit beside each other. */
function useAcross(ref: RefObject<HTMLElement | null>): number {
  const [across, setAcross] = useState(1);
  useEffect(() => {
    const { current: element } = ref;
    if (element === null) return;
    const observer = new ResizeObserver(() => setAcross(Math.max(1, Math.floor(element.clientWidth / CARD_WIDTH))));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return across;
}
