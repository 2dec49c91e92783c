import { z } from 'zod';
import { Category, isClosed, Severity } from './finding.ts';
import type { Finding, Resolution } from './finding.ts';
import { Instant } from './instant.ts';
import { LoopState } from './loop-state.ts';
import type { Loop, Round } from './loop.ts';
import { NotificationChannel, ReviewLoopSettings } from './review-loop-settings.ts';
import { heldOf, summaryOf } from './round.ts';
import { sentence } from './words.ts';

/** What seed 002 calls a verdict. */
export const ReviewVerdict = z.enum(['pass', 'needs_work', 'critical_issues']);
export type ReviewVerdict = z.infer<typeof ReviewVerdict>;

/** A finding, as seed 002 has it; `id` is that of the finding, so that it stays the same from round to round. */
export const ReviewIssue = z.object({
  id: z.string(),
  severity: Severity,
  category: Category,
  file: z.string().exactOptional(),
  lineStart: z.number().exactOptional(),
  lineEnd: z.number().exactOptional(),
  description: z.string(),
  suggestedFix: z.string().exactOptional(),
});
export type ReviewIssue = z.infer<typeof ReviewIssue>;

/** The review of a round, as seed 002 has it. */
export const ReviewResult = z.object({
  verdict: ReviewVerdict,
  issues: z.array(ReviewIssue),
  summary: z.string(),
  iteration: z.number(),
  timestamp: z.string(),
});
export type ReviewResult = z.infer<typeof ReviewResult>;

/** How loops are configured, as seed 002 has it. */
export const ReviewLoopConfig = ReviewLoopSettings.extend({
  notificationChannels: z.array(NotificationChannel.exclude(['webhook'])),
});
export type ReviewLoopConfig = z.infer<typeof ReviewLoopConfig>;

/**
 * Where a loop stands: the eleven names of seed 002, and ours beside them. They are not folded into the nearest of the eleven:
 * a loop that asks a person, or that somebody cancelled, has neither failed its review nor become ready, and whoever follows it
 * has to see that it stopped.
 */
export const ReviewLoopState = LoopState;
export type ReviewLoopState = z.infer<typeof ReviewLoopState>;

/** A loop, as seed 002 has it; the two about the pull request are left out while there is none. */
export const ReviewLoopSession = z.object({
  featureId: z.string(),
  state: ReviewLoopState,
  iterations: z.array(ReviewResult),
  currentIteration: z.number(),
  prNumber: z.number().exactOptional(),
  prUrl: z.string().exactOptional(),
  startedAt: Instant,
  lastUpdatedAt: Instant,
  completedAt: Instant.exactOptional(),
});
export type ReviewLoopSession = z.infer<typeof ReviewLoopSession>;

/** What a fix came to, as seed 002 has it. */
export const RefinementResult = z.object({
  addressedIssueIds: z.array(z.string()),
  unaddressedIssueIds: z.array(z.string()),
  newIssuesIntroduced: z.array(ReviewIssue),
  notes: z.string(),
});
export type RefinementResult = z.infer<typeof RefinementResult>;

/** The loop as seed 002's session. */
export function reviewLoopSession(loop: Loop): ReviewLoopSession {
  return {
    featureId: featureId(loop),
    state: loop.state,
    iterations: loop.rounds.map(reviewResult),
    currentIteration: currentIteration(loop),
    startedAt: loop.createdAt,
    lastUpdatedAt: loop.updatedAt,
    ...(isComplete(loop) && loop.endedAt !== null ? { completedAt: loop.endedAt } : {}),
  };
}

/** What seed 002 calls a loop by: the number of its task. */
export function featureId({ id }: Pick<Loop, 'id'>): string {
  return String(id);
}

/** The round that is under way, or the last one; 0 before there is any. */
function currentIteration({ rounds, current }: Loop): number {
  const action = current?.action;
  return Math.max(rounds.length, action !== undefined && 'round' in action ? action.round : 0);
}

/** What rests for a person's word, and what can be tried again, is not complete. */
function isComplete({ state }: Loop): boolean {
  return state === 'approved' || state === 'merged' || state === 'cancelled';
}

/** The review of a round: all that it raised and all that it held to be open, as these findings were then. */
export function reviewResult(round: Round): ReviewResult {
  const said = summaryOf(round);
  const why = sentence(round.why);
  return {
    verdict: reviewVerdict(round),
    issues: round.held.map(reviewIssue),
    summary: said === null ? why : `${why} ${said}`,
    iteration: round.round,
    timestamp: round.at,
  };
}

