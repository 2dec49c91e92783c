import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { COLUMNS, isLive, standingOf } from './columns.ts';
import type { Column } from './columns.ts';

/** The loops of each column, in the order in which they are read. */
export function byColumn(loops: Iterable<ListedLoop>): Readonly<Record<Column, readonly ListedLoop[]>> {
  const columns: Record<Column, ListedLoop[]> = { you: [], building: [], review: [], pull: [], done: [] };
  for (const loop of loops) columns[standingOf(loop).column].push(loop);
  // A card does not move because something happened to it: only what needs somebody is ordered by how long it waits, and what is over by when.
  columns.you.sort(byAge);
  for (const column of ['building', 'review', 'pull'] as const) columns[column].sort((one, other) => other.id - one.id);
  columns.done.sort((one, other) => compare(other.updatedAt, one.updatedAt) || other.id - one.id);
  return columns;
}

/** Those that wait for a person, the oldest question first. */
export function waitingForYou(loops: Iterable<ListedLoop>): readonly ListedLoop[] {
  return [...loops].filter(({ needsYou }) => needsYou).toSorted(byAge);
}

function byAge(one: ListedLoop, other: ListedLoop): number {
  return compare(askedAt(one), askedAt(other)) || one.id - other.id;
}

/** Since when a loop asks what it asks: a comment on it makes no question new. */
export function askedAt({ card, updatedAt }: ListedLoop): string {
  return card?.restsSince ?? updatedAt;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The tasks that were started together under a name; null for those without one. */
export type Run = { readonly name: string | null; readonly loops: readonly ListedLoop[]; readonly done: number; readonly needYou: number };

/** The loops by their runs: the newest run first, what has none last, and within a run as the columns are. */
export function byRun(loops: Iterable<ListedLoop>): readonly Run[] {
  const runs = new Map<string | null, ListedLoop[]>();
  for (const loop of loops) {
    const run = runs.get(loop.group);
    if (run === undefined) runs.set(loop.group, [loop]);
    else run.push(loop);
  }
  return [...runs]
    .map(([name, members]) => ({
      name,
      loops: members.toSorted((one, other) => columnOf(one) - columnOf(other) || other.id - one.id),
      done: members.filter((loop) => standingOf(loop).column === 'done').length,
      needYou: members.filter(({ needsYou }) => needsYou).length,
    }))
    .toSorted((one, other) => Number(one.name === null) - Number(other.name === null) || newest(other) - newest(one));
}

function columnOf(loop: ListedLoop): number {
  return COLUMNS.indexOf(standingOf(loop).column);
}

function newest({ loops }: Run): number {
  return loops.reduce((most, { id }) => Math.max(most, id), 0);
}

/** What the bar above the board counts. */
export function facts(
  loops: Iterable<ListedLoop>,
  today: string,
): { readonly working: number; readonly queued: number; readonly doneToday: number } {
  let [working, queued, doneToday] = [0, 0, 0];
  for (const loop of loops) {
    if (isLive(loop)) working += 1;
    else if (loop.state === 'queued') queued += 1;
    if (standingOf(loop).column === 'done' && loop.updatedAt >= today) doneToday += 1;
  }
  return { working, queued, doneToday };
}

/** How many were done today, as it is said: finished ones come newest first, so that those of a day are all there once an older one is. */
export function doneTodayWords(count: number, { today, back }: { readonly today: string; readonly back: string | null }): string {
  return `${count.toLocaleString('en')}${back !== null && back >= today ? '+' : ''}`;
}

/** When this day began here, as the server writes times. */
export function startOfDay(now = new Date()): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}
