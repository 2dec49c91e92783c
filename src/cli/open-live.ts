import { stripVTControlCharacters } from 'node:util';
import { redact } from '../core/secrets.ts';
import { cutLine } from './cut.ts';
import { drawLine, lastLine, latestWords } from './live-line.ts';
import type { Live, LiveLine } from './live.ts';
import { forTerminal } from './print.ts';
import { textWidth } from './report/text-width.ts';

/** What is needed of a terminal. */
export type Terminal = { readonly columns: number; readonly rows: number; write(text: string): unknown };

/** Draws live lines on a terminal, at most ten times a second, and each second for their clocks. */
export function openLive(terminal: Terminal, look: { readonly color: boolean }): Live {
  return new LiveArea(terminal, look);
}

const LEAST_PAUSE_MS = 100;
const CLOCK_MS = 1000;

/** The lowest lines of one terminal: what they show, what of it is drawn, and when it is drawn again. */
class LiveArea implements Live {
  readonly #terminal: Terminal;
  readonly #color: boolean;
  readonly #loops = new Map<number, { line: LiveLine; words: string }>();
  #framed: readonly string[] | null = null;
  #drawn: readonly string[] = [];
  #drawnAtMs = -LEAST_PAUSE_MS;
  #isDue = false;
  #clock: NodeJS.Timeout | null = null;

  constructor(terminal: Terminal, { color }: { readonly color: boolean }) {
    this.#terminal = terminal;
    this.#color = color;
  }

  set(line: LiveLine): void {
    const before = this.#loops.get(line.id);
    const isSamePhase = before?.line.startedAtMs === line.startedAtMs && before.line.phase === line.phase;
    this.#loops.set(line.id, { line, words: isSamePhase ? before.words : '' });
    this.#drawSoon();
  }

  did(id: number, text: string): void {
    const loop = this.#loops.get(id);
    if (loop === undefined) return;
    loop.words = latestWords(loop.words, text);
    this.#drawSoon();
  }

  drop(id: number): void {
    if (this.#loops.delete(id)) this.#draw();
  }

  frame(lines: readonly string[] | null): void {
    this.#framed = lines;
    this.#draw();
  }

  around(write: () => void): void {
    const isDrawn = this.#drawn.length > 0;
    if (isDrawn) this.#replaceBy([]);
    write();
    if (isDrawn) this.#draw();
  }

  close(): void {
    this.#loops.clear();
    this.frame(null);
  }

  #draw(): void {
    this.#replaceBy(this.#lines());
    this.#drawnAtMs = performance.now();
    this.#setClock();
  }

  #drawSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const left = Math.max(0, LEAST_PAUSE_MS - (performance.now() - this.#drawnAtMs));
    setTimeout(() => {
      this.#isDue = false;
      this.#draw();
    }, left).unref();
  }

  #setClock(): void {
    if (this.#loops.size > 0) this.#clock ??= setInterval(() => this.#drawSoon(), CLOCK_MS).unref();
    else if (this.#clock !== null) {
      clearInterval(this.#clock);
      this.#clock = null;
    }
  }

  /** One column stays free, because a full line moves the cursor of some terminals; one row, for what scrolls by. */
  #lines(): readonly string[] {
    const width = Math.max(1, this.#terminal.columns - 1);
    const height = Math.max(1, this.#terminal.rows - 1);
    const view = { nowMs: Date.now(), width, color: this.#color };
    const all = this.#framed ?? [...this.#loops.values()].map(({ line, words }) => drawLine(line, redact(lastLine(words)), view));
    const shown = all.length <= height ? all : [...all.slice(0, height - 1), `  and ${all.length - height + 1} more`];
    return shown.map((line) =>
      forTerminal({ color: this.#color }, widthOf(line) <= width ? line : cutLine(stripVTControlCharacters(line), width)),
    );
  }

  /**
   * A terminal that became narrower has wrapped the lines, and left the cursor where the last of them begins. What is below
   * is not erased from the corner of the screen, because some terminals keep what was there as if it had scrolled by.
   */
  #replaceBy(lines: readonly string[]): void {
    const columns = Math.max(1, this.#terminal.columns);
    const before = this.#drawn;
    const above = before.slice(0, -1).reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
    this.#drawn = lines;
    if (before.length === 0 && lines.length === 0) return;
    const text = lines.length === 0 ? ` ${ERASE_BELOW}\r${ERASE_REST}` : `${lines.join(`${ERASE_REST}\n`)}${ERASE_BELOW}\r`;
    this.#terminal.write(`\r${up(above)}${text}`);
  }
}

const ERASE_REST = '\u001b[K';
const ERASE_BELOW = '\u001b[J';

function up(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : '';
}

function widthOf(line: string): number {
  return textWidth(stripVTControlCharacters(line));
}
