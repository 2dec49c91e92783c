import type { ChangeRequest } from '../core/change-request.ts';
import type { Loop } from '../core/loop.ts';
import type { ReviewDefaults, ReviewDefaultsEdit } from '../core/review-defaults.ts';

/** A review that an agent asks for; what is null is as the project's defaults say. */
export type ReviewRequest = {
  /** In whose name it is started. */
  readonly by: string;
  /** Null: all that the current branch has beyond the default branch, committed or not; on that one what is not committed. */
  readonly change: ChangeRequest | null;
  /** In a review that follows one, they give way to the configured ones where they may not review any more. */
  readonly reviewer: readonly string[] | null;
  readonly autoIterate: boolean | null;
  readonly maxRounds: number | null;
  /** It may lower the ceiling that is configured, not raise it. */
  readonly costCeiling: number | null;
  readonly follows: number | null;
  /** A work tree of the project, where the change lies; null: the one in which the project was opened. */
  readonly workTree: string | null;
};

/** The review of a change that an agent asked for. */
export type StartedReview = {
  readonly loop: Loop;
  /** False: the same was asked for before, and this is the review of then. */
  readonly isNew: boolean;
  /** The how manieth review it is of this change since it was approved last, and how many there may be. */
  readonly number: number;
  readonly most: number;
  readonly workTree: string;
  /** What is under review, and the branch that is checked out there. */
  readonly change: ChangeRequest;
  readonly branch: string | null;
  /** What whoever asked should know beside what the loop notes. */
  readonly notes: readonly string[];
};

/** The change of an earlier review as it is now: as it was reviewed, as its base again, or another one. */
export type ChangeNow = {
  readonly change: ChangeRequest;
  readonly workTree: string;
  readonly is: 'as-reviewed' | 'gone' | 'changed';
  /** What whoever answers that review should know. */
  readonly notes: readonly string[];
};

/** What an edit of the defaults did: which file they stand in, and what a person should know about it. */
export type Configured = { readonly file: string; readonly notes: readonly string[]; readonly defaults: ReviewDefaults };

/** What agents that use Volley need of the world beside the engine. */
export type ControlDesk = {
  /**
   * Writes a new loop, or finds the one that reviews the very same; null if there is nothing to review. The project's configuration
   * counts as a commit has it that the agent did not choose. A change that was reviewed too often is refused.
   */
  review(request: ReviewRequest): Promise<StartedReview | null>;
  /** Looks at the change that a loop reviewed, with what was done to it since, in the work tree where it lay, or in this one. Another change is refused. */
  changeNow(loop: Loop, workTree: string | null): Promise<ChangeNow>;
  /** Writes defaults into the project's configuration, all of them or none, and tells what holds then; no change only tells. */
  configure(changes: ReviewDefaultsEdit): Promise<Configured>;
  /** Whether the user lets agents decide. */
  mayDecide(): Promise<boolean>;
};
