import { setImmediate as immediate } from 'node:timers/promises';
import type { Owner, Store } from '../store/store.ts';
import { BrokenLoops } from './broken-loops.ts';
import type { Job, WorkOptions, WorkReport } from './dispatcher.ts';
import { isAlive, thisProcess } from './owner.ts';

type Handler = (job: Job) => Promise<void>;

/** Whoever watches looks this often for new work. */
const LOOK_MS = 1000;

/** After a look that failed the next one comes later, and later still where that fails too. */
const FALTER_MS = 5000;
const FALTER_AT_MOST_MS = 60_000;

/** One `work` call: what it has tried, drives now and has driven. */
export class Shift {
  readonly #store: Store;
  readonly #options: WorkOptions;
  readonly #handler: Handler;
  readonly #tried = new Set<number>();
  readonly #broken: BrokenLoops;
  readonly #running = new Map<number, Promise<void>>();
  /** Loops that are driven no longer, and could not be let go yet. */
  readonly #held = new Set<number>();
  readonly #driven = new Set<number>();
  readonly #busy = new Map<number, Owner>();
  readonly #errors: unknown[] = [];
  #only: readonly number[] | null;
  #candidates: number[] = [];
  /** Looks in a row that failed, and what was told of the last one. */
  #failures = 0;
  #told = '';
  #isMore = false;
  #isStirred = false;
  #wake = (): void => undefined;

  constructor(store: Store, options: WorkOptions, handler: Handler) {
    this.#store = store;
    this.#options = options;
    this.#handler = handler;
    this.#broken = new BrokenLoops(store);
    this.#only = options.only ?? null;
  }

  /** Looks at once, also where a look is just under way. */
  stir(): void {
    this.#isStirred = true;
    this.#wake();
  }

