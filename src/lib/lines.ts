/** Cuts a stream of text into lines; a line that grows beyond the limit is dropped whole, and counted. */
export class LineSplitter {
  readonly #limitChars: number;
  #parts: string[] = [];
  #heldChars = 0;
  #dropping = false;
  #dropped = 0;

  constructor(limitChars: number) {
    this.#limitChars = limitChars;
  }

  /** How many lines were too long to be kept. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The lines that a piece of text completes. */
  push(text: string): string[] {
    const pieces = text.split('\n');
    const rest = pieces.pop() ?? '';
    const lines = pieces.flatMap((piece) => {
      this.#hold(piece);
      return this.#take();
    });
    this.#hold(rest);
    return lines;
  }

  /** What came after the last line break. */
  end(): string[] {
    return this.#heldChars === 0 && !this.#dropping ? [] : this.#take();
  }

  #hold(piece: string): void {
    this.#heldChars += piece.length;
    if (this.#heldChars > this.#limitChars) {
      this.#dropping = true;
      this.#parts = [];
    } else this.#parts.push(piece);
  }

  #take(): string[] {
    const line = this.#dropping ? [] : [this.#parts.join('')];
    if (this.#dropping) this.#dropped += 1;
    this.#parts = [];
    this.#heldChars = 0;
    this.#dropping = false;
    return line;
  }
}
