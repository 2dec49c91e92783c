import { parsePatch } from '../core/parse-patch.ts';

/** One piece of a patch: a file begins, a hunk begins, a line of one, or the mark behind a line that ends without a newline. */
export type PatchPiece =
  | { readonly is: 'file'; readonly path: string; readonly oldPath: string | null; readonly text: string }
  | { readonly is: 'hunk'; readonly oldStart: number; readonly newStart: number; readonly text: string; readonly heading: string }
  | {
      readonly is: 'line';
      readonly kind: 'added' | 'removed' | 'context';
      readonly oldLine: number | null;
      readonly newLine: number | null;
      /** With its sign, without its newline; only its beginning where it is longer than may be kept. */
      readonly bytes: Buffer;
      readonly isCut: boolean;
    }
  | { readonly is: 'mark'; readonly text: string };

const NEWLINE = 10;
const PLUS = 43;
const MINUS = 45;
const BACKSLASH = 92;
const LONGEST_HEADER_BYTES = 64 * 1024;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Reads a patch as git streams it, in memory that is bounded by the longest line that is kept. The line counts of the hunk headers
 * drive the reading, as in `core/parse-patch.ts`, which has to have all of the text.
 */
export class PatchScanner {
  readonly #mostBytes: number;
  #line: Buffer[] = [];
  #lineBytes = 0;
  #isCut = false;
  #header: string[] = [];
  #oldLine = 0;
  #newLine = 0;
  #oldEnd = 0;
  #newEnd = 0;

  /** At most so many bytes of a line are kept, but never so few that the name of a file is cut. */
  constructor(mostBytes: number) {
    this.#mostBytes = Math.max(mostBytes, LONGEST_HEADER_BYTES);
  }

  /** What the next bytes complete. */
  *push(chunk: Buffer): Generator<PatchPiece, void, undefined> {
    let at = 0;
    for (let end = chunk.indexOf(NEWLINE, at); end >= 0; end = chunk.indexOf(NEWLINE, at)) {
      this.#keep(chunk.subarray(at, end));
      at = end + 1;
      yield* this.#read(this.#take());
    }
    this.#keep(chunk.subarray(at));
  }

  /** What is left when there are no more bytes. */
  *end(): Generator<PatchPiece, void, undefined> {
    yield* this.#endHeader();
  }

  #keep(bytes: Buffer): void {
    const room = this.#mostBytes - this.#lineBytes;
    if (bytes.length > room) this.#isCut = true;
    const kept = bytes.length > room ? bytes.subarray(0, room) : bytes;
    if (kept.length === 0) return;
    this.#line.push(kept);
    this.#lineBytes += kept.length;
  }

  #take(): { readonly bytes: Buffer; readonly isCut: boolean } {
    const [only = Buffer.alloc(0)] = this.#line;
    const taken = { bytes: this.#line.length > 1 ? Buffer.concat(this.#line) : only, isCut: this.#isCut };
    this.#line = [];
    this.#lineBytes = 0;
    this.#isCut = false;
    return taken;
  }

  *#read({ bytes, isCut }: { readonly bytes: Buffer; readonly isCut: boolean }): Generator<PatchPiece, void, undefined> {
    if (bytes[0] === BACKSLASH) yield { is: 'mark', text: bytes.toString('utf8') };
    else if (this.#oldLine < this.#oldEnd || this.#newLine < this.#newEnd) yield this.#content(bytes, isCut);
    else {
      const text = bytes.toString('utf8');
      const hunk = HUNK.exec(text);
      if (hunk !== null) {
        yield* this.#endHeader();
        yield this.#beginHunk(text, hunk);
      } else {
        if (text.startsWith('diff --git ')) yield* this.#endHeader();
        this.#header.push(text);
      }
    }
  }

  #content(bytes: Buffer, isCut: boolean): PatchPiece {
    const sign = bytes[0];
    if (sign === PLUS) return { is: 'line', kind: 'added', oldLine: null, newLine: this.#newLine++, bytes, isCut };
    if (sign === MINUS) return { is: 'line', kind: 'removed', oldLine: this.#oldLine++, newLine: null, bytes, isCut };
    return { is: 'line', kind: 'context', oldLine: this.#oldLine++, newLine: this.#newLine++, bytes, isCut };
  }

  #beginHunk(text: string, [matched, oldStart = '', oldCount = '1', newStart = '', newCount = '1']: RegExpExecArray): PatchPiece {
    this.#oldLine = Number(oldStart);
    this.#newLine = Number(newStart);
    this.#oldEnd = this.#oldLine + Number(oldCount);
    this.#newEnd = this.#newLine + Number(newCount);
    return { is: 'hunk', oldStart: this.#oldLine, newStart: this.#newLine, text, heading: text.slice(matched.length) };
  }

  *#endHeader(): Generator<PatchPiece, void, undefined> {
    if (this.#header.length === 0) return;
    const text = this.#header.join('\n');
    this.#header = [];
    const [file] = parsePatch(text);
    if (file === undefined) throw new Error(`git printed no patch: ${text.slice(0, 200)}`);
    yield { is: 'file', path: file.path, oldPath: file.oldPath, text };
  }
}
