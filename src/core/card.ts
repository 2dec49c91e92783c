import { z } from 'zod';
import { Choice } from './action.ts';
import { Override } from './event.ts';
import { Instant } from './instant.ts';

/** What a card of the board, and the turn of the panel, show of a loop beside its row. */
export const Card = z.object({
  /** How far its journal was: who decides says it, and decides nothing about a loop that moved on since. */
  seq: z.number().int(),
  author: z.string().nullable(),
  fixer: z.string().nullable(),
  reviewers: z.array(z.string()),
  /** What each turn asked or answered, oldest first: a review by how many findings blocked, a fix by how many it answered. */
  turns: z.array(z.object({ kind: z.enum(['review', 'fix']), round: z.number().int(), count: z.number().int().nonnegative() })),
  /** How the gates did last; null for one that has not run. */
  gates: z.array(z.object({ name: z.string(), passed: z.boolean().nullable() })),
  dependsOn: z.array(z.number().int()),
  /** What happens now, or what is waited for, in a few words; null where nothing does. */
  now: z.string().nullable(),
  /** Why a person is asked, in two or three words; null where nothing is asked. */
  asks: z.string().nullable(),
  /** What a person is asked, as a question in a sentence or two; null where nothing is asked. */
  question: z.string().nullable(),
  /** Since when it asks that, rests or waits; null while it goes on. What is said about it meanwhile makes no question new. */
  restsSince: Instant.nullable(),
  /** What to know before answering: what a round costs, and what is left. */
  stake: z.string().nullable(),
  /** What may be answered, the best first and cancel last: the word for a button, what it does, and what has to be named beside it. */
  choices: z.array(
    z.object({ choice: Choice, label: z.string(), text: z.string(), needs: z.enum(['agent', 'reason', 'ceilingUsd']).nullable() }),
  ),
  /** A ceiling that would let it go on, where a person is asked for one. */
  raiseToUsd: z.number().nullable(),
  /** What anybody may do to it at this moment without being asked. */
  overrides: z.array(Override),
  /** Whether its work can be brought to a branch of a person's. */
  canLand: z.boolean(),
  /** What it takes to have it reviewed: an order, a change of its task, nothing because it goes there by itself, or it cannot be. */
  review: z.enum(['order', 'edit', 'under-way', 'refused']),
});
export type Card = z.infer<typeof Card>;
