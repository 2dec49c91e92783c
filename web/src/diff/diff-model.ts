import type { CodeViewScrollTarget, FileDiffMetadata, SelectionSide } from '@pierre/diffs';
import type { Whitespace } from '../../../src/core/change-view.ts';
import { startsFolded, whyNoLines } from './diff-file.ts';
import type { DiffFile } from './diff-file.ts';
import { isCovered, newEntry, renew } from './entry.ts';
import type { DiffItem, Entry, Viewer } from './entry.ts';
import { estimated } from './estimate.ts';
import { LedFile } from './led-file.ts';
import { NO_ENDINGS } from './line-endings.ts';
import { indexAt, near } from './near.ts';
import type { Stack } from './near.ts';
import { Listeners } from './listeners.ts';
import { linesOf } from './notes.ts';
import type { Note, PlacedNotes } from './notes.ts';
import { loadPatch, patchKey } from './patches.ts';
import { keepBelow, keepLine } from './reading.ts';

/** What is shown. */
export type Shown = {
  readonly change: string;
  readonly files: readonly DiffFile[];
  readonly whitespace: Whitespace;
  readonly notes: PlacedNotes;
  /** Whether somebody ticked it off already. */
  readonly isViewed: (file: DiffFile) => boolean;
};

/** So many patches are asked for at once. */
const AT_ONCE = 4;

/** Whoever has not scrolled for so long reads. */
const RESTS_MS = 250;

/** So many frames may pass until a line that came is laid out. */
const MOST_FRAMES = 90;

/** Patches are there before they are seen: so far ahead in pixels. */
const AHEAD = 1600;

/**
 * Holds the files of a change in the viewer: each one as an estimate of its height until somebody comes near, then with its patch.
 * Files are known by their path, so that another range or a newer head changes only those that differ, and what is read stays.
 */
export class DiffModel {
  #viewer: Viewer | null = null;
  #entries: readonly Entry[] = [];
  #byId = new Map<string, Entry>();
  #shown: Shown | null = null;
  #running = 0;
  #movedAt = 0;
  #led = new AbortController();
  /** Where somebody wanted to go last, counted. */
  #wish = 0;
  #connection = 0;
  /** Whether something was written out in a patch that was shown. */
  hasNamed = false;
  /** The file that somebody was led to. */
  readonly led = new LedFile();
  /** Those who show what is known of a file; the viewer does not draw their part anew whenever that changes. */
  readonly heads = new Listeners();
  readonly #waiters = new Map<string, (() => void)[]>();

  /** The viewer, as long as there is one. */
  get viewer(): Viewer | null {
    return this.#viewer;
  }

