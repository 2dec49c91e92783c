import { z } from 'zod';
import { isStageError } from './action.ts';
import type { Event, JournalEntry, NoVerdict } from './event.ts';
import type { Loop } from './loop.ts';
import { nextCommand } from './next-command.ts';
import { AnalyzedFeedback } from './seed-002-feedback.ts';
import {
  featureId,
  RefinementResult,
  refinementAtOnce,
  ReviewLoopSession,
  reviewLoopSession,
  ReviewLoopState,
  ReviewResult,
  reviewResult,
} from './seed-002.ts';
import { sentence } from './words.ts';

const feature = { featureId: z.string() };

/** What happens to loops, by the names and with the payloads of seed 002. */
export const ReviewLoopEvent = z.discriminatedUnion('name', [
  z.object({
    name: z.literal('review-loop:state-changed'),
    payload: z.object({ ...feature, previousState: ReviewLoopState, newState: ReviewLoopState, session: ReviewLoopSession }),
  }),
  z.object({ name: z.literal('review-loop:review-completed'), payload: z.object({ ...feature, result: ReviewResult }) }),
  z.object({ name: z.literal('review-loop:refinement-completed'), payload: z.object({ ...feature, result: RefinementResult }) }),
  /** There is none as long as Volley opens no pull requests. */
  z.object({ name: z.literal('review-loop:pr-feedback-received'), payload: z.object({ ...feature, feedback: AnalyzedFeedback }) }),
  /** `prUrl` is empty while there is no pull request. */
  z.object({
    name: z.literal('review-loop:ready-for-human'),
    payload: z.object({ ...feature, prUrl: z.string(), summary: z.string() }),
  }),
  z.object({ name: z.literal('review-loop:error'), payload: z.object({ ...feature, error: z.string(), stage: ReviewLoopState }) }),
]);
export type ReviewLoopEvent = z.infer<typeof ReviewLoopEvent>;

/** No entry of a journal means more events than this, so that each of them can be numbered by its entry. */
export const MOST_EVENTS = 7;

/** What an entry means to whoever follows loops by seed 002's events: results first, then where the loop stands. */
export function reviewLoopEvents(before: Loop | null, entry: JournalEntry, after: Loop): readonly ReviewLoopEvent[] {
  // A loop that begins was in no state before.
  if (before === null) return [];
  const step: Step = { before, event: entry.event, after };
  return [...reviewCompleted(step), ...refinementCompleted(step), ...stateChanged(step), ...readyForHuman(step), ...errors(step)];
}

type Step = { readonly before: Loop; readonly event: Event; readonly after: Loop };

/** With the last answer of a panel, and again where a ruling changed what came of it. */
function reviewCompleted({ before, after }: Step): ReviewLoopEvent[] {
  const last = after.rounds.at(-1);
  const known = before.rounds.find(({ round }) => round === last?.round);
  if (last === undefined || last === known) return [];
  const result = reviewResult(last);
  if (known !== undefined && JSON.stringify(reviewResult(known)) === JSON.stringify(result)) return [];
  return [{ name: 'review-loop:review-completed', payload: { featureId: featureId(after), result } }];
}

/** Work that failed is an error, and work that was withheld goes back to the fixer: neither is complete. */
function refinementCompleted({ before, event, after }: Step): ReviewLoopEvent[] {
  if (event.type !== 'fixed' || event.outcome.kind === 'failed' || event.outcome.kind === 'withheld') return [];
  const { resolutions, summary } = event;
  const result = refinementAtOnce({ before, after, resolutions, summary });
  return [{ name: 'review-loop:refinement-completed', payload: { featureId: featureId(after), result } }];
}

function stateChanged({ before, after }: Step): ReviewLoopEvent[] {
  if (before.state === after.state) return [];
  const payload = {
    featureId: featureId(after),
    previousState: before.state,
    newState: after.state,
    session: reviewLoopSession(after),
  };
  return [{ name: 'review-loop:state-changed', payload }];
}

/** A person has to look: the loop rests for that, or it asks something that nobody else can answer. */
function readyForHuman({ before, after }: Step): ReviewLoopEvent[] {
  const isQuestion = isAsked(before, after) && !isStageError(after.escalation?.reason ?? null);
  const isReady = after.state === 'ready_for_human_review' && before.state !== after.state;
  if (!isQuestion && !isReady) return [];
  const why = after.escalation?.why ?? after.ending?.why ?? '';
  return [{ name: 'review-loop:ready-for-human', payload: { featureId: featureId(after), prUrl: '', summary: withNext(after, why) } }];
}

function isAsked(before: Loop, after: Loop): boolean {
  return after.escalation !== null && after.escalation !== before.escalation && after.takenOver === null;
}

function errors(step: Step): ReviewLoopEvent[] {
  const { before, after } = step;
  const said = [agentProblem(step), stopProblem(step)].filter((text) => text !== null);
  return said.map((error) => ({ name: 'review-loop:error', payload: { featureId: featureId(after), error, stage: before.state } }));
}

/** Why the loop stopped, where that is an error. */
function stopProblem({ before, event, after }: Step): string | null {
  if (event.type === 'failed') return withNext(after, event.message);
  return isAsked(before, after) && isStageError(after.escalation?.reason ?? null) ? withNext(after, after.escalation?.why ?? '') : null;
}

/** What went wrong with one session. One that was stopped, by a person or because its money was used up, did nothing wrong. */
function agentProblem({ before, event, after }: Step): string | null {
  const failed = failureIn(event, before);
  if (failed === null || failed.reason === 'cancelled' || failed.reason === 'over-budget') return null;
  const what = `${failed.who}: ${failed.message}`;
  if (after.waiting === null) return sentence(what);
  return after.waiting.until === null ? withNext(after, what) : `${sentence(what)} It goes on after ${after.waiting.until}.`;
}

type Failure = { readonly who: string; readonly reason: NoVerdict | 'agent-failed'; readonly message: string };

function failureIn(event: Event, before: Loop): Failure | null {
  if (event.type === 'reviewed') {
    if (event.outcome.kind !== 'no-verdict') return null;
    return { who: `reviewer ${event.agent} gave no verdict`, reason: event.outcome.reason, message: event.outcome.detail };
  }
  if (event.type !== 'authored' && event.type !== 'fixed' && event.type !== 'arbitrated') return null;
  if (event.outcome.kind !== 'failed') return null;
  const action = before.current?.action;
  const agent = action !== undefined && 'agent' in action ? ` ${action.agent}` : '';
  return { who: `${WORKER[event.type]}${agent} failed`, reason: event.outcome.reason, message: event.outcome.message };
}

const WORKER = { authored: 'author', fixed: 'fixer', arbitrated: 'arbiter' } as const;

/** What is the matter, and the command by which somebody answers. */
function withNext(loop: Loop, why: string): string {
  const next = nextCommand(loop);
  return next === null ? sentence(why) : `${sentence(why)} Next: ${next}`;
}
