import type { LoopCount } from './store.ts';

/** A count from those of each state. */
export function countOf(states: readonly { readonly state: string; readonly loops: number }[], needsYou: number): LoopCount {
  return {
    total: states.reduce((sum, { loops }) => sum + loops, 0),
    states: Object.fromEntries(states.map(({ state, loops }) => [state, loops])),
    needsYou,
  };
}
