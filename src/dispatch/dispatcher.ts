import type { Owner, Transaction } from '../store/store.ts';

/** One loop that wants to be driven. */
export type Job = { readonly loopId: number };

/** What is driven, and how much of it at once. */
export type WorkOptions = {
  readonly slots: number;
  readonly only?: readonly number[];
  /** When it aborts, no further loop is begun; the handlers are stopped by whoever gave them their own signal. */
  readonly signal?: AbortSignal;
};

/** What came of a `work` call. */
export type WorkReport = {
  readonly driven: readonly number[];
  /** Loops that another living process drives. */
  readonly busy: readonly { readonly loopId: number; readonly owner: Owner }[];
};

/** Who drives what: a loop is never driven by two processes at once. */
export type Dispatcher = {
  /** Notes in the same transaction that the loop has something to do. */
  enqueue(tx: Transaction, job: Job): Promise<void>;
  /** Drives the pending loops (or only those named), each once, at most `slots` at a time, until none is left. */
  work(options: WorkOptions, handler: (job: Job) => Promise<void>): Promise<WorkReport>;
  /** Whether a living process drives the loop. */
  isDriven(tx: Transaction, loopId: number): Promise<boolean>;
  /** The loops that want to be driven and whose process died while it did. */
  abandoned(tx: Transaction): Promise<readonly number[]>;
  close(): Promise<void>;
};
