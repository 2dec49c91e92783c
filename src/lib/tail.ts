/** The end of a text that may be endless: memory stays within a few times `limitChars`. */
export class Tail {
  readonly #limitChars: number;
  #kept = '';
  #droppedChars = 0;

  constructor(limitChars: number) {
    this.#limitChars = limitChars;
  }

  push(text: string): void {
    this.#kept += text;
    // Cutting only at twice the limit keeps the cost per character constant.
    if (this.#kept.length > 2 * this.#limitChars) this.#cut();
  }

  /** What is kept, at most `limitChars` characters. */
  get text(): string {
    this.#cut();
    return this.#kept;
  }

  /** How many characters came before `text`. */
  get droppedChars(): number {
    this.#cut();
    return this.#droppedChars;
  }

  #cut(): void {
    const surplus = this.#kept.length - this.#limitChars;
    if (surplus <= 0) return;
    const from = isLowSurrogate(this.#kept, surplus) ? surplus + 1 : surplus;
    this.#kept = this.#kept.slice(from);
    this.#droppedChars += from;
  }
}

/** The last lines of a text, at most `limitLines`. */
export function lastLines(text: string, limitLines: number): string {
  let from = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let lines = 0; lines < limitLines; lines++) {
    from = from === 0 ? -1 : text.lastIndexOf('\n', from - 1);
    if (from === -1) return text;
  }
  return text.slice(from + 1);
}

/** The text with a first line that says how much is missing before it. */
export function withOmission(text: string, droppedChars: number): string {
  return droppedChars === 0 ? text : `[${droppedChars} characters left out]\n${text}`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
