import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useCallback, useEffect, useRef } from 'react';
import type { RefCallback, RefObject } from 'react';
import { create } from 'zustand';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { useConnection } from '../api/live.ts';
import { proposeOneOf } from '../decide/propose.ts';
import { COLUMN_NAMES, standingOf } from './columns.ts';
import type { Column } from './columns.ts';
import { useLoops } from './loops.ts';
import { movesOf, movesTo } from './moves.ts';
import type { Move } from './moves.ts';
import { proposalOf } from './proposal.ts';

/** The loop that is being dragged, and the column over which it is. */
export const useDrag = create<{ readonly loop: ListedLoop | null; readonly over: Column | null }>(() => ({ loop: null, over: null }));

/** What a drop into a column would do to the loop that is being dragged; null where nothing is. */
export function useDropMoves(column: Column): readonly Move[] | null {
  const loop = useDrag((drag) => drag.loop);
  return loop === null ? null : movesTo(movesOf(loop), column, standingOf(loop).column);
}

/** Lets a card be dragged, as long as it has a legal move and the server is heard. */
export function useDraggable(loop: ListedLoop): RefCallback<HTMLElement> {
  const latest = useRef(loop);
  useEffect(() => {
    latest.current = loop;
  }, [loop]);
  return useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    return draggable({
      element,
      // By runs, nothing takes a card.
      canDrag: () => targets > 0 && movesOf(latest.current).some(({ to }) => to !== null) && useConnection.getState().state !== 'offline',
      getInitialData: () => ({ loop: latest.current.id }),
      onDragStart: () => useDrag.setState({ loop: latest.current }),
      onDrop: () => useDrag.setState({ loop: null, over: null }),
    });
  }, []);
}

/** How many columns there are to take a card. */
let targets = 0;

/** Lets cards be dropped into a column by whose legal moves they come there. */
export function useDropTarget(ref: RefObject<HTMLElement | null>, column: Column): void {
  useEffect(() => {
    const { current: element } = ref;
    if (element === null) return;
    const legal = (loop: ListedLoop): readonly Move[] => movesTo(movesOf(loop), column, standingOf(loop).column);
    targets += 1;
    const stop = dropTargetForElements({
      element,
      canDrop: () => {
        const { loop } = useDrag.getState();
        return loop !== null && legal(loop).length > 0;
      },
      onDragEnter: () => useDrag.setState({ over: column }),
      onDragLeave: () => useDrag.setState(({ over }) => (over === column ? { over: null } : {})),
      // It may have moved on while it was dragged: what is legal now counts.
      onDrop: ({ source }) => {
        const loop = useLoops.getState().loops.get(Number(source.data['loop']));
        if (loop === undefined) return;
        const proposals = legal(loop).map((move) => proposalOf(loop, move));
        proposeOneOf(proposals, `Move #${loop.id} to ${COLUMN_NAMES[column]}`);
      },
    });
    return () => {
      targets -= 1;
      stop();
    };
  }, [ref, column]);
}
