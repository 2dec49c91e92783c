import type { Place } from '../place.ts';
import { readDrawer } from './drawer-name.ts';
import type { LastLook } from './last-look.ts';
import type { PlacePatch } from './place.ts';
import { namesRange } from './range.ts';

/** What an address names and nobody can show: in words, and what it is without that. */
export type WrongLink = { readonly text: string; readonly without: PlacePatch };

/** What the address of a loop names in vain, beside its findings. */
export function wrongLinks({ range, drawer }: Place, look: LastLook | null): readonly WrongLink[] {
  const wrong: WrongLink[] = [];
  if (range === 'seen' && look === null)
    wrong.push({ text: 'This browser sees this loop for the first time: the whole change is shown.', without: { range: undefined } });
  else if (range !== undefined && !namesRange(range))
    wrong.push({ text: `“${cut(range)}” names no part of this loop: the whole change is shown.`, without: { range: undefined } });
  if (drawer !== undefined && readDrawer(drawer) === null)
    wrong.push({ text: `There is nothing called “${cut(drawer)}” to open beside the change.`, without: { drawer: undefined } });
  return wrong;
}

const NO_PLACE = { file: undefined, line: undefined, side: undefined };

/** What the address names of a change in vain: a file, or a line of one. */
export function wrongPlace({ file = '', line }: Place, missing: 'file' | 'line' | null): WrongLink | null {
  if (missing === null) return null;
  if (missing === 'file') return { text: `${cut(file)} is no file of the change that is shown.`, without: NO_PLACE };
  return { text: `${cut(file)} has no line ${line ?? ''} to show.`, without: { line: undefined, side: undefined } };
}

const MOST = 120;

function cut(text: string): string {
  return text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text;
}
