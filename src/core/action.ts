import { z } from 'zod';

/** Why a loop is handed to a person. */
export const EscalationReason = z.enum([
  'tampered',
  'ceiling',
  'needs-discussion',
  'disputed',
  'oscillating',
  'stuck-finding',
  'no-progress',
  'gates-red',
  'no-verdict',
  'max-rounds',
  'agent-failed',
  'timed-out',
  'not-complete',
  'branch-moved',
  'checkout-missing',
  'dependency',
  'forge',
]);
export type EscalationReason = z.infer<typeof EscalationReason>;

/** Questions that are asked because something broke, not because somebody has to judge. */
const STAGE_ERRORS: readonly EscalationReason[] = [
  'tampered',
  'no-verdict',
  'agent-failed',
  'timed-out',
  'branch-moved',
  'checkout-missing',
  'dependency',
  'forge',
];

/** Whether a loop asks because a stage of it broke. */
export function isStageError(reason: EscalationReason | null): boolean {
  return reason !== null && STAGE_ERRORS.includes(reason);
}

/** Where a loop comes to its end or to rest without a question. */
export const EndState = z.enum(['approved', 'self_review_failed', 'pending_self_review', 'ready_for_human_review', 'cancelled', 'failed']);
export type EndState = z.infer<typeof EndState>;

/** What a fixer is asked to answer. */
export const FixCause = z.enum(['review', 'gates', 'withheld', 'order']);
export type FixCause = z.infer<typeof FixCause>;

const why = z.string();

/** One session of a panel: the seat that it is for, who takes it, and whether it is told what was wrong with the answer before. */
export const ReviewSession = z.object({ member: z.string(), agent: z.string(), attempt: z.number().int(), repair: z.boolean() });
export type ReviewSession = z.infer<typeof ReviewSession>;

/** What the loop does next, with the reason in words for people. */
export const Action = z.discriminatedUnion('do', [
  z.object({ do: z.literal('author'), iteration: z.number().int(), agent: z.string(), why }),
  z.object({ do: z.literal('gates'), why }),
  z.object({ do: z.literal('review'), round: z.number().int(), sessions: z.array(ReviewSession).min(1), why }),
  z.object({
    do: z.literal('fix'),
    round: z.number().int(),
    cause: FixCause,
    agent: z.string(),
    /** The fixer left the tree as it was and is told so. */
    again: z.boolean(),
    why,
  }),
  z.object({ do: z.literal('arbitrate'), round: z.number().int(), findingIds: z.array(z.string()), agent: z.string(), why }),
  z.object({ do: z.literal('escalate'), reason: EscalationReason, why }),
  z.object({ do: z.literal('finish'), state: EndState, why }),
  /** Others hold what it needs, and will give it back. */
  z.object({ do: z.literal('wait'), why }),
  z.object({ do: z.literal('rest'), why }),
]);
export type Action = z.infer<typeof Action>;

/** An action that runs something in the world, under a token. */
export type Effect = Extract<Action, { do: 'author' | 'gates' | 'review' | 'fix' | 'arbitrate' }>;

/** Whether an action runs something in the world (the others only write to the journal, or wait). */
export function isEffect(action: Action): action is Effect {
  return action.do !== 'escalate' && action.do !== 'finish' && action.do !== 'wait' && action.do !== 'rest';
}

/** The agents whose sessions an action runs. */
export function agentsOf(action: Effect): readonly string[] {
  if (action.do === 'gates') return [];
  return action.do === 'review' ? action.sessions.map(({ agent }) => agent) : [action.agent];
}

/** What a person may answer to an escalation, or to a loop at rest after a blocking review. */
export const Choice = z.enum([
  'fix-manually',
  'accept',
  'cancel',
  'one-more-round',
  'answer',
  'retry',
  'reassign',
  'continue-without',
  'review-anyway',
  'uphold',
  'refute',
  'raise-ceiling',
  'continue',
  'refine',
]);
export type Choice = z.infer<typeof Choice>;
