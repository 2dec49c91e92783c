import { z } from 'zod';
import { isStageError } from './action.ts';
import { ownCeilingUsd, toldUsd } from './ceilings.ts';
import type { Session } from './event.ts';
import type { Finding, Severity } from './finding.ts';
import { Instant } from './instant.ts';
import type { Loop, Round } from './loop.ts';
import { bookingOf } from './money.ts';
import { sessionsIn } from './round.ts';

/** One comment of a reviewer: seed 000's file, line, severity, comment and suggestion, with what its panel shows beside them. */
export const ReviewComment = z.object({
  /** That of the finding. */
  id: z.string(),
  file: z.string().nullable(),
  line: z.number().nullable(),
  lineEnd: z.number().nullable(),
  severity: z.enum(['error', 'warning', 'suggestion']),
  comment: z.string(),
  suggestion: z.string().nullable(),
  /** The agents that raised it. */
  reviewers: z.array(z.string()),
});
export type ReviewComment = z.infer<typeof ReviewComment>;

/** A round, as seed 000 has it. */
export const AgentReviewRound = z.object({
  roundNumber: z.number(),
  reviewComments: z.array(ReviewComment),
  authorResponse: z.string().nullable(),
  cost: z.number(),
  timestamp: z.string(),
});
export type AgentReviewRound = z.infer<typeof AgentReviewRound>;

/** What seed 000 says of where a review stands. */
export const AgentReviewStatus = z.enum(['pending', 'in-progress', 'changes-requested', 'approved', 'error']);
export type AgentReviewStatus = z.infer<typeof AgentReviewStatus>;

/** A loop, as seed 000 has it. */
export const AgentReview = z.object({
  /** The uid of the loop. */
  id: z.string(),
  diffSource: z.enum(['working-tree', 'branch', 'pr']),
  /** The newest session that wrote the change, by the name of its transcript; empty where no agent did. */
  authorSessionId: z.string(),
  /** The newest session that reviewed it; empty before there is one. */
  reviewerSessionId: z.string(),
  status: AgentReviewStatus,
  rounds: z.array(AgentReviewRound),
  maxRounds: z.number(),
  autoIterate: z.boolean(),
  costCeiling: z.number().nullable(),
  /** All that counts against the ceiling: the author's work too, which belongs to no round. */
  totalCost: z.number(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type AgentReview = z.infer<typeof AgentReview>;

/** The loop as seed 000's review. */
export function agentReview(loop: Loop): AgentReview {
  return {
    id: loop.uid,
    diffSource: loop.task.source.kind === 'working-tree' ? 'working-tree' : 'branch',
    authorSessionId: newestSession(loop, ['author', 'fixer']),
    reviewerSessionId: newestSession(loop, ['reviewer']),
    status: agentReviewStatus(loop),
    rounds: loop.rounds.map((round) => agentReviewRound(loop, round)),
    maxRounds: loop.maxRounds,
    autoIterate: loop.autoIterate && (loop.task.kind === 'implement' || loop.task.fix),
    costCeiling: ownCeilingUsd(loop),
    totalCost: toldUsd(loop.spend.usd),
    createdAt: loop.createdAt,
    updatedAt: loop.updatedAt,
  };
}

/**
 * Where the loop stands in seed 000's five words. Whoever waits for a person has the word of its last review; seed 000 has none
 * for what somebody cancelled: nothing comes of it any more, so it is an `error` and never `pending`.
 */
function agentReviewStatus(loop: Loop): AgentReviewStatus {
  switch (loop.state) {
    case 'approved':
    case 'merged':
      return 'approved';
    case 'self_review_passed':
      // Somebody may have asked for another review of what was approved.
      return loop.approval === null ? 'in-progress' : 'approved';
    case 'failed':
    case 'cancelled':
      return 'error';
    case 'needs_human':
      return isStageError(loop.escalation?.reason ?? null) ? 'error' : wordOfLastReview(loop);
    case 'queued':
    case 'pending_self_review':
      return loop.current === null ? wordOfLastReview(loop) : 'in-progress';
    case 'self_review_failed':
      return 'changes-requested';
    case 'ready_for_human_review':
      return wordOfLastReview(loop);
    case 'implementing':
    case 'self_reviewing':
    case 'refining':
    case 'pr_created':
    case 'awaiting_pr_feedback':
    case 'addressing_feedback':
    case 'blocked':
      return 'in-progress';
  }
}

function wordOfLastReview({ rounds, head }: Loop): AgentReviewStatus {
  const last = rounds.at(-1);
  return last !== undefined && last.verdict !== 'approved' && last.head.tree === head?.tree ? 'changes-requested' : 'pending';
}

function newestSession({ id, sessions }: Loop, roles: readonly Session['role'][]): string {
  const index = sessions.findLastIndex(({ role }) => roles.includes(role));
  const session = sessions[index];
  if (session === undefined) return '';
  const name = /([^/]+)\.log$/.exec(session.transcript ?? '')?.[1];
  return name ?? `task-${id}-session-${index + 1}`;
}

function agentReviewRound(loop: Loop, round: Round): AgentReviewRound {
  const raised = round.held.filter(({ id }) => round.findingIds.includes(id));
  return {
    roundNumber: round.round,
    reviewComments: raised.map(reviewComment),
    authorResponse: round.fix?.summary ?? null,
    cost: toldUsd(sessionsIn(loop, round).reduce((sum, session) => sum + bookingOf(loop, session).usd, 0)),
    timestamp: round.at,
  };
}

function reviewComment({ id, file, line, lineEnd, severity, description, suggestion, raisedBy }: Finding): ReviewComment {
  return { id, file, line, lineEnd, severity: SEVERITY[severity], comment: description, suggestion, reviewers: [...raisedBy] };
}

const SEVERITY: Record<Severity, ReviewComment['severity']> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'suggestion',
  suggestion: 'suggestion',
};
