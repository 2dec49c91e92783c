import { decorate } from './decorate.ts';
import type { DiffModel } from './diff-model.ts';
import type { Viewer } from './entry.ts';
import { rowsOf } from './rows.ts';
import type { Place, Row } from './rows.ts';
import { METRICS } from './viewer-css.ts';

/** So long a line shows that somebody was led to it. */
const FLASH_MS = 1600;

/** The line under the cursor, which the viewer does not have; and the one that somebody was led to a moment ago. */
export class Pointer {
  at: Place | null = null;
  flash: Place | null = null;
  readonly #model: DiffModel;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(model: DiffModel) {
    this.#model = model;
  }

  /** Whether the cursor is on a line that is on the screen. */
  sees(place: Place): boolean {
    const { viewer } = this.#model;
    if (viewer === null || this.at === null || !isSame(this.at, place)) return false;
    const row = drawnRows(viewer)
      .find((one) => isSame(one, place))
      ?.element.getBoundingClientRect();
    const frame = viewer.getContainerElement()?.getBoundingClientRect();
    return row !== undefined && frame !== undefined && row.top >= frame.top && row.bottom <= frame.bottom;
  }

  /** Draws on one file what the viewer does not know of. */
  draw(id: string, element: HTMLElement): void {
    const entry = this.#model.entry(id);
    if (entry !== undefined) decorate(element, entry, { cursor: this.at, flash: this.flash });
  }

  /** Puts the cursor on a line; says which row that is, if it is drawn. */
  put(place: Place | null): Row | null {
    this.at = place;
    if (place !== null) this.#model.led.take(place.id);
    this.#redraw();
    const { viewer } = this.#model;
    return place === null || viewer === null ? null : (drawnRows(viewer).find((row) => isSame(row, place)) ?? null);
  }

  /** Goes some rows on, or to what is seen first; past folded files, and over the edge of what is drawn. */
  move(step: number): Row | null {
    const { viewer } = this.#model;
    if (viewer === null) return null;
    const rows = drawnRows(viewer);
    const { at } = this;
    const index = at === null ? -1 : rows.findIndex((row) => isSame(row, at));
    const next = index === -1 ? firstSeen(viewer, rows) : rows[index + step];
    if (next === undefined) {
      const position = viewer.getScrollTop() + METRICS.diffHeaderHeight + step * viewer.getHeight() * 0.5;
      this.#model.goTo({ type: 'position', position });
      return null;
    }
    this.#model.goTo({
      type: 'line',
      id: next.id,
      lineNumber: next.line,
      side: next.side,
      align: 'nearest',
      offset: 3 * METRICS.lineHeight,
    });
    return this.put(next);
  }

  /** Lets a line show for a moment that somebody was led to it. */
  show(place: Place): void {
    this.flash = place;
    this.#redraw();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.flash = null;
      this.#redraw();
    }, FLASH_MS);
  }

  #redraw(): void {
    for (const { id, element } of this.#model.viewer?.getRenderedItems() ?? []) this.draw(id, element);
  }
}

function drawnRows(viewer: Viewer): Row[] {
  return viewer.getRenderedItems().flatMap(({ id, element }) => rowsOf(id, element));
}

function firstSeen(viewer: Viewer, rows: readonly Row[]): Row | undefined {
  const edge = (viewer.getContainerElement()?.getBoundingClientRect().top ?? 0) + METRICS.diffHeaderHeight;
  return rows.find(({ element }) => element.getBoundingClientRect().top >= edge);
}

function isSame(a: Place, b: Place): boolean {
  return a.id === b.id && a.line === b.line && a.side === b.side;
}