  /** Takes the viewer, or its end. */
  attach(viewer: Viewer | null): void {
    this.#viewer = viewer;
    if (viewer === null || this.#entries.length === 0) return;
    viewer.setItems(this.#entries.map(({ item }) => item));
    this.look();
  }

  /** Shows a change, and the one before it no longer. */
  show(shown: Shown): void {
    const before = this.#shown;
    this.#shown = shown;
    if (before?.files === shown.files && before.whitespace === shown.whitespace && before.change === shown.change) {
      this.#renote(shown.notes);
      return;
    }
    const names = new Map<string, number>();
    const entries = shown.files.map((file) => {
      const twins = names.get(file.path) ?? 0;
      names.set(file.path, twins + 1);
      // Names that differ in bytes alone look the same.
      return this.#kept(twins === 0 ? file.path : `${file.path}\0${twins}`, file);
    });
    this.#entries = entries;
    this.#byId = new Map(entries.map((entry) => [entry.id, entry]));
    this.#viewer?.setItems(entries.map(({ item }) => item));
    this.heads.tell();
    this.look();
  }

  /** Leads somewhere, and no longer to where somebody wanted to go before. */
  goTo(target: CodeViewScrollTarget): void {
    this.#wish += 1;
    this.#lead(target);
  }

  /** What was held in its place for those who read is let go. */
  #lead(target: CodeViewScrollTarget): void {
    this.#led.abort();
    this.#led = new AbortController();
    this.#movedAt = performance.now();
    this.#viewer?.scrollTo(target);
  }

  /** Hears that somebody scrolls. */
  moved(): void {
    this.#movedAt = performance.now();
    this.led.scrolled();
    this.look();
  }

  /** Looks where in the change somebody is, and asks for what they will need. */
  look(): void {
    const { viewer, stack } = this.#layout();
    if (viewer === null || this.#running >= AT_ONCE) return;
    const window = { top: viewer.getScrollTop(), height: viewer.getHeight() };
    for (const index of near(stack, window, AHEAD)) {
      if (this.#running >= AT_ONCE) return;
      const entry = this.#entries[index];
      if (entry === undefined || entry.folded) continue;
      // It keeps its height until its patch is there, so that nothing moves twice.
      if (entry.state === 'failed' && entry.failedIn < this.#connection) entry.state = 'waiting';
      void this.#load(entry);
    }
  }

  /** Hears that the server is there again: what did not come is asked for once more as soon as somebody is near it. */
  connected(): void {
    this.#connection += 1;
    this.look();
  }

  /** The file that somebody is at: the one they were led to, or the one whose lines are at the top of what is seen. */
  current(): Entry | undefined {
    const led = this.#byId.get(this.led.id() ?? '');
    if (led !== undefined) return led;
    const { viewer, stack } = this.#layout();
    return viewer === null ? undefined : this.#entries[indexAt(stack, viewer.getScrollTop() + 1)];
  }

  /** The file that stands so many places further, or nothing. */
  beside(entry: Entry | undefined, step: number): Entry | undefined {
    return entry === undefined ? this.#entries[0] : this.#entries[this.#entries.indexOf(entry) + step];
  }

  /** A file by its name in the viewer. */
  entry(id: string): Entry | undefined {
    return this.#byId.get(id);
  }

  /** The file that a diff is shown for. */
  entryOf(diff: FileDiffMetadata): Entry | undefined {
    return this.#entries.find(({ item }) => item.fileDiff === diff);
  }

  /** Folds a file or opens it. */
  fold(entry: Entry, folded: boolean): void {
    if (entry.folded === folded) return;
    entry.folded = folded;
    this.#update(renew(entry));
    this.look();
  }

  /** Asks once more for a patch that did not come. */
  retry(entry: Entry): void {
    entry.state = 'waiting';
    this.#update(renew(entry, estimated(entry.file)));
    void this.#load(entry);
  }

  /** Goes to the head of a file. */
  showFile(entry: Entry): void {
    this.led.take(entry.id);
    this.goTo(headOf(entry));
  }

  /**
   * Goes to a line of a file as soon as it is there, and opens the file; false where there is no such line. Whoever goes
   * elsewhere meanwhile is left there.
   */
  async showLine(entry: Entry, line: number, side: SelectionSide): Promise<boolean> {
    const wish = (this.#wish += 1);
    const isWanted = (): boolean => wish === this.#wish && this.led.id() === entry.id;
    this.led.take(entry.id);
    this.fold(entry, false);
    if (!this.#holds(entry, line, side)) {
      if (entry.state !== 'ready') this.#lead(headOf(entry));
      if (side === 'additions') entry.shown.add(line);
      if (entry.state === 'ready' && side === 'additions') entry.state = 'late';
      await this.#loaded(entry);
      if (!isWanted()) return true;
    }
    if (!this.#holds(entry, line, side)) {
      this.#lead(headOf(entry));
      return false;
    }
    await this.#isLaid(entry, { line, side }, isWanted);
    if (isWanted()) this.#lead({ type: 'line', id: entry.id, lineNumber: line, side, align: 'center' });
    return true;
  }

  /** Waits until the viewer knows where a line is, as long as it is wanted: it takes what it was given only after it coloured it. */
  async #isLaid({ id }: Entry, { line, side }: Line, isWanted: () => boolean): Promise<void> {
    for (let frame = 0; frame < MOST_FRAMES && isWanted(); frame++) {
      const rendered = this.#viewer?.getRenderedItems().find((one) => one.id === id);
      if (rendered?.type === 'diff' && rendered.instance.getLinePosition(line, side) !== undefined) {
        // Of a file that is all there some lines may be hidden.
        if (side === 'additions') rendered.instance.revealLine(line);
        return;
      }
      if (rendered === undefined) this.#lead({ type: 'item', id, align: 'start' });
      await new Promise(requestAnimationFrame);
    }
  }

  #holds({ state, spans, item: { fileDiff } }: Entry, line: number, side: SelectionSide): boolean {
    if (state !== 'ready') return false;
    if (!fileDiff.isPartial) return line <= (side === 'additions' ? fileDiff.additionLines : fileDiff.deletionLines).length;
    if (side === 'additions') return isCovered(spans, line);
    return spans.some(({ oldFrom, oldEnd }) => oldFrom <= line && line < oldEnd);
  }

  #layout(): { readonly viewer: Viewer | null; readonly stack: Stack } {
    const viewer = this.#viewer;
    const topOf = (index: number): number => viewer?.getTopForItem(this.#entries[index]?.id ?? '') ?? 0;
    return { viewer, stack: { count: this.#entries.length, topOf } };
  }

  #kept(id: string, file: DiffFile): Entry {
    const { whitespace, notes, isViewed } = this.#seen();
    const key = patchKey(file, whitespace);
    const known = this.#byId.get(id);
    const entry = known ?? newEntry(id, file, key);
    entry.file = file;
    if (known === undefined) entry.folded = startsFolded(file) || isViewed(file);
    if (entry.key !== key || known === undefined) {
      entry.key = key;
      entry.state = whyNoLines(file) !== null ? 'ready' : this.#isRendered(id) && entry.state === 'ready' ? 'late' : 'waiting';
      if (entry.state !== 'late') {
        Object.assign(entry, { endings: NO_ENDINGS, isUtf8: true });
        renew(entry, estimated(file));
      }
    }
    this.#setNotes(entry, notes.byFile.get(file.path) ?? []);
    return entry;
  }

  #update(item: DiffItem): void {
    this.#viewer?.updateItem(item);
    this.heads.tell();
  }

  #isShown(entry: Entry): boolean {
    return this.#byId.get(entry.id) === entry;
  }

  #isRendered(id: string): boolean {
    return this.#viewer?.getRenderedItems().some((one) => one.id === id) ?? false;
  }

  #seen(): Shown {
    if (this.#shown === null) throw new Error('no change is shown');
    return this.#shown;
  }

  #renote({ byFile }: PlacedNotes): void {
    for (const entry of this.#entries) if (this.#setNotes(entry, byFile.get(entry.file.path) ?? [])) this.#update(entry.item);
    this.look();
  }

  /** Whether the file has to be shown anew. */
  #setNotes(entry: Entry, notes: readonly Note[]): boolean {
    if (sameNotes(entry.notes, notes)) return false;
    entry.notes = notes;
    if (entry.state === 'ready' && linesOf(notes).some((line) => !isCovered(entry.spans, line)) && whyNoLines(entry.file) === null)
      entry.state = 'late';
    renew(entry);
    return true;
  }

