import type { ReviewComment } from '../../src/core/seed-000.ts';

/** The types of seed 000 as its document prints them; it names `ReviewComment` without saying what that is. */
export type AgentReview = {
  id: string; // UUID
  diffSource: 'working-tree' | 'branch' | 'pr';
  authorSessionId: string; // Session that produced the changes
  reviewerSessionId: string; // Session performing the review
  status: 'pending' | 'in-progress' | 'changes-requested' | 'approved' | 'error';
  rounds: AgentReviewRound[];
  maxRounds: number; // Default 3
  autoIterate: boolean; // Whether to auto-send feedback to author
  costCeiling: number | null; // Max cost in dollars for entire review
  totalCost: number; // Accumulated cost across all rounds
  createdAt: string;
  updatedAt: string;
};

export type AgentReviewRound = {
  roundNumber: number;
  reviewComments: ReviewComment[]; // Existing type from review_store
  authorResponse: string | null; // Summary of what the author changed
  cost: number; // Cost for this round
  timestamp: string;
};
