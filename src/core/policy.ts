import { z } from 'zod';
import { Severity } from './finding.ts';

/** A named preset of limits. */
export const Effort = z.enum(['low', 'medium', 'high', 'max']);
export type Effort = z.infer<typeof Effort>;

/** How thorough the reviewer's prompt is. */
export const Depth = z.enum(['shallow', 'standard', 'deep', 'comprehensive']);
export type Depth = z.infer<typeof Depth>;

/** What a ceiling limits the spend of. */
export const CeilingOf = z.enum(['loop', 'run', 'day']);
export type CeilingOf = z.infer<typeof CeilingOf>;

/** The limits of a loop, frozen when it starts. */
export const Policy = z.object({
  effort: Effort.nullable(),
  depth: Depth,
  /** A checkpoint review after so many iterations of the author; null for none. */
  checkpointEvery: z.number().int().positive().nullable(),
  maxRounds: z.number().int().positive(),
  maxAuthorIterations: z.number().int().positive(),
  maxGateFixes: z.number().int().nonnegative(),
  onMaxRounds: z.enum(['ask', 'open-pull-request']),
  blockAt: Severity,
  convergence: z.enum(['ratchet', 'strict']),
  quorum: z.enum(['all', 'majority', 'any']),
  ceilingUsd: z.object({
    loop: z.number().nonnegative().nullable(),
    run: z.number().nonnegative().nullable(),
    day: z.number().nonnegative().nullable(),
  }),
  /** Whether work on a subscription counts against the ceilings. */
  countSubscription: z.boolean().default(false),
  timeoutsMs: z.object({
    author: z.number().positive(),
    review: z.number().positive(),
    fix: z.number().positive(),
    gate: z.number().positive(),
    idle: z.number().positive(),
  }),
});
export type Policy = z.infer<typeof Policy>;

const MINUTE = 60_000;

/** The limits without any configuration. */
export const DEFAULT_POLICY: Policy = {
  effort: null,
  depth: 'standard',
  checkpointEvery: null,
  maxRounds: 3,
  maxAuthorIterations: 10,
  maxGateFixes: 3,
  onMaxRounds: 'ask',
  blockAt: 'medium',
  convergence: 'ratchet',
  quorum: 'all',
  ceilingUsd: { loop: null, run: null, day: null },
  countSubscription: false,
  timeoutsMs: {
    author: 60 * MINUTE,
    review: 10 * MINUTE,
    fix: 30 * MINUTE,
    gate: 15 * MINUTE,
    idle: 5 * MINUTE,
  },
};

/** What each effort sets: revision attempts count fixes, so there is one review more than attempts. */
export const EFFORTS: Record<
  Effort,
  { readonly maxRevisionAttempts: number; readonly checkpointEvery: number | null; readonly depth: Depth }
> = {
  low: { maxRevisionAttempts: 2, checkpointEvery: null, depth: 'shallow' },
  medium: { maxRevisionAttempts: 3, checkpointEvery: 5, depth: 'standard' },
  high: { maxRevisionAttempts: 4, checkpointEvery: 3, depth: 'deep' },
  max: { maxRevisionAttempts: 5, checkpointEvery: 1, depth: 'comprehensive' },
};

/** The policy keys that an effort stands for. */
export function effortPolicy(effort: Effort): Pick<Policy, 'effort' | 'maxRounds' | 'checkpointEvery' | 'depth'> {
  const preset = EFFORTS[effort];
  return { effort, maxRounds: preset.maxRevisionAttempts + 1, checkpointEvery: preset.checkpointEvery, depth: preset.depth };
}

/** The most rounds that anybody may configure; more than that is a slip, not a limit. */
export const MOST_ROUNDS = 100;

/** The most dollars that anybody may raise a ceiling to; more than that is a slip of the finger. */
export const MOST_CEILING_USD = 1_000_000;

/** The most reviews that people may order round by round: seed 003's hard cap. */
export const HARD_TOTAL_ROUNDS = 5;

/** The number of rounds beyond which nobody is offered one more. */
export function hardTotal(policy: Policy): number {
  return Math.max(HARD_TOTAL_ROUNDS, policy.maxRounds);
}