  async #loaded(entry: Entry): Promise<void> {
    if (isDone(entry)) return;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#waiters.set(entry.id, [...(this.#waiters.get(entry.id) ?? []), () => resolve(undefined)]);
    void this.#load(entry);
    await promise;
  }

  async #load(entry: Entry): Promise<void> {
    if (entry.loading || isDone(entry)) return;
    const lines = [...linesOf(entry.notes), ...entry.shown];
    const connection = this.#connection;
    entry.loading = true;
    this.#running += 1;
    try {
      await this.#take(entry, lines);
    } catch (error) {
      entry.state = 'failed';
      entry.failedIn = connection;
      entry.problem = error instanceof Error ? error.message : String(error);
      const none = renew(entry, { ...estimated(entry.file), hunks: [], splitLineCount: 0, unifiedLineCount: 0 });
      if (this.#isShown(entry)) this.#update(none);
    } finally {
      entry.loading = false;
      this.#running -= 1;
    }
    // While it was under way a note may have come that needs another line.
    if (entry.state === 'ready' && needsMore(entry, new Set(lines))) entry.state = 'late';
    // A file that left the list meanwhile is never done.
    if (this.#isShown(entry) && !isDone(entry)) void this.#load(entry);
    else this.#tell(entry);
    this.look();
  }

  async #take(entry: Entry, lines: readonly number[]): Promise<void> {
    const { change, whitespace } = this.#seen();
    const { key, file } = entry;
    const { diff, spans, missing, hasNamed, endings, isUtf8 } = await loadPatch({ change, file, whitespace, lines });
    if (entry.key !== key || !this.#isShown(entry)) return;
    const settle = this.#hold(entry);
    Object.assign(entry, { state: 'ready', spans, missing, endings, isUtf8 });
    this.hasNamed ||= hasNamed;
    this.#update(renew(entry, diff));
    void settle?.(diff);
  }

  /** What keeps in its place what is being read, while a file gets its patch; nobody reads while they scroll. */
  #hold(entry: Entry): ((next: FileDiffMetadata) => Promise<void>) | null {
    if (this.#viewer === null || performance.now() - this.#movedAt < RESTS_MS) return null;
    const { signal } = this.#led;
    if (entry.state === 'late') return keepLine(this.#viewer, entry, signal);
    // Whoever sees where it begins, or asked for it, reads it and not the one below.
    if (this.led.id() === entry.id || (this.#viewer.getTopForItem(entry.id) ?? 0) >= this.#viewer.getScrollTop()) return null;
    return keepBelow(this.#viewer, entry, { isReady: (id) => this.#byId.get(id)?.state === 'ready', signal });
  }

  #tell(entry: Entry): void {
    for (const done of this.#waiters.get(entry.id) ?? []) done();
    this.#waiters.delete(entry.id);
  }
}

type Line = { readonly line: number; readonly side: SelectionSide };

function headOf({ id }: Entry): CodeViewScrollTarget {
  return { type: 'item', id, align: 'start' };
}

function isDone({ state }: Entry): boolean {
  return state === 'ready' || state === 'failed';
}

function needsMore({ notes, shown, spans }: Entry, asked: ReadonlySet<number>): boolean {
  return [...linesOf(notes), ...shown].some((line) => !asked.has(line) && !isCovered(spans, line));
}

function sameNotes(a: readonly Note[], b: readonly Note[]): boolean {
  return a.length === b.length && a.every((note, index) => JSON.stringify(note) === JSON.stringify(b[index]));
}
