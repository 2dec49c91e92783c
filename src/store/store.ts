import type { Card } from '../core/card.ts';
import type { Draft } from '../core/draft.ts';
import type { Counts, DayRange } from '../core/counts.ts';
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
  /** What a person may answer, in the order in which it is offered; empty where nothing is asked. */
  readonly choices: readonly string[];
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
  /** Where the blocking findings of the last two rounds point to. */
  readonly trend: string | null;
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
  /** Whether nothing happens to it until somebody does something. */
  readonly needsYou: boolean;
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
  /** Writes the card of a loop anew, because it has none, or an older version wrote it. */
  refreshCard(id: number): Promise<void>;
  /** The drafts of a loop, oldest first. */
  drafts(loopId: number): Promise<readonly Draft[]>;
  /** Writes a draft, in the place of one with the same id. */
  putDraft(loopId: number, draft: Draft): Promise<void>;
  dropDrafts(loopId: number, ids: readonly string[]): Promise<void>;
  putJob(loopId: number): Promise<void>;
  /** Whoever drives the loop keeps it until `setOwner(loopId, null)`. */
  dropJob(loopId: number): Promise<void>;
  job(loopId: number): Promise<JobRow | null>;
  /** The loops that have a job, in order of their number, with whoever drives them. */
  jobs(): Promise<readonly JobRow[]>;
  /** Who drives a loop, as it was written down, whether it has a job or not. */
  owner(loopId: number): Promise<Owner | null>;
  /** Sets or clears that. */
  setOwner(loopId: number, owner: Owner | null): Promise<void>;
};

/** Which loops are meant; what is left out limits nothing. */
export type LoopFilter = {
  readonly id?: number | undefined;
  readonly uid?: string | undefined;
  /** One state, or any of several. */
  readonly state?: string | readonly string[] | undefined;
  readonly kind?: string | undefined;
  readonly group?: string | undefined;
  /** Whether they wait for something. */
  readonly waiting?: boolean | undefined;
  readonly needsYou?: boolean | undefined;
  readonly approvedBy?: 'review' | 'person' | undefined;
  /** Whether somebody is written down as driving them, who may be dead. */
  readonly owned?: boolean | undefined;
  /** Only these, or all but these. */
  readonly among?: readonly number[] | undefined;
  readonly except?: readonly number[] | undefined;
  /** Parts of the title, all of them, however they are written; a number finds the loop of that number too. */
  readonly words?: string | undefined;
  /** Changed at that time or later. */
  readonly since?: string | undefined;
};

/** Where a page of rows begins: after this one. */
export type RowKey = Pick<LoopRow, 'id' | 'updatedAt'>;

/** Which rows of the overview are asked for, and in which order. */
export type RowFilter = LoopFilter & {
  /** Newest loop first, or the one first that changed last. */
  readonly sort?: 'newest' | 'updated' | undefined;
  readonly after?: RowKey | undefined;
  readonly limit?: number | undefined;
};

/** A loop that goes on by itself at a time, and what it waits for until then. */
export type TimedWait = { readonly id: number; readonly for: string; readonly until: string };

/** Which waits are asked for, and how many at most. */
export type WaitFilter = Pick<LoopFilter, 'among' | 'group'> & { readonly limit: number };

/** Which loops that wait for others are asked for: those to which, or to what they wait for, something happened after a position. */
export type Releasable = { readonly after: number; readonly except: readonly number[]; readonly limit: number };

/** How many loops there are: in all, in each state that one of them is in, and those that need somebody. */
export type LoopCount = { readonly total: number; readonly states: Readonly<Record<string, number>>; readonly needsYou: number };

/** What the sessions of one agent were booked with in all, and when the last of them was. */
export type AgentSpend = {
  readonly agent: string;
  readonly sessions: number;
  readonly usd: number;
  readonly estimated: boolean;
  readonly lastAt: string;
};

/** Which memories are asked for. */
export type MemoryFilter = { readonly codeHashes?: readonly string[] };

/**
 * An entry of a loop's journal with its position over the whole project: positions grow in the order of commits and never change. It is
 * null where it cannot be read, because it is damaged or a newer version wrote it: that is no reason to keep the others from anybody.
 */
export type PlacedEntry = { readonly position: number; readonly loopId: number; readonly entry: JournalEntry | null };

/** The journal of a project. Reads outside of a transaction see what is committed. */
export type Store = {
  /** One at a time, across processes; what `work` throws undoes all of it. It does not nest. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  load(id: number): Promise<Loop | null>;
  journal(id: number): Promise<readonly JournalEntry[]>;
  /** The position of the newest entry; 0 where there is none. */
  position(): Promise<number>;
  /** The entries of all loops after a position, oldest first, at most `limit`. */
  entriesAfter(position: number, limit: number): Promise<readonly PlacedEntry[]>;
  /** The numbers of the loops that have entries after a position, in no order, at most `limit`. */
  loopsAfter(position: number, limit: number): Promise<readonly number[]>;
  /** Newest loop first, unless another order is asked for. */
  rows(filter?: RowFilter): Promise<readonly LoopRow[]>;
  /** The cards of these loops, by their numbers; one that an older version wrote may have none that can be read. */
  cards(ids: readonly number[]): Promise<ReadonlyMap<number, Card>>;
  count(filter?: LoopFilter): Promise<LoopCount>;
  /** The same as in a transaction, as it is committed. */
  jobs(): ReturnType<Transaction['jobs']>;
  /** The loops that wait for a time that is known, soonest first. */
  timedWaits(filter: WaitFilter): Promise<readonly TimedWait[]>;
  /** The loops that wait for others all of which are done, or one of which never will be, in order of their number. */
  releasable(query: Releasable): Promise<readonly number[]>;
  /** What was refuted, newest first: all of it, or what is about code with these hashes. */
  memories(filter?: MemoryFilter): Promise<readonly Memory[]>;
  /** The drafts of a loop, oldest first. */
  drafts(loopId: number): Promise<readonly Draft[]>;
  /** What was booked for each agent that ever worked here, in the order of their names. */
  spendByAgent(): Promise<readonly AgentSpend[]>;
  /** What the sessions of all loops were booked with since a moment, and what is reserved for those at work. */
  tally(since: string): Promise<SpentAndReserved>;
  /** What happened in these days, counted without reading a journal. */
  counts(range: DayRange): Promise<Counts>;
  close(): Promise<void>;
};
