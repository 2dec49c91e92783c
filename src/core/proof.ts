import { z } from 'zod';
import { Instant } from './instant.ts';
import { Channel } from './review.ts';
import { Billing } from './settings.ts';
import { someOf } from './words.ts';

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

/** How it is known what a session cost: the agent said so, its tokens were priced, its whole reservation counts, or it is free. */
export const CostBasis = z.enum(['reported', 'priced', 'reserved', 'free']);
export type CostBasis = z.infer<typeof CostBasis>;

/** What makes an approval valid: the exact commit, what was delivered, by whom, how, and under which confinement. */
export const Proof = z.object({
  base: z.string(),
  mergeBase: z.string(),
  head: z.string(),
  tree: z.string(),
  diffSha256: z.string(),
  /** The files of the change whose diff the reviewer was given, whole. */
  filesDelivered: z.array(z.string()),
  /** Those that have no text, so that it was given their names alone. */
  filesNamed: z.array(z.string()),
  /** Those that it was not given. */
  filesMissing: z.array(z.string()),
  promptSha256: z.string(),
  agent: z.string(),
  driver: z.string(),
  agentVersion: z.string().nullable(),
  model: z.string().nullable(),
  /** Whether the reviewer runs the same kind of agent as the author or the fixer; null where that cannot be told. */
  sameVendor: z.boolean().nullable(),
  billing: Billing.nullable(),
  tokens: z
    .object({
      input: z.number(),
      output: z.number(),
      cached: z.number().nullable(),
      cacheWrite: z.number().nullable(),
      reasoning: z.number().nullable(),
    })
    .nullable(),
  costUsd: z.number().nullable(),
  costBasis: CostBasis.nullable(),
  startedAt: Instant,
  endedAt: Instant,
  exitState: z.enum(['completed', 'crashed', 'timed-out', 'cancelled']),
  channel: Channel,
  /** Of a tool call: whether the driver's own stream showed it too. */
  witness: z.enum(['witnessed', 'unwitnessed']).nullable(),
  confinement: ConfinementLevel,
  network: z.enum(['open', 'provider', 'none']).nullable(),
  tripwire: z.object({ before: z.string(), after: z.string() }),
  /** Null where no gates were asked for. */
  gates: z.array(GateRecord).nullable(),
  /** What is null above, each with the reason. */
  absent: z.record(z.string(), z.string()),
});
export type Proof = z.infer<typeof Proof>;

/** Why a proof carries no verdict about a head. */
export type ProofProblem = {
  readonly reason: 'stale-head' | 'tampered' | 'partial' | 'crashed' | 'incomplete-proof';
  readonly detail: string;
};

const SHA256 = /^[0-9a-f]{64}$/;

/** What keeps a proof from carrying a verdict about this head; null if nothing does. */
export function proofProblem(proof: Proof, head: { readonly commit: string; readonly tree: string }): ProofProblem | null {
  if (proof.tripwire.before !== proof.tripwire.after)
    return { reason: 'tampered', detail: 'the reviewer changed what it was given to read' };
  if (proof.head !== head.commit || proof.tree !== head.tree)
    return { reason: 'stale-head', detail: 'the review was taken on another head' };
  if (proof.exitState !== 'completed') {
    return { reason: 'crashed', detail: `the reviewer ${proof.exitState === 'timed-out' ? 'ran out of time' : proof.exitState}` };
  }
  if (proof.filesMissing.length > 0) {
    return { reason: 'partial', detail: `the reviewer was not given ${someOf(proof.filesMissing)}` };
  }
  const missing = incomplete(proof);
  return missing === null ? null : { reason: 'incomplete-proof', detail: `the proof has no ${missing}` };
}

/** The first part that a complete proof cannot be without. */
function incomplete(proof: Proof): string | null {
  if (!SHA256.test(proof.diffSha256)) return 'hash of the diff';
  if (!SHA256.test(proof.promptSha256)) return 'hash of the prompt';
  if (proof.base === '' || proof.mergeBase === '') return 'base';
  if (proof.agent === '') return 'agent';
  if (proof.filesDelivered.length + proof.filesNamed.length === 0) return 'file that was delivered';
  if (proof.tripwire.before === '') return 'tripwire';
  if (!(proof.startedAt <= proof.endedAt)) return 'time that can be';
  const red = proof.gates?.find((gate) => !gate.passed && !gate.redBefore && gate.acceptedBy === null);
  return red === undefined ? null : `green gate ${red.name}`;
}
