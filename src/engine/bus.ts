import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { VolleyError } from '../core/errors.ts';
import type { JournalEntry } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { applyEvent } from '../core/apply.ts';
import type { PlacedEntry, Store } from '../store/store.ts';

/** An entry of the journal with its loop as it was and as it became; of a loop whose journal cannot be read, only that something happened. */
export type PlacedStep = Pick<PlacedEntry, 'position' | 'loopId'> &
  ({ readonly entry: JournalEntry; readonly before: Loop | null; readonly after: Loop } | { readonly entry: null });

/** Whoever follows the journal. */
export type BusListener = {
  /** Hears of every entry once, in the order of positions. */
  heard(steps: readonly PlacedStep[]): void;
  /** The journal cannot be read, and nothing more will be heard. */
  failed(error: unknown): void;
};

/** From where on somebody hears, until they stop. */
export type Hearing = { readonly position: number; stop(): void };

/** Follows the journal of a project, whoever writes it: this process, which pokes it, or another one. */
export type Bus = {
  listen(listener: BusListener): Promise<Hearing>;
  /** The steps after a position, at most `limit`, for whoever was not there. */
  read(position: number, limit: number): Promise<readonly PlacedStep[]>;
  /** This process has written something. */
  poke(): void;
};

/** How soon something that another process wrote is noticed: quickly while it writes, slower when it has been quiet. */
const QUICK_LOOK_MS = 10;
const SLOW_LOOK_MS = 80;

/** What comes within this time is told together, because telling many clients costs more by occasion than by entry. */
const GATHER_MS = 5;

const ENTRIES_AT_ONCE = 200;
const KEPT_FOLLOWING = 512;
const KEPT_READING = 128;

/** The bus of a project; it reads nothing while nobody listens. */
export function openBus(store: Journal): Bus {
  const reading = stepFolder(store, KEPT_READING);
  let following: Following | null = null;
  const listen: Bus['listen'] = async (listener) => {
    const current = following?.isOver === false ? following : new Following(store);
    following = current;
    await current.opened;
    // The last of its listeners may have left meanwhile.
    if (current.isOver) return await listen(listener);
    return current.add(listener);
  };
  return {
    listen,
    read: async (position, limit) => await reading(await store.entriesAfter(position, limit)),
    poke: () => following?.poke(),
  };
}

type Journal = Pick<Store, 'position' | 'entriesAfter' | 'journal'>;

/** The time from the first listener to the last. */
class Following {
  /** Done when the position is known from which on it hears. */
  readonly opened: Promise<void>;
  isOver = false;
  readonly #store: Journal;
  readonly #fold: (placed: readonly PlacedEntry[]) => Promise<readonly PlacedStep[]>;
  readonly #listeners = new Set<BusListener>();
  #position = 0;
  #isBegun = false;
  #isPoked = false;
  #wake: (() => void) | null = null;

  constructor(store: Journal) {
    this.#store = store;
    this.#fold = stepFolder(store, KEPT_FOLLOWING);
    this.opened = this.#open();
  }

  add(listener: BusListener): Hearing {
    this.#listeners.add(listener);
    if (!this.#isBegun) void this.#follow();
    this.#isBegun = true;
    return {
      position: this.#position,
      stop: () => {
        this.#listeners.delete(listener);
        if (this.#listeners.size === 0) this.#end();
      },
    };
  }

  poke(): void {
    this.#isPoked = true;
    this.#wake?.();
  }

  #end(): void {
    this.isOver = true;
    this.#listeners.clear();
    this.#wake?.();
  }

  async #open(): Promise<void> {
    try {
      this.#position = await this.#store.position();
    } catch (error) {
      this.isOver = true;
      throw error;
    }
  }

  /** Never rejects: an error ends the following, and all who listen are told. */
  async #follow(): Promise<void> {
    try {
      // Whoever has just come must know its position before it hears anything.
      await immediate();
      for (let lookMs = SLOW_LOOK_MS; !this.isOver;) {
        this.#isPoked = false;
        const isNews = await this.#hear();
        lookMs = isNews ? QUICK_LOOK_MS : Math.min(lookMs * 2, SLOW_LOOK_MS);
        if (isNews) await delay(GATHER_MS);
        await this.#pause(lookMs);
      }
    } catch (error) {
      const told = [...this.#listeners];
      this.#end();
      for (const listener of told) listener.failed(error);
    }
  }

  async #hear(): Promise<boolean> {
    const steps = await this.#fold(await this.#store.entriesAfter(this.#position, ENTRIES_AT_ONCE));
    const last = steps.at(-1);
    if (last === undefined) return false;
    this.#position = last.position;
    for (const listener of this.#listeners) listener.heard(steps);
    return true;
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isPoked || this.isOver) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }
}

/** Folds placed entries; loops that it has folded before it keeps, up to a number, and others it folds from their journals. */
function stepFolder(store: Journal, kept: number): (placed: readonly PlacedEntry[]) => Promise<readonly PlacedStep[]> {
  const loops = new Map<number, Loop>();
  const loopAt = async (id: number, seq: number): Promise<Loop | null> => {
    const known = loops.get(id);
    if (seq === 0) return null;
    if (known?.seq === seq) return known;
    return (await store.journal(id)).slice(0, seq).reduce<Loop | null>(applyEvent, null);
  };
  const keep = (id: number, loop: Loop): void => {
    loops.delete(id);
    loops.set(id, loop);
    const [oldest] = loops.keys();
    if (loops.size > kept && oldest !== undefined) loops.delete(oldest);
  };
  return async (placed) => {
    const steps: PlacedStep[] = [];
    for (const { position, loopId, entry } of placed) {
      const before = entry === null ? UNREAD : await loopAt(loopId, entry.seq - 1).catch(unreadable);
      if (entry === null || before === UNREAD) {
        steps.push({ position, loopId, entry: null });
        continue;
      }
      const after = applyEvent(before, entry);
      keep(loopId, after);
      steps.push({ position, loopId, entry, before, after });
    }
    return steps;
  };
}

const UNREAD = Symbol('a journal that cannot be read');

/** One loop's journal may be damaged, or written by a newer version: what happens to the others goes on being told. */
function unreadable(error: unknown): typeof UNREAD {
  if (error instanceof VolleyError && error.code.startsWith('store-')) return UNREAD;
  throw error;
}
