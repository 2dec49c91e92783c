import type { Generated } from 'kysely';
import type { Draft } from '../core/draft.ts';
import type { LoopRecord } from './loop-row.ts';
import type { OwnerRecord } from './owner-record.ts';
import type { MemoryRecord } from './memory-rows.ts';
import type { IssueRecord, ReviewRecord } from './review-rows.ts';
import type { ReservationRecord, SessionRecord } from './session-rows.ts';

/** Loops started together; a run of one has no number and is never shown. */
export type RunRecord = { readonly id: string; readonly number: number | null; readonly created_at: string };

/** One entry of a loop's journal; `body` is the event as JSON. SQLite gives the position. */
export type EventRecord = {
  readonly position: Generated<number>;
  readonly loop_id: string;
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly body: string;
};

/** A loop that is wanted or driven; `wanted` is 0 where the job is done and its driver has not let go yet. */
export type JobRecord = OwnerRecord & { readonly loop_id: string; readonly wanted: number };

/** A comment that was not submitted yet. */
type DraftRecord = {
  readonly id: string;
  readonly loop_id: string;
  readonly text: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly line_end: number | null;
  readonly side: Draft['side'];
  readonly head: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** A loop that waits for another one, by that one's number. */
type DependencyRecord = { readonly needs: number; readonly loop_id: string };

/** What a board shows of a loop beside its row; `body` is the card as JSON. */
type CardRecord = { readonly loop_id: string; readonly body: string };

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
  drafts: DraftRecord;
  dependencies: DependencyRecord;
  cards: CardRecord;
};
