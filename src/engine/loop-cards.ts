import type { Card } from '../core/card.ts';
import { VolleyError } from '../core/errors.ts';
import { cardOf } from '../core/project-card.ts';
import type { Engine } from './engine.ts';

/** Of the loops without a card so many get one at once; whoever asks again gets more. */
const MOST_MADE = 100;

/** The cards of these loops. Those that an older version left without one are made now, and kept. */
export async function loopCards({ store }: Pick<Engine, 'store'>, ids: readonly number[]): Promise<ReadonlyMap<number, Card>> {
  const known = await store.cards(ids);
  const missing = ids.filter((id) => !known.has(id)).slice(0, MOST_MADE);
  if (missing.length === 0) return known;
  const made = new Map<number, Card>();
  for (const id of missing) {
    const loop = await forgiving(store.load(id));
    if (loop !== null) made.set(id, cardOf(loop));
  }
  const keep = store.transaction(async (tx) => {
    for (const id of made.keys()) await tx.refreshCard(id);
  });
  await forgiving(keep);
  return new Map([...known, ...made]);
}

/** A journal that cannot be read, or a disk without room, is no reason to list nothing: whoever opens the loop is told. */
async function forgiving<T>(step: Promise<T>): Promise<T | null> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof VolleyError) return null;
    throw error;
  }
}
