import type { DiffMatch } from '../core/change-view.ts';
import type { PatchPiece } from './patch-scanner.ts';
import { scanPatch } from './scan-patch.ts';
import type { PatchEnds } from './scan-patch.ts';

/** What is looked for in the lines of a change, and which of the matches are wanted. */
export type PatchSearch = PatchEnds & {
  /** As it is written: no character of it has a meaning of its own. */
  readonly text: string;
  readonly matchCase: boolean;
  readonly skip: number;
  readonly limit: number;
  readonly mostMs: number;
  readonly signal?: AbortSignal;
};

/**
 * Matches in the order of the patch. `hasMore` if there are others behind them; not `isComplete` if the time was over before the end, or
 * a line was too long to be looked through and may hold another one.
 */
export type PatchMatches = { readonly matches: readonly DiffMatch[]; readonly hasMore: boolean; readonly isComplete: boolean };

const CONTEXT_LINES = 3;
const MOST_LINE_BYTES = 1024 * 1024;
const MOST_SHOWN_CHARS = 500;
const SHOWN_BEFORE_CHARS = 100;

/** Looks for a text in the added, removed and context lines of a change, in memory that does not grow with it. */
export async function searchPatch(search: PatchSearch): Promise<PatchMatches> {
  const late = AbortSignal.timeout(search.mostMs);
  const signal = search.signal === undefined ? late : AbortSignal.any([search.signal, late]);
  const found = new Found(search);
  try {
    const { place, base, head, whitespace } = search;
    const scan = { place, base, head, whitespace, context: CONTEXT_LINES, pathspecs: [], mostBytes: MOST_LINE_BYTES, signal };
    for await (const pieces of scanPatch(scan)) {
      for (const piece of pieces) found.take(piece);
      if (found.hasMore) break;
    }
    return found.matches(true);
  } catch (error) {
    if (!late.aborted || search.signal?.aborted === true) throw error;
    return found.matches(false);
  }
}

class Found {
  readonly #find: (line: string) => number;
  readonly #limit: number;
  readonly #matches: DiffMatch[] = [];
  #skip: number;
  #file: { readonly path: string; readonly oldPath: string | null } = { path: '', oldPath: null };
  #sawAll = true;
  hasMore = false;

  constructor({ text, matchCase, skip, limit }: PatchSearch) {
    this.#find = finder(text, matchCase);
    this.#skip = skip;
    this.#limit = limit;
  }

  take(piece: PatchPiece): void {
    if (piece.is === 'file') this.#file = { path: piece.path, oldPath: piece.oldPath };
    if (piece.is !== 'line' || this.hasMore) return;
    const line = piece.bytes.toString('utf8', 1);
    const at = this.#find(line);
    if (at < 0) {
      if (piece.isCut) this.#sawAll = false;
      return;
    }
    if (this.#skip > 0) this.#skip -= 1;
    else if (this.#matches.length === this.#limit) this.hasMore = true;
    else {
      const { kind, oldLine, newLine } = piece;
      this.#matches.push({ ...this.#file, kind, oldLine, newLine, ...shown(line, at) });
    }
  }

  matches(inTime: boolean): PatchMatches {
    return { matches: this.#matches, hasMore: this.hasMore, isComplete: inTime && this.#sawAll };
  }
}

/** Where a text stands in a line. An expression of plain characters alone never goes back, so it takes no longer than the line is long. */
function finder(text: string, matchCase: boolean): (line: string) => number {
  if (matchCase) return (line) => line.indexOf(text);
  const expression = new RegExp(
    text.replace(/[\\^$.*+?()[\]{}|/-]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`),
    'iu',
  );
  return (line) => line.search(expression);
}

function shown(line: string, at: number): Pick<DiffMatch, 'text' | 'column' | 'cut'> {
  const from = line.length <= MOST_SHOWN_CHARS ? 0 : Math.max(0, at - SHOWN_BEFORE_CHARS);
  const text = line.slice(from, from + MOST_SHOWN_CHARS);
  return { text, column: at - from, cut: text.length < line.length };
}
