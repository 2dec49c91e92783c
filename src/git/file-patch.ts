import type { PatchPiece } from './patch-scanner.ts';
import { scanPatch } from './scan-patch.ts';
import type { PatchEnds } from './scan-patch.ts';

/** Which file, between what, and how it is shown; pass a change's merge base. */
export type FilePatchOptions = PatchEnds & {
  readonly path: string;
  readonly oldPath: string | null;
  /** What the file holds on both sides. Names that are no UTF-8 may look the same; then these tell them apart. */
  readonly oldBlob?: string | null;
  readonly newBlob?: string | null;
  readonly context: number;
  /** What is longer is cut behind a line. */
  readonly mostBytes: number;
  readonly signal?: AbortSignal;
};

/** The patch of one file, and how many of its lines are left out at its end. */
export type FilePatchText = { readonly text: string; readonly missingLines: number };

/** The patch text of one file between two commits. One that is cut is a whole patch of fewer lines, so every reader can read it. */
export async function readFilePatch(options: FilePatchOptions): Promise<FilePatchText> {
  const { mostBytes } = options;
  const kept = new KeptPatch(mostBytes);
  let isWanted = false;
  for await (const pieces of scanPatch({ ...options, pathspecs: pathspecs(options), mostBytes: mostBytes + 1 })) {
    for (const piece of pieces) {
      if (piece.is === 'file') isWanted = isNamed(piece, options);
      if (isWanted) kept.take(piece);
    }
  }
  return kept.finish();
}

/** A file whose content stays the same has no line with its blobs; one that becomes another kind of file has two, each with one side. */
function isNamed({ path, text }: Extract<PatchPiece, { is: 'file' }>, { path: wanted, oldBlob, newBlob }: FilePatchOptions): boolean {
  if (path !== wanted || !path.includes('\uFFFD') || oldBlob === undefined || newBlob === undefined) return path === wanted;
  const [, from = '', to = ''] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/m.exec(text) ?? [];
  if (from === '') return oldBlob === newBlob;
  const isOn = (id: string, blob: string | null): boolean => id === blob || /^0+$/.test(id);
  return isOn(from, oldBlob) && isOn(to, newBlob);
}

/** Names that are no UTF-8 cannot be passed on; then git prints all files, and the wanted one is picked. */
function pathspecs({ path, oldPath }: Pick<FilePatchOptions, 'path' | 'oldPath'>): string[] {
  const paths = oldPath === null ? [path] : [oldPath, path];
  if (paths.some((one) => one.includes('\uFFFD'))) return [];
  // Where a folder takes a file's place, the file's name would stand for all that is in it.
  return paths.flatMap((one) => [`:(top,literal)${one}`, `:(top,glob,exclude)${one.replace(/[\\*?[]/g, '\\$&')}/**`]);
}

type OpenHunk = { readonly at: number; readonly begun: Extract<PatchPiece, { is: 'hunk' }>; oldCount: number; newCount: number };

/** The beginning of a patch. */
class KeptPatch {
  readonly #mostBytes: number;
  readonly #lines: (string | Buffer)[] = [];
  #bytes = 0;
  #hunk: OpenHunk | null = null;
  #missingLines = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  take(piece: PatchPiece): void {
    if (piece.is === 'line') this.#takeLine(piece);
    else if (this.#missingLines > 0) return;
    else {
      if (piece.is === 'hunk') this.#hunk = { at: this.#lines.length, begun: piece, oldCount: 0, newCount: 0 };
      this.#push(piece.text);
    }
  }

  finish(): FilePatchText {
    if (this.#missingLines > 0 && this.#hunk !== null) this.#closeEarly(this.#hunk);
    const text = Buffer.concat(this.#lines.flatMap((line) => [Buffer.from(line), END])).toString('utf8');
    return { text, missingLines: this.#missingLines };
  }

  #takeLine({ bytes, isCut, kind }: Extract<PatchPiece, { is: 'line' }>): void {
    const hunk = this.#hunk;
    if (hunk === null || this.#missingLines > 0 || isCut || this.#bytes + bytes.length > this.#mostBytes) {
      this.#missingLines += 1;
      return;
    }
    if (kind !== 'added') hunk.oldCount += 1;
    if (kind !== 'removed') hunk.newCount += 1;
    this.#push(bytes);
  }

  #push(line: string | Buffer): void {
    this.#lines.push(line);
    this.#bytes += line.length + 1;
  }

  /** The hunk in which the patch is cut counts the lines that it still has; without any it goes. */
  #closeEarly({ at, begun, oldCount, newCount }: OpenHunk): void {
    if (oldCount + newCount === 0) this.#lines.length = at;
    else this.#lines[at] = `@@ -${range(begun.oldStart, oldCount)} +${range(begun.newStart, newCount)} @@${begun.heading}`;
  }
}

const END = Buffer.from('\n');

/** Git names the line before an empty stretch. */
function range(start: number, count: number): string {
  return `${count === 0 ? Math.max(0, start - 1) : start},${count}`;
}
