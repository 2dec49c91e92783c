import type { Event, JournalEntry, Tally } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import type { Memory } from '../core/memory.ts';

/** A row of the overview: what `status` shows without folding a journal. */
export type LoopRow = {
  readonly id: number;
  readonly uid: string;
  readonly title: string;
  readonly kind: string;
  readonly state: string;
  readonly waiting: string | null;
  readonly finalVerdict: string | null;
  /** On what ground it is approved; null if it is not. */
  readonly approvedBy: 'review' | 'person' | null;
  /** The person's name, where a person approved. */
  readonly approver: string | null;
  readonly rounds: number;
  readonly maxRounds: number;
  readonly spendUsd: number;
  readonly spendEstimated: boolean;
  readonly ceilingUsd: number | null;
  readonly escalation: string | null;
  /** Why it rests, waits or asks, on one line. */
  readonly why: string | null;
  /** The command to type next. */
  readonly next: string | null;
  readonly waitingUntil: string | null;
  /** What runs now, who does it, and since when; null where nothing runs. */
  readonly phase: string | null;
  readonly agent: string | null;
  readonly phaseStartedAt: string | null;
  /** Findings that stand in the way of an approval. */
  readonly blocking: number;
  /** Whether a person brought its newest commit to a branch of theirs. */
  readonly landed: boolean;
  readonly group: string | null;
  readonly branch: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The process that drives it, as it was written down; null if nobody does. */
  readonly owner: Owner | null;
  /** Whether the loop has something to do that needs a driver. */
  readonly wantsWork: boolean;
};

/** A process on this machine: a pid alone can be taken by another one later. `startedAt` is only ever compared. */
export type Owner = { readonly pid: number; readonly startedAt: string; readonly host: string };

/** A loop that wants to be driven, with whoever drives it. */
export type JobRow = { readonly loopId: number; readonly owner: Owner | null };

/** What came of an append: the event, or a `refused` entry in its place; `before` is the loop that it met. */
export type Appended = { readonly before: Loop; readonly loop: Loop; readonly seq: number; readonly refused: string | null };

/** What sessions were booked with, and what those at work may still spend. */
export type SpentAndReserved = Omit<Tally, 'day'>;

/** The first event of a loop. */
export type Created = Extract<Event, { type: 'created' }>;

/** One atomic step on the store. Everything in it is written, or nothing. */
export type Transaction = {
  load(id: number): Promise<Loop | null>;
  /** Appends the event, or a `refused` entry where the core does not admit it, and puts or drops the job as the loop wants. */
  append(id: number, event: Event, at: string): Promise<Appended>;
  /** Makes a loop with the next free number of the project, and its job. */
  create(make: (id: number) => Created, at: string): Promise<Loop>;
  /** What the sessions of all loops were booked with since a moment, and what is reserved for those at work in other loops than this. */
  tally(since: string, loopId: number): Promise<SpentAndReserved>;
  /**
   * Writes a loop that another journal held, as it is there; its job only where the loop wants it and `job` says so. What was
   * refuted in it is not remembered: that would decide about reviews here.
   */
  adopt(journal: readonly JournalEntry[], options: { readonly job: boolean }): Promise<Loop>;
  putJob(loopId: number): Promise<void>;
  /** Whoever drives the loop keeps it until `setOwner(loopId, null)`. */
  dropJob(loopId: number): Promise<void>;
  job(loopId: number): Promise<JobRow | null>;
  /** The loops that have a job, in order of their number, with whoever drives them. */
  jobs(): Promise<readonly JobRow[]>;
  /** Sets or clears who drives a loop, whether it has a job or not. */
  setOwner(loopId: number, owner: Owner | null): Promise<void>;
};

/** Which rows of the overview are asked for. */
export type RowFilter = {
  readonly id?: number;
  readonly state?: string;
  /** Only those that wait for something. */
  readonly waiting?: true;
  readonly limit?: number;
};

/** Which memories are asked for. */
export type MemoryFilter = { readonly codeHashes?: readonly string[] };

/** The journal of a project. Reads outside of a transaction see what is committed. */
export type Store = {
  /** One at a time, across processes; what `work` throws undoes all of it. It does not nest. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  load(id: number): Promise<Loop | null>;
  journal(id: number): Promise<readonly JournalEntry[]>;
  /** Newest loop first. */
  rows(filter?: RowFilter): Promise<readonly LoopRow[]>;
  /** What was refuted, newest first: all of it, or what is about code with these hashes. */
  memories(filter?: MemoryFilter): Promise<readonly Memory[]>;
  close(): Promise<void>;
};
