import type { VirtualItem } from '@tanstack/react-virtual';
import { useState } from 'react';
import type { Column } from './columns.ts';

/** Where a list of cards was, with which words of a filter, and how high its cards were. */
export type Place = { readonly words: string; readonly offset: number; readonly measured: readonly VirtualItem[] };

const KEPT = new Map<Column, Place>();

/** Keeps where the list of a column is, for when somebody comes back from a loop. */
export function keepPlace(column: Column, place: Place): void {
  KEPT.set(column, place);
}

/** Where the list of a column was when somebody left the board. Other words make another list: from then on each begins at its top. */
export function useKeptPlace(column: Column, words: string): Place | null {
  const [came, setCame] = useState(() => ({ words, place: placeOf(column, words) }));
  if (came.words === words) return came.place;
  setCame({ words, place: null });
  return null;
}

function placeOf(column: Column, words: string): Place | null {
  const place = KEPT.get(column);
  return place?.words === words ? place : null;
}

/** How high each thing of a list is, what is between two of them, and how much of them can be seen at once. */
type Heights = { readonly heights: readonly number[]; readonly gap: number; readonly visible: number };

/** The nearest offset at which a list of these heights can stand. */
export function offsetWithin(offset: number, { heights, gap, visible }: Heights): number {
  const total = heights.reduce((sum, height) => sum + height + gap, -gap);
  return Math.max(0, Math.min(offset, total - visible));
}
