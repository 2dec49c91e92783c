import type { LoopRecord } from './loop-row.ts';
import type { OwnerRecord } from './owner-record.ts';
import type { MemoryRecord } from './memory-rows.ts';
import type { IssueRecord, ReviewRecord } from './review-rows.ts';
import type { ReservationRecord, SessionRecord } from './session-rows.ts';

/** Loops started together; a run of one has no number and is never shown. */
export type RunRecord = { readonly id: string; readonly number: number | null; readonly created_at: string };

/** One entry of a loop's journal; `body` is the event as JSON. */
export type EventRecord = {
  readonly loop_id: string;
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly body: string;
};

/** A loop that is wanted or driven; `wanted` is 0 where the job is done and its driver has not let go yet. */
export type JobRecord = OwnerRecord & { readonly loop_id: string; readonly wanted: number };

/** The tables of a project's database. */
export type Tables = {
  runs: RunRecord;
  loops: LoopRecord;
  events: EventRecord;
  jobs: JobRecord;
  loop_reviews: ReviewRecord;
  review_issues: IssueRecord;
  memories: MemoryRecord;
  sessions: SessionRecord;
  reservations: ReservationRecord;
};
