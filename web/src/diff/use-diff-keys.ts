import { useEffect, useMemo } from 'react';
import { useKeys } from '../shell/keys.ts';
import type { DiffModel } from './diff-model.ts';
import { turn } from './look.ts';
import type { Pointer } from './pointer.ts';
import type { Place, Row } from './rows.ts';
import { openSearch } from './search.ts';
import { isViewed, setViewed, useViewed } from './viewed.ts';

/** What the keys of a diff need. */
export type Keyed = {
  readonly model: DiffModel;
  readonly pointer: Pointer;
  readonly scope: string;
  /** Hears which row the cursor came to. */
  readonly onRow: (row: Row) => void;
  /** Hears which line somebody wants to name. */
  readonly onPlace: (place: Place) => void;
};

/** The keys of a diff: lines, files, what is viewed, how it looks, and its search. */
export function useDiffKeys({ model, pointer, scope, onRow, onPlace }: Keyed): void {
  const keys = useMemo(() => {
    const move = (step: number): void => {
      const row = pointer.move(step);
      if (row !== null) onRow(row);
    };
    return {
      j: () => move(1),
      k: () => move(-1),
      ']': () => goFile(model, 1),
      '[': () => goFile(model, -1),
      v: () => tick(model, scope),
      w: () => turn('whitespace'),
      'Shift+W': () => turn('wrap'),
      'Shift+U': () => turn('style'),
      '$mod+f': (event: KeyboardEvent) => {
        event.preventDefault();
        openSearch();
      },
    };
  }, [model, pointer, scope, onRow]);
  useKeys(keys);
  useEffect(() => {
    const name = (event: KeyboardEvent): void => {
      if (pressExpander(event)) return;
      if (event.key !== 'Enter' || event.defaultPrevented || pointer.at === null || isOnControl(event.target)) return;
      event.preventDefault();
      onPlace(pointer.at);
    };
    addEventListener('keydown', name);
    return () => removeEventListener('keydown', name);
  }, [pointer, onPlace]);
  useEffect(() => hearHands(model), [model]);
}

const SCROLLING = new Set(['PageDown', 'PageUp', 'Home', 'End', 'ArrowDown', 'ArrowUp', ' ']);

/** Tells the model whenever somebody may be about to scroll by hand. */
function hearHands({ led }: DiffModel): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal, passive: true, capture: true };
  for (const kind of ['wheel', 'touchmove', 'pointerdown'] as const) addEventListener(kind, () => led.touch(), options);
  addEventListener('keydown', ({ key }) => (SCROLLING.has(key) ? led.touch() : undefined), options);
  return () => stop.abort();
}

/** The viewer's buttons for more lines are no buttons to a browser. */
function pressExpander(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement) || !target.matches('[data-expand-button]') || !['Enter', ' '].includes(event.key)) return false;
  event.preventDefault();
  target.click();
  return true;
}

function goFile(model: DiffModel, step: number): void {
  const next = model.beside(model.current(), step);
  if (next !== undefined) model.showFile(next);
}

/** Ticks a file off and goes on. Whoever walks through all files with one key must not take back what they ticked on an earlier walk. */
function tick(model: DiffModel, scope: string): void {
  const entry = model.current();
  if (entry === undefined) return;
  const next = model.beside(entry, 1);
  if (!isViewed(useViewed.getState().viewed, scope, entry.file)) setViewed(scope, entry.file, true);
  model.fold(entry, true);
  model.showFile(next ?? entry);
}

/** Whether the key has a meaning where it was struck: on a button, a link or in a field. */
function isOnControl(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('button,a,input,textarea,select,summary,[role=button],[role=dialog],[role=menu]') !== null
  );
}
