import { frameSeq } from '../core/live-seq.ts';
import { eventOutput } from '../core/project-output.ts';
import { reviewLoopEvents } from '../core/review-loop-events.ts';
import { safeJson } from '../core/safe-json.ts';
import type { Bus, PlacedStep } from '../engine/bus.ts';
import type { JournalFrame, LiveTopic, ServerFrame, Unreadable } from './contract/live.ts';

/** A frame that an entry of the journal makes, as bytes that go to every client who wants it. */
export type Frame = { readonly seq: number; readonly topic: LiveTopic; readonly loop: number; readonly bytes: Buffer };

/** All frames of a stretch of the journal that ends with the position `until`. */
export type FramePage = { readonly until: number; readonly frames: readonly Frame[] };

/** A frame as it travels. */
export function bytesOf(frame: ServerFrame): Buffer {
  return Buffer.from(safeJson(frame));
}

/** The frame that tells an entry itself, or that it cannot be read; it is the first of those that the entry makes. */
export function journalFrame(step: PlacedStep): JournalFrame | Unreadable {
  const seq = frameSeq(step.position, 0);
  if (step.entry === null) return { type: 'unreadable', seq, loop: step.loopId };
  return { type: 'event', seq, payload: eventOutput(step.after, step.entry) };
}

/** The frames of an entry, in their order; they follow from the journal, so they are the same whenever they are made. */
export function framesOf(step: PlacedStep): readonly Frame[] {
  const { position, loopId: loop } = step;
  const entered = journalFrame(step);
  const journal: Frame = { seq: entered.seq, topic: 'journal', loop, bytes: bytesOf(entered) };
  if (step.entry === null) {
    const seq = frameSeq(position, 1);
    return [journal, { seq, topic: 'review-loop', loop, bytes: bytesOf({ type: 'unreadable', seq, loop }) }];
  }
  const { before, entry, after } = step;
  const told = reviewLoopEvents(before, entry, after).map(({ name, payload }, index): Frame => {
    const own = frameSeq(position, index + 1);
    return { seq: own, topic: 'review-loop', loop, bytes: Buffer.from(safeJson({ type: name, seq: own, payload })) };
  });
  return [journal, ...told];
}

const ENTRIES_PER_PAGE = 100;
const KEPT_BYTES = 16 * 1024 * 1024;

type Page = { readonly start: number; until: number; frames: Frame[]; bytes: number };

/** The frames of the journal in pages that all clients share, so that many who were away at once cost one reading. */
export class FramePages {
  readonly #bus: Bus;
  readonly #pages = new Map<number, Page>();
  readonly #reading = new Map<number, Promise<Page>>();
  #bytes = 0;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** Frames of the next entries after a position, up to `head` at the most; more than that may be in them. */
  async after(position: number, head: number): Promise<FramePage> {
    const start = startOf(position);
    const known = this.#pages.get(start);
    if (known !== undefined && known.until >= Math.min(head, start + ENTRIES_PER_PAGE)) return known;
    const reading = this.#reading.get(start) ?? this.#read(start);
    this.#reading.set(start, reading);
    try {
      return await reading;
    } finally {
      this.#reading.delete(start);
    }
  }

  /** What was heard live, of all entries after `from`. */
  add(steps: readonly { readonly position: number; readonly frames: readonly Frame[] }[], from: number): void {
    for (const { position, frames } of steps) {
      const start = startOf(position - 1);
      const page = this.#pages.get(start) ?? (start >= from ? this.#keep({ start, until: start, frames: [], bytes: 0 }) : null);
      if (page !== null && page.until >= from) this.#extend(page, position, frames);
    }
    this.#forget();
  }

  async #read(start: number): Promise<Page> {
    const from = this.#pages.get(start)?.until ?? start;
    const steps = await this.#bus.read(from, start + ENTRIES_PER_PAGE - from);
    // It may have been heard, or forgotten, meanwhile.
    const page = this.#pages.get(start) ?? this.#keep({ start, until: start, frames: [], bytes: 0 });
    if (page.until >= from) for (const step of steps) this.#extend(page, step.position, framesOf(step));
    this.#forget();
    return page;
  }

  #keep(page: Page): Page {
    this.#pages.set(page.start, page);
    return page;
  }

  #extend(page: Page, position: number, frames: readonly Frame[]): void {
    if (position <= page.until) return;
    const end = page.start + ENTRIES_PER_PAGE;
    page.until = Math.min(position, end);
    if (position > end) return;
    const bytes = frames.reduce((sum, frame) => sum + frame.bytes.length, 0);
    page.frames.push(...frames);
    page.bytes += bytes;
    this.#bytes += bytes;
  }

  #forget(): void {
    for (const [start, page] of this.#pages) {
      if (this.#bytes <= KEPT_BYTES || this.#pages.size === 1) return;
      this.#pages.delete(start);
      this.#bytes -= page.bytes;
    }
  }
}

function startOf(position: number): number {
  return Math.max(0, Math.floor(position / ENTRIES_PER_PAGE) * ENTRIES_PER_PAGE);
}
