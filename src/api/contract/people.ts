import { z } from 'zod';
import { Choice, EscalationReason } from '../../core/action.ts';
import { Override, SetVerdict } from '../../core/event.ts';
import { PersonRuling } from '../../core/finding.ts';
import { LoopOutput } from '../../core/output.ts';
import { MOST_CEILING_USD } from '../../core/policy.ts';
import { FindingParams, LoopParams, route } from './route.ts';

/** Why somebody does something; it stands in the journal, and author and fixer read it. Words that say nothing are none. */
export const Reason = z
  .string()
  .trim()
  .max(20_000)
  .nullable()
  .default(null)
  .transform((text) => (text === '' ? null : text));

/** The `seq` of the loop that was looked at: one that moved on since takes nothing. Left out, it is taken as it is. */
export const Seq = z.number().int().positive().optional();

/** What a loop asks, and what may be answered. */
export const Choices = z.object({
  seq: z.number(),
  escalation: z.object({ reason: EscalationReason, why: z.string() }).nullable(),
  choices: z.array(
    z.object({
      choice: Choice,
      letter: z.string(),
      text: z.string(),
      /** What the decision has to name beside the choice. */
      needs: z.enum(['agent', 'reason', 'ceilingUsd']).nullable(),
    }),
  ),
  /** The agents of the loop, of which a decision may name one. */
  agents: z.array(z.string()),
});
export type Choices = z.infer<typeof Choices>;

/** The routes by which people decide. */
export const peopleContract = {
  readChoices: route({
    method: 'GET',
    path: '/api/loops/:id/choices',
    tag: 'loops',
    summary: 'What a loop asks a person, and what may be answered.',
    params: LoopParams,
    reply: Choices,
  }),
  decideLoop: route({
    method: 'POST',
    path: '/api/loops/:id/decisions',
    tag: 'loops',
    summary: 'Answers what a loop asks, by the name of a choice or by its letter.',
    params: LoopParams,
    body: z.object({
      choice: z.string().trim().min(1).max(40),
      reason: Reason,
      agent: z.string().trim().min(1).max(200).nullable().default(null),
      ceilingUsd: z.number().nonnegative().max(MOST_CEILING_USD).nullable().default(null),
      seq: Seq,
    }),
    reply: LoopOutput,
  }),
  overrideLoop: route({
    method: 'POST',
    path: '/api/loops/:id/overrides',
    tag: 'loops',
    summary: 'Does something to a loop at any moment, whatever it is at.',
    params: LoopParams,
    body: z.object({
      override: Override,
      reason: Reason,
      /** With `verdict`: what is set. */
      verdict: SetVerdict.optional(),
      /** With `improve`: whether the next review follows. With `review`: whether a fixer answers it. */
      review: z.boolean().default(false),
      seq: Seq,
    }),
    reply: LoopOutput,
  }),
  ruleOnFinding: route({
    method: 'POST',
    path: '/api/loops/:id/findings/:number/rulings',
    tag: 'findings',
    summary: 'Says about a finding whether it stands; the verdict is computed again at once.',
    params: FindingParams,
    body: z.object({ ruling: PersonRuling, reason: Reason, seq: Seq }),
    reply: LoopOutput,
  }),
};
