import { create } from 'zustand';
import { giveBackFocus, isFocusLost, rememberFocus } from '../ui/focus.ts';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';

/** So long a card stays where it is after it was decided about: a second click must not meet the next one. */
const SENT_MS = 1500;

/** The loops about which something was just decided on this page, as they were then. */
export const useSent = create<{ readonly sent: ReadonlyMap<number, ListedLoop | undefined> }>(() => ({ sent: new Map() }));

const timers = new Map<number, ReturnType<typeof setTimeout>>();

/** Notes that something is being decided about a loop, which looks so. */
export function markSent(loop: number, seen: ListedLoop | undefined): void {
  clearTimeout(timers.get(loop));
  timers.delete(loop);
  rememberFocus();
  setTimeout(returnFocus, DRAWN_MS);
  useSent.setState(({ sent }) => ({ sent: new Map([...sent, [loop, seen]]) }));
}

/** By then a button is disabled, or a card is gone. */
const DRAWN_MS = 100;

/** Whoever decides by keys goes on from where they were. */
function returnFocus(): void {
  if (isFocusLost()) giveBackFocus();
}

/** Lets its card go on: soon where it was decided, at once where it was refused. */
export function releaseSent(loop: number, decided: boolean): void {
  clearTimeout(timers.get(loop));
  const release = (): void => {
    timers.delete(loop);
    rememberFocus();
    setTimeout(returnFocus, DRAWN_MS);
    useSent.setState(({ sent }) => ({ sent: new Map([...sent].filter(([one]) => one !== loop)) }));
  };
  if (decided) timers.set(loop, setTimeout(release, SENT_MS));
  else release();
}
