import type { EscalationReason } from './action.ts';
import type { Category, FindingSource, FindingStatus, Severity } from './finding.ts';
import type { LoopState } from './loop-state.ts';
import type { Role } from './settings.ts';

/** Days of the calendar in UTC, as YYYY-MM-DD, both of them included; null for no limit. */
export type DayRange = { readonly from: string | null; readonly to: string | null };

/** Loops that are alike; a loop belongs to the day on which it began. */
export type LoopCount = {
  readonly state: LoopState;
  readonly approvedBy: 'review' | 'person' | null;
  readonly rounds: number;
  readonly landed: boolean;
  readonly count: number;
};

/** First reviews that are alike. */
export type FirstReviewCount = { readonly passed: boolean; readonly count: number };

/** Findings that are alike, each counted once. */
export type FindingCount = {
  readonly category: Category;
  readonly severity: Severity;
  readonly source: FindingSource;
  /** As it is now. */
  readonly status: FindingStatus;
  readonly raisedBy: readonly string[];
  readonly count: number;
};

/** Findings of a day on which reviews raised them first. */
export type CategoryDay = { readonly day: string; readonly category: Category; readonly count: number };

/** Sessions that are alike, with the sums of what they took; null where none of them told. */
export type SessionCount = {
  readonly day: string;
  readonly agent: string;
  readonly role: Role;
  readonly model: string | null;
  readonly estimated: boolean;
  /** Of a reviewer: whether its answer counted; null where nobody waited for it any more. */
  readonly outcome: 'verdict' | 'no-verdict' | null;
  readonly count: number;
  /** How many of them lived to tell how long they took. */
  readonly timed: number;
  readonly usd: number;
  readonly subscriptionUsd: number;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly durationMs: number | null;
};

/** Loops that were handed to a person for the same reason. */
export type EscalationCount = { readonly reason: EscalationReason; readonly count: number };

/** All that a store counts of a project. */
export type Counts = {
  readonly loops: readonly LoopCount[];
  readonly firstReviews: readonly FirstReviewCount[];
  readonly findings: readonly FindingCount[];
  readonly categoryDays: readonly CategoryDay[];
  readonly sessions: readonly SessionCount[];
  readonly escalations: readonly EscalationCount[];
};

/** The counts of a project in which nothing happened. */
export const NOTHING_COUNTED: Counts = { loops: [], firstReviews: [], findings: [], categoryDays: [], sessions: [], escalations: [] };

/** Whether a moment, as the journal writes it, lies in the days that are asked for. */
export function isWithin(at: string, { from, to }: DayRange): boolean {
  return (from === null || at >= from) && (to === null || at < dayEnd(to));
}

/** What every moment of a day comes before, and none of a later one. */
export function dayEnd(day: string): string {
  return `${day}T24`;
}