/**
 * The verdict in seed 002's words. It knows no need for a discussion: that is work which somebody has to do before the change
 * passes, so it is `needs_work`; its summary says who asks.
 */
function reviewVerdict({ verdict, blockingIds, held }: Round): ReviewVerdict {
  if (verdict === 'approved') return 'pass';
  const isCritical = held.some(({ id, severity }) => severity === 'critical' && blockingIds.includes(id));
  return isCritical ? 'critical_issues' : 'needs_work';
}

/** A finding as seed 002's issue. */
export function reviewIssue({ id, severity, category, file, line, lineEnd, description, suggestion }: Finding): ReviewIssue {
  return {
    id,
    severity,
    category,
    ...(file === null ? {} : { file }),
    ...(line === null ? {} : { lineStart: line, lineEnd: lineEnd ?? line }),
    description,
    ...(suggestion === null ? {} : { suggestedFix: suggestion }),
  };
}

/** What the fix of a round came to; null while there is none. Once the next review is in, that says what was addressed. */
export function refinementResult(loop: Loop, round: Round): RefinementResult | null {
  if (round.fix === null) return null;
  const { resolutions, summary } = round.fix;
  const next = loop.rounds.find((one) => one.round === round.round + 1);
  const asked = heldOf(round, loop.findings);
  const addressed = asked.filter((one) => isAddressed(one, resolutions, next));
  const induced = loop.findings.filter(
    (one) =>
      one.provenance === 'fix-induced' && (one.source === 'engine' ? one.firstRound === round.round : one.firstRound === next?.round),
  );
  const introduced = induced.map((one) => next?.held.find(({ id }) => id === one.id) ?? one);
  return refinement({ asked, addressed, resolutions, introduced, summary });
}

/** A fixer's work before any review of it. */
export type FixerAnswer = {
  readonly before: Loop;
  readonly after: Loop;
  readonly resolutions: readonly Resolution[];
  readonly summary: string | null;
};

/** What a fix came to as soon as it is in: what its fixer says, and what the engine saw it do beside that. */
export function refinementAtOnce({ before, after, resolutions, summary }: FixerAnswer): RefinementResult {
  const asked = before.findings.filter((one) => !isClosed(one));
  const known = new Set(before.findings.map(({ id }) => id));
  return refinement({
    asked,
    addressed: asked.filter((one) => isAddressed(one, resolutions, undefined)),
    resolutions,
    introduced: after.findings.filter(({ id }) => !known.has(id)),
    summary,
  });
}

/** A dispute changes nothing, and neither does a question. What the next review still holds was not addressed, whatever was said. */
function isAddressed({ id, status }: Finding, resolutions: readonly Resolution[], next: Round | undefined): boolean {
  const answer = lastAnswer(resolutions, id)?.status;
  if (answer === 'disputed' || answer === 'needs_person') return false;
  if (next !== undefined && (next.findingIds.includes(id) || next.blockingIds.includes(id))) return false;
  return answer === 'fixed' || status === 'fixed';
}

function lastAnswer(resolutions: readonly Resolution[], id: string): Resolution | undefined {
  return resolutions.findLast(({ findingId }) => findingId === id);
}

type Refined = {
  readonly asked: readonly Finding[];
  readonly addressed: readonly Finding[];
  readonly resolutions: readonly Resolution[];
  readonly introduced: readonly Finding[];
  readonly summary: string | null;
};

function refinement({ asked, addressed, resolutions, introduced, summary }: Refined): RefinementResult {
  const left = asked.filter((one) => !addressed.includes(one));
  const reasons = left.flatMap(({ id }) => {
    const answer = lastAnswer(resolutions, id);
    return answer === undefined || answer.status === 'fixed' ? [] : [`${id} ${ANSWER_WORDS[answer.status]}: ${answer.note}`];
  });
  return {
    addressedIssueIds: addressed.map(({ id }) => id),
    unaddressedIssueIds: left.map(({ id }) => id),
    newIssuesIntroduced: introduced.map(reviewIssue),
    notes: [...(summary === null ? [] : [summary]), ...reasons].join('\n'),
  };
}

const ANSWER_WORDS = { disputed: 'is disputed', needs_person: 'is left to a person' } as const;
