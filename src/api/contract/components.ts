import type { z } from 'zod';
import { ChangeFile, ChangeTotals, DiffMatch } from '../../core/change-view.ts';
import { Analytics } from '../../core/analytics-output.ts';
import { ErrorOutput, EventOutput, FindingOutput, LoopOutput } from '../../core/output.ts';
import { Proof } from '../../core/proof.ts';
import { ReviewLoopEvent } from '../../core/review-loop-events.ts';
import { AgentReview, AgentReviewRound, AgentReviewStatus, ReviewComment } from '../../core/seed-000.ts';
import { AnalyzedFeedback, PRComment, PRFeedback, PRReview } from '../../core/seed-002-feedback.ts';
import {
  RefinementResult,
  ReviewIssue,
  ReviewLoopConfig,
  ReviewLoopSession,
  ReviewLoopState,
  ReviewResult,
  ReviewVerdict,
} from '../../core/seed-002.ts';
import { FindingView, LoopView, RoundView } from '../../core/view.ts';
import { AgentOutput } from './agents.ts';
import { ListedLoop } from './loops.ts';
import { Draft } from '../../core/draft.ts';
import { PreviewOutput, TaskOutput } from '../../core/task-output.ts';
import { Health } from './server.ts';

/** The shapes that have a name in the description, because several routes use them or people look for them. */
export const COMPONENTS: Readonly<Record<string, z.ZodType>> = {
  Agent: AgentOutput,
  AgentReview,
  AgentReviewRound,
  AgentReviewStatus,
  Analytics,
  AnalyzedFeedback,
  ChangeFile,
  ChangeTotals,
  DiffMatch,
  Draft,
  Error: ErrorOutput,
  Event: EventOutput,
  Finding: FindingOutput,
  FindingView,
  Health,
  ListedLoop,
  Loop: LoopOutput,
  LoopView,
  PRComment,
  Preview: PreviewOutput,
  PRFeedback,
  Proof,
  PRReview,
  RefinementResult,
  ReviewComment,
  ReviewIssue,
  ReviewLoopConfig,
  ReviewLoopEvent,
  ReviewLoopSession,
  ReviewLoopState,
  ReviewResult,
  ReviewVerdict,
  RoundView,
  Task: TaskOutput,
};
