/** The types of seed 002 as its document prints them, to be compared with ours. */

// Review verdict from self-review or PR feedback analysis
export type ReviewVerdict = 'pass' | 'needs_work' | 'critical_issues';

// A single issue identified during review
export interface ReviewIssue {
  id: string;
  severity: 'critical' | 'high' | 'medium' | 'low' | 'suggestion';
  category: 'security' | 'architecture' | 'logic' | 'style' | 'performance' | 'testing' | 'documentation';
  file?: string;
  lineStart?: number;
  lineEnd?: number;
  description: string;
  suggestedFix?: string;
}

// Result of a self-review or PR feedback analysis
export interface ReviewResult {
  verdict: ReviewVerdict;
  issues: ReviewIssue[];
  summary: string;
  iteration: number;
  timestamp: string;
}

// Configuration for the review loop
export interface ReviewLoopConfig {
  enabled: boolean;
  maxIterations: number; // Default: 3
  selfReviewBeforePR: boolean; // Default: true
  autoAddressReviewComments: boolean; // Default: true
  severityThreshold: ReviewIssue['severity']; // Issues at or above this block PR
  notifyOnReady: boolean; // Default: true
  notificationChannels: ('github' | 'slack' | 'email')[];
}

// Extended feature state for review loop
export type ReviewLoopState =
  | 'pending_self_review'
  | 'self_reviewing'
  | 'self_review_passed'
  | 'self_review_failed'
  | 'refining'
  | 'pr_created'
  | 'awaiting_pr_feedback'
  | 'addressing_feedback'
  | 'ready_for_human_review'
  | 'approved'
  | 'merged';

// Review loop session tracking
export interface ReviewLoopSession {
  featureId: string;
  state: ReviewLoopState;
  iterations: ReviewResult[];
  currentIteration: number;
  prNumber?: number;
  prUrl?: string;
  startedAt: string;
  lastUpdatedAt: string;
  completedAt?: string;
}

// Structured PR feedback from GitHub
export interface PRFeedback {
  prNumber: number;
  comments: PRComment[];
  reviews: PRReview[];
  checksStatus: 'pending' | 'passing' | 'failing';
  mergeable: boolean;
  requestedChanges: boolean;
}

export interface PRComment {
  id: number;
  author: string;
  body: string;
  file?: string;
  line?: number;
  createdAt: string;
  isBot: boolean;
}

export interface PRReview {
  id: number;
  author: string;
  state: 'approved' | 'changes_requested' | 'commented' | 'pending';
  body?: string;
  comments: PRComment[];
  submittedAt: string;
}

export interface RefinementResult {
  addressedIssueIds: string[];
  unaddressedIssueIds: string[];
  newIssuesIntroduced: ReviewIssue[];
  notes: string;
}

// The answer that the prompt `pr-feedback-analyzer.md` prescribes, of which the document prints no type
export interface AnalyzedFeedback {
  actionableIssues: {
    source: 'comment' | 'review' | 'check';
    sourceId: number;
    author: string;
    severity: 'critical' | 'high' | 'medium' | 'low';
    file?: string;
    line?: number;
    description: string;
    suggestedAction: string;
  }[];
  questionsToAnswer: { sourceId: number; author: string; question: string; suggestedResponse: string }[];
  requiresHumanDecision: { sourceId: number; reason: string }[];
  overallStatus: 'ready_to_fix' | 'needs_human_input' | 'blocked';
}

// Events emitted by ReviewLoopOrchestrator
export interface ReviewLoopEvents {
  'review-loop:state-changed': {
    featureId: string;
    previousState: ReviewLoopState;
    newState: ReviewLoopState;
    session: ReviewLoopSession;
  };

  'review-loop:review-completed': {
    featureId: string;
    result: ReviewResult;
  };

  'review-loop:refinement-completed': {
    featureId: string;
    result: RefinementResult;
  };

  'review-loop:pr-feedback-received': {
    featureId: string;
    feedback: AnalyzedFeedback;
  };

  'review-loop:ready-for-human': {
    featureId: string;
    prUrl: string;
    summary: string;
  };

  'review-loop:error': {
    featureId: string;
    error: string;
    stage: ReviewLoopState;
  };
}
