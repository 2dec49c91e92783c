import { z } from 'zod';
import { Channel } from './review.ts';

/** How strictly the operating system held an agent. */
export const ConfinementLevel = z.enum(['os', 'agent', 'copy']);
export type ConfinementLevel = z.infer<typeof ConfinementLevel>;

/** How one gate did on the head that was reviewed. */
export const GateRecord = z.object({
  name: z.string(),
  passed: z.boolean(),
  /** Red before the change too, so it does not block. */
  redBefore: z.boolean(),
  /** Accepted by this person although it is red. */
  acceptedBy: z.string().nullable(),
});
export type GateRecord = z.infer<typeof GateRecord>;

/** What makes an approval valid: the exact commit, what was delivered, by whom, how, and under which confinement. */
export const Proof = z.object({
  base: z.string(),
  mergeBase: z.string(),
  head: z.string(),
  tree: z.string(),
  diffSha256: z.string(),
  promptSha256: z.string(),
  agent: z.string(),
  channel: Channel,
  exitState: z.enum(['completed', 'crashed', 'timed-out', 'cancelled']),
  startedAt: z.string(),
  endedAt: z.string(),
  confinement: ConfinementLevel,
  tripwire: z.object({ before: z.string(), after: z.string() }),
  /** Null where no gates were asked for. */
  gates: z.array(GateRecord).nullable(),
  /** Not all of it is known yet; null is "not known", never "none". */
  filesDelivered: z.array(z.string()).nullable(),
  agentVersion: z.string().nullable(),
  model: z.string().nullable(),
  billing: z.enum(['api', 'subscription']).nullable(),
  tokens: z.object({ input: z.number(), output: z.number() }).nullable(),
  costUsd: z.number().nullable(),
  network: z.enum(['open', 'provider', 'none']).nullable(),
});
export type Proof = z.infer<typeof Proof>;

/** Why a proof cannot carry an approval of this head, or null if it can. */
export function proofProblem(proof: Proof, head: { readonly commit: string; readonly tree: string }): string | null {
  if (proof.head !== head.commit || proof.tree !== head.tree) return 'the review was taken on another head';
  if (proof.exitState !== 'completed') return `the reviewer ${proof.exitState === 'timed-out' ? 'ran out of time' : proof.exitState}`;
  if (proof.tripwire.before !== proof.tripwire.after) return 'the reviewer changed what it was given to read';
  return null;
}
