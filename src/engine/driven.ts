import type { LoopRow, Owner } from '../store/store.ts';
import type { Engine } from './engine.ts';

/** A row of the overview, with whether a living process drives it. */
export type DrivenRow = LoopRow & { readonly driven: boolean };

/** Those of some rows that a living process drives, by their numbers. */
export async function drivenAmong(
  { dispatcher }: Pick<Engine, 'dispatcher'>,
  rows: readonly Pick<LoopRow, 'id' | 'owner'>[],
): Promise<ReadonlySet<number>> {
  // One process drives many loops, and is asked about once.
  const asked = new Map<string, Promise<boolean>>();
  const lives = async (owner: Owner): Promise<boolean> => {
    const key = JSON.stringify(owner);
    const answer = asked.get(key) ?? dispatcher.isHeld(owner);
    asked.set(key, answer);
    return await answer;
  };
  const driven = await Promise.all(rows.map(async ({ id, owner }) => (owner !== null && (await lives(owner)) ? [id] : [])));
  return new Set(driven.flat());
}
