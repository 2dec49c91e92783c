/** The public API: what programs read and write, and what tests of one's own set-up need. */
export { ErrorOutput, EventOutput, FindingOutput, ListeningOutput, LoopOutput } from './core/output.ts';
export { ClientFrame, LiveTopic, ServerFrame } from './api/contract/live.ts';
export { LIVE_PATH } from './api/contract/page-key.ts';
export { Event } from './core/event.ts';
export { Proof } from './core/proof.ts';
export { Category, Severity } from './core/finding.ts';
export { Verdict } from './core/review.ts';
export { VolleyError } from './core/errors.ts';
export type { ErrorCode } from './core/errors.ts';
export { fakeAgent, fakeEnded, fakeFailed } from './agents/fake.ts';
export type { Agent, AgentEvent, AgentInput } from './agents/agent.ts';
export { ROUTES } from './api/contract.ts';
export type { ApiReply, ApiRequest, RouteName } from './api/contract.ts';
export { ApiError, createClient } from './api/contract/client.ts';
export type { Answered, Asked, Client, ClientOptions } from './api/contract/client.ts';
export { follow } from './api/contract/follow.ts';
export type { Following } from './api/contract/following.ts';
export { AgentReview, AgentReviewRound, AgentReviewStatus, ReviewComment } from './core/seed-000.ts';
export {
  RefinementResult,
  ReviewIssue,
  ReviewLoopConfig,
  ReviewLoopSession,
  ReviewLoopState,
  ReviewResult,
  ReviewVerdict,
} from './core/seed-002.ts';
export { AnalyzedFeedback, PRComment, PRFeedback, PRReview } from './core/seed-002-feedback.ts';
export { ReviewLoopEvent } from './core/review-loop-events.ts';
export { ReviewLoopSettings } from './core/review-loop-settings.ts';
