import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Whitespace } from '../../../src/core/change-view.ts';

/** How diffs are shown on this browser. */
export type Look = { readonly style: 'unified' | 'split'; readonly whitespace: Whitespace; readonly wrap: boolean };

/** The look that somebody chose; it holds for every change. */
export const useLook = create<Look>()(
  persist((): Look => ({ style: 'unified', whitespace: 'show', wrap: false }), {
    name: 'volley-diff-look',
    merge: (kept, fresh) => readLook(kept, fresh),
  }),
);

/** What was kept by an older page, as far as it still means something. */
export function readLook(kept: unknown, fresh: Look): Look {
  if (typeof kept !== 'object' || kept === null) return fresh;
  const { style, whitespace, wrap }: { style?: unknown; whitespace?: unknown; wrap?: unknown } = kept;
  return {
    style: style === 'unified' || style === 'split' ? style : fresh.style,
    whitespace: whitespace === 'show' || whitespace === 'hide' ? whitespace : fresh.whitespace,
    wrap: typeof wrap === 'boolean' ? wrap : fresh.wrap,
  };
}

/** The look in which one thing is turned the other way. */
export function turned(look: Look, what: keyof Look): Look {
  if (what === 'style') return { ...look, style: look.style === 'split' ? 'unified' : 'split' };
  if (what === 'whitespace') return { ...look, whitespace: look.whitespace === 'hide' ? 'show' : 'hide' };
  return { ...look, wrap: !look.wrap };
}

/** Turns one thing of the look the other way. */
export function turn(what: keyof Look): void {
  useLook.setState((look) => turned(look, what));
}
