import { isPassing } from '../core/errors.ts';
import { isMereTry } from '../core/mere-try.ts';
import { patienceMs } from '../core/waiting.ts';
import type { Store } from '../store/store.ts';

type Broken = {
  /** How far its journal was read, and how far that of the whole project then. */
  readonly seq: number;
  readonly position: number;
  readonly times: number;
  /** When it may be tried again although nothing happened; never where that could not help. */
  readonly againMs: number;
};

/** The loops that broke when this process drove them, until something happens to them. */
export class BrokenLoops {
  readonly #store: Store;
  readonly #broken = new Map<number, Broken>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** A loop broke that had come so far when it was begun. */
  async add(loopId: number, begunAt: number, error: unknown): Promise<void> {
    const times = this.#broken.get(loopId)?.times ?? 0;
    const againMs = isPassing(error) ? Date.now() + patienceMs(times) : Number.POSITIVE_INFINITY;
    this.#broken.set(loopId, { seq: begunAt, position: -1, times: times + 1, againMs });
    await this.mayTry(loopId);
  }

  forget(loopId: number): void {
    this.#broken.delete(loopId);
  }

  /** What others wrote while they tried it is no reason to try it again. */
  async mayTry(loopId: number): Promise<boolean> {
    const broken = this.#broken.get(loopId);
    if (broken === undefined || broken.againMs <= Date.now()) return true;
    const position = await this.#store.position();
    if (position === broken.position) return false;
    const entries = (await this.#store.journal(loopId)).slice(broken.seq);
    if (entries.every(({ event }) => isMereTry(event))) {
      this.#broken.set(loopId, { ...broken, seq: broken.seq + entries.length, position });
      return false;
    }
    this.#broken.delete(loopId);
    return true;
  }
}