  async run(): Promise<WorkReport> {
    const onAbort = (): void => this.#wake();
    this.#options.signal?.addEventListener('abort', onAbort);
    await this.#work().finally(() => this.#options.signal?.removeEventListener('abort', onAbort));
    if (this.#errors.length > 1) throw new AggregateError(this.#errors, 'several loops could not be driven');
    if (this.#errors.length === 1) throw this.#errors[0];
    return { driven: [...this.#driven], busy: [...this.#busy].map(([loopId, owner]) => ({ loopId, owner })) };
  }

  async #work(): Promise<void> {
    for (;;) {
      this.#isStirred = false;
      const isOn = await this.#look();
      if (this.#running.size === 0 && (!isOn || this.#isOver)) return;
      await this.#pause();
    }
  }

  get #isOver(): boolean {
    return this.#errors.length > 0 || this.#options.signal?.aborted === true;
  }

  /** Fills the slots, and says whether there is or may come anything to do. */
  async #look(): Promise<boolean> {
    const { watch, slots } = this.#options;
    this.#isMore = false;
    try {
      if (!this.#isOver) await this.#prepare();
      // After an error no new loop is begun, but those under way come to their end.
      while (this.#running.size < slots && !this.#isOver && (await this.#startNext()));
      const isOn = this.#running.size > 0 || (watch !== undefined && !this.#isOver && (await watch.stays()));
      this.#failures = 0;
      this.#told = '';
      return isOn;
    } catch (error) {
      this.#failures += 1;
      this.#falter(error);
      return true;
    }
  }

  async #prepare(): Promise<void> {
    await this.#letGoHeld();
    const { watch } = this.#options;
    if (watch === undefined) return;
    this.#candidates = [];
    const { only, isMore } = await watch.prepare();
    this.#only = only;
    this.#isMore = isMore;
  }

  /** Whoever watches goes on in spite of an error, and hears of one that lasts once; for everybody else it is the end. */
  #falter(error: unknown): void {
    const { watch } = this.#options;
    if (watch?.faltered === undefined) return void this.#errors.push(error);
    if (this.#told !== String(error)) watch.faltered(error);
    this.#told = String(error);
  }

  /** Until a slot is free; whoever watches with a free slot looks again soon. */
  async #pause(): Promise<void> {
    const { watch, slots } = this.#options;
    if (watch !== undefined && this.#isMore && !this.#isOver) return await immediate();
    if (watch === undefined || this.#isOver || this.#running.size >= slots) return await Promise.race(this.#running.values());
    if (this.#isStirred) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#failures === 0 ? LOOK_MS : Math.min(FALTER_AT_MOST_MS, FALTER_MS * 2 ** (this.#failures - 1)));
    this.#wake = resolve;
    await Promise.race([promise, ...this.#running.values()]);
    clearTimeout(timer);
  }

  /** Begins one more loop, if one is free. */
  async #startNext(): Promise<boolean> {
    const loopId = await this.#claimNext();
    if (loopId === null) return false;
    this.#running.set(
      loopId,
      this.#drive(loopId).finally(() => this.#running.delete(loopId)),
    );
    return true;
  }

  async #claimNext(): Promise<number | null> {
    if (this.#candidates.length === 0) this.#candidates = await this.#listCandidates();
    for (let loopId = this.#candidates.shift(); loopId !== undefined; loopId = this.#candidates.shift()) {
      if (await this.#claim(loopId)) return loopId;
    }
    return null;
  }

  async #listCandidates(): Promise<number[]> {
    const only = this.#only === null ? null : new Set(this.#only);
    const free: number[] = [];
    for (const { loopId, owner } of await this.#store.jobs()) {
      if ((only !== null && !only.has(loopId)) || this.#running.has(loopId) || !(await this.#mayTry(loopId))) continue;
      if (owner !== null && (await isAlive(owner))) this.#note(loopId, owner);
      else free.push(loopId);
    }
    return free;
  }

  /** Each loop is tried once, so that one which cannot go on is not picked up again and again; whoever watches drives it when it wants. */
  async #mayTry(loopId: number): Promise<boolean> {
    return this.#options.watch === undefined ? !this.#tried.has(loopId) : await this.#broken.mayTry(loopId);
  }

  #note(loopId: number, owner: Owner): void {
    this.#tried.add(loopId);
    this.#busy.set(loopId, owner);
  }

  async #claim(loopId: number): Promise<boolean> {
    this.#tried.add(loopId);
    return await this.#store.transaction(async (tx) => {
      const job = await tx.job(loopId);
      if (job === null) return false;
      if (job.owner !== null && (await isAlive(job.owner))) {
        this.#note(loopId, job.owner);
        return false;
      }
      await tx.setOwner(loopId, await thisProcess());
      return true;
    });
  }

  /** While it is not let go, nobody else takes it. */
  async #letGoHeld(): Promise<void> {
    for (const loopId of this.#held) {
      await this.#store.transaction((tx) => tx.setOwner(loopId, null));
      this.#held.delete(loopId);
    }
  }

  async #drive(loopId: number): Promise<void> {
    let failed: { readonly error: unknown } | null = null;
    let begunAt = 0;
    try {
      begunAt = (await this.#store.load(loopId))?.seq ?? 0;
      await this.#handler({ loopId });
      this.#driven.add(loopId);
      // What this one let go, or what was added meanwhile, may come before the rest.
      this.#candidates = [];
    } catch (error) {
      failed = { error };
    }
    try {
      await this.#store.transaction((tx) => tx.setOwner(loopId, null));
    } catch (error) {
      this.#held.add(loopId);
      // What broke the handler mostly breaks this too; one error is enough, and a dead owner is noticed anyway.
      if (failed === null) this.#falter(error);
    }
    await this.#tell(loopId, failed, begunAt).catch((error: unknown) => this.#falter(error));
  }

  async #tell(loopId: number, failed: { readonly error: unknown } | null, begunAt: number): Promise<void> {
    const { watch } = this.#options;
    if (failed === null) {
      this.#broken.forget(loopId);
      return await watch?.ended(loopId);
    }
    if (watch === undefined) return void this.#errors.push(failed.error);
    watch.broke(loopId, failed.error);
    await this.#broken.add(loopId, begunAt, failed.error);
  }
}
