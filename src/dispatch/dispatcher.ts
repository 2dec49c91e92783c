import type { Owner, Transaction } from '../store/store.ts';

/** One loop that wants to be driven. */
export type Job = { readonly loopId: number };

/** What is driven, and how much of it at once. */
export type WorkOptions = {
  readonly slots: number;
  readonly only?: readonly number[];
  /** When it aborts, no further loop is begun; the handlers are stopped by whoever gave them their own signal. */
  readonly signal?: AbortSignal;
  /** Goes on looking for work, and drives a loop as often as it wants to be. */
  readonly watch?: Watch;
};

/** Which of the pending loops may be driven, null for all of them, and whether there is more to prepare, at once. */
export type Prepared = { readonly only: readonly number[] | null; readonly isMore: boolean };

/**
 * Somebody who goes on looking for work. A loop that breaks does not stop the others, and is left alone until something happens to it;
 * that somebody tried to drive it is nothing. What passes by itself is tried again after a while.
 */
export type Watch = {
  /** Before each look: lets loops go on whose time has come. */
  prepare(): Promise<Prepared>;
  /** Where nothing runs and nothing is pending: whether something may come. */
  stays(): Promise<boolean>;
  /** A loop was driven, and let go. */
  ended(loopId: number): Promise<void>;
  broke(loopId: number, error: unknown): void;
  /** A look failed, and the next one comes after a pause; left out, it ends the work when what runs is done. */
  faltered?(error: unknown): void;
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
  /** Lets whoever watches in this process look at once instead of at the next second. */
  stir(): void;
  /** Whether whoever is written down as driving a loop still lives. */
  isHeld(owner: Owner | null): Promise<boolean>;
  /** Whether a living process drives the loop. */
  isDriven(tx: Transaction, loopId: number): Promise<boolean>;
  /** The loops that want to be driven and whose process died while it did. */
  abandoned(tx: Transaction): Promise<readonly number[]>;
  close(): Promise<void>;
};
