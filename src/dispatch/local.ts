import type { Owner, Store } from '../store/store.ts';
import type { Dispatcher, Job, WorkOptions, WorkReport } from './dispatcher.ts';
import { isAlive, thisProcess } from './owner.ts';

type Handler = (job: Job) => Promise<void>;

/** Drives loops in this process, each under a lock in the store that a dead process loses at once. */
export function localDispatcher(store: Store): Dispatcher {
  return {
    enqueue: (tx, job) => tx.putJob(job.loopId),
    work: (options, handler) => new Shift(store, options, handler).run(),
    isDriven: async (tx, loopId) => await isHeld((await tx.job(loopId))?.owner ?? null),
    abandoned: async (tx) => {
      const owned = (await tx.jobs()).filter(({ owner }) => owner !== null);
      const held = await Promise.all(owned.map(async ({ owner }) => await isHeld(owner)));
      return owned.filter((_, index) => held[index] === false).map(({ loopId }) => loopId);
    },
    close: async () => {},
  };
}

async function isHeld(owner: Owner | null): Promise<boolean> {
  return owner !== null && (await isAlive(owner));
}

/** One `work` call: what it has tried, drives now and has driven. */
class Shift {
  readonly #store: Store;
  readonly #options: WorkOptions;
  readonly #handler: Handler;
  readonly #tried = new Set<number>();
  readonly #running = new Set<Promise<void>>();
  readonly #driven: number[] = [];
  readonly #busy: { readonly loopId: number; readonly owner: Owner }[] = [];
  readonly #errors: unknown[] = [];
  #candidates: number[] = [];

  constructor(store: Store, options: WorkOptions, handler: Handler) {
    this.#store = store;
    this.#options = options;
    this.#handler = handler;
  }

  async run(): Promise<WorkReport> {
    for (;;) {
      while (this.#running.size < this.#options.slots && (await this.#startNext()));
      if (this.#running.size === 0) break;
      await Promise.race(this.#running);
    }
    if (this.#errors.length > 1) throw new AggregateError(this.#errors, 'several loops could not be driven');
    if (this.#errors.length === 1) throw this.#errors[0];
    return { driven: this.#driven, busy: this.#busy };
  }

  /** Begins one more loop, if one is free. After an error no new one is begun, but those under way come to their end. */
  async #startNext(): Promise<boolean> {
    if (this.#errors.length > 0 || this.#options.signal?.aborted === true) return false;
    try {
      const loopId = await this.#claimNext();
      if (loopId === null) return false;
      const running: Promise<void> = this.#drive(loopId).finally(() => this.#running.delete(running));
      this.#running.add(running);
      return true;
    } catch (error) {
      this.#errors.push(error);
      return false;
    }
  }

  /** Each loop is tried once, so that one which cannot go on is not picked up again and again. */
  async #claimNext(): Promise<number | null> {
    if (this.#candidates.length === 0) this.#candidates = await this.#listCandidates();
    for (let loopId = this.#candidates.shift(); loopId !== undefined; loopId = this.#candidates.shift()) {
      this.#tried.add(loopId);
      if (await this.#claim(loopId)) return loopId;
    }
    return null;
  }

  async #listCandidates(): Promise<number[]> {
    const { only } = this.#options;
    const jobs = await this.#store.transaction((tx) => tx.jobs());
    return jobs.map((job) => job.loopId).filter((loopId) => !this.#tried.has(loopId) && (only === undefined || only.includes(loopId)));
  }

  async #claim(loopId: number): Promise<boolean> {
    return await this.#store.transaction(async (tx) => {
      const job = await tx.job(loopId);
      if (job === null) return false;
      if (job.owner !== null && (await isAlive(job.owner))) {
        this.#busy.push({ loopId, owner: job.owner });
        return false;
      }
      await tx.setOwner(loopId, await thisProcess());
      return true;
    });
  }

  async #drive(loopId: number): Promise<void> {
    let failed = false;
    try {
      await this.#handler({ loopId });
      this.#driven.push(loopId);
      // What this one let go, or what was added meanwhile, may come before the rest.
      this.#candidates = [];
    } catch (error) {
      failed = true;
      this.#errors.push(error);
    }
    try {
      await this.#store.transaction((tx) => tx.setOwner(loopId, null));
    } catch (error) {
      // What broke the handler mostly breaks this too; one error is enough, and a dead owner is noticed anyway.
      if (!failed) this.#errors.push(error);
    }
  }
}
