import { useEffect } from 'react';
import { tinykeys } from 'tinykeys';
import { takesLetters } from './takes-letters.ts';

/** What keys do, as tinykeys writes them: `g n` is one after the other, `$mod` is ⌘ or Ctrl. */
export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Keys that hold while the component is there. Letters are off while somebody types, and where a dialog or a menu is open. */
export function useKeys(map: KeyMap): void {
  useEffect(() => {
    const guarded = Object.entries(map).map(([keys, act]) => [keys, keys.startsWith('$mod') ? act : unlessTyping(act)] as const);
    return guarded.length === 0 ? undefined : tinykeys(globalThis.window, Object.fromEntries(guarded));
  }, [map]);
}

function unlessTyping(act: (event: KeyboardEvent) => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.defaultPrevented || isTyping(event.target) || document.querySelector('[role="dialog"],[role="menu"]') !== null) return;
    event.preventDefault();
    act(event);
  };
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && takesLetters(target);
}

/** The key that makes commands here. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** One line of the map: what is done, and by which keys. */
export type KeyLine = { readonly does: string; readonly keys: readonly (readonly string[])[] };

/** The map of all keys: one key, one meaning, everywhere. */
export const KEY_GROUPS: readonly { readonly title: string; readonly lines: readonly KeyLine[] }[] = [
  {
    title: 'Move',
    lines: [
      { does: 'Board', keys: [['G', 'B']] },
      { does: 'What needs you', keys: [['G', 'N']] },
      { does: 'Next, previous finding', keys: [['N'], ['P']] },
      { does: 'Next, previous file', keys: [[']'], ['[']] },
      { does: 'Line down, up', keys: [['J'], ['K']] },
      {
        does: 'Next, earlier round',
        keys: [
          ['⇧', ']'],
          ['⇧', '['],
        ],
      },
    ],
  },
  {
    title: 'Decide',
    lines: [
      { does: 'Choices, in order', keys: [['1'], ['…'], ['9']] },
      { does: 'Have it reviewed', keys: [['⇧', 'R']] },
      { does: 'Skip the review', keys: [['S']] },
      { does: 'Retry this stage', keys: [['⇧', 'T']] },
      { does: 'Take over, hand back', keys: [['⇧', 'O']] },
      { does: 'New task', keys: [['T']] },
    ],
  },
  {
    title: 'View',
    lines: [
      { does: 'Viewed, and go on', keys: [['V']] },
      { does: 'Unified, split', keys: [['⇧', 'U']] },
      { does: 'Hide whitespace', keys: [['W']] },
      { does: 'Wrap long lines', keys: [['⇧', 'W']] },
      { does: 'Fold nits', keys: [['.']] },
      { does: 'Proof', keys: [['⇧', 'P']] },
      { does: 'Search in the diff', keys: [[MOD, 'F']] },
      { does: 'Filter the board', keys: [['/']] },
      { does: 'Commands', keys: [[MOD, 'K']] },
      { does: 'This map', keys: [['?']] },
    ],
  },
];
