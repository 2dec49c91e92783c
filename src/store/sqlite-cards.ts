import type { Kysely } from 'kysely';
import { z } from 'zod';
import { Card } from '../core/card.ts';
import type { Loop } from '../core/loop.ts';
import { jsonValue } from '../core/parse-json.ts';
import { cardOf } from '../core/project-card.ts';
import { readVersion } from '../lib/version.ts';
import type { Tables } from './tables.ts';

/** A card as it is kept: another version may have other words for the same loop. */
const KeptCard = z.object({ by: z.string(), card: Card });

/** Writes the card of a loop in the place of the one before. */
export async function writeCard(db: Kysely<Tables>, loop: Loop): Promise<void> {
  const body = JSON.stringify({ by: readVersion(), card: cardOf(loop) } satisfies z.infer<typeof KeptCard>);
  await db
    .insertInto('cards')
    .values({ loop_id: loop.uid, body })
    .onConflict((conflict) => conflict.column('loop_id').doUpdateSet({ body }))
    .execute();
}

/** As many numbers as fit a statement. */
const CARDS_AT_ONCE = 500;

/** The cards of these loops; one that another version wrote is as good as none. */
export async function readCards(db: Kysely<Tables>, ids: readonly number[]): Promise<ReadonlyMap<number, Card>> {
  const cards = new Map<number, Card>();
  for (let at = 0; at < ids.length; at += CARDS_AT_ONCE) {
    const records = await db
      .selectFrom('cards')
      .innerJoin('loops', 'loops.id', 'cards.loop_id')
      .select(['loops.number', 'cards.body'])
      .where('loops.number', 'in', ids.slice(at, at + CARDS_AT_ONCE))
      .execute();
    for (const { number, body } of records) {
      const kept = KeptCard.safeParse(jsonValue(body));
      if (kept.success && kept.data.by === readVersion()) cards.set(number, kept.data.card);
    }
  }
  return cards;
}
