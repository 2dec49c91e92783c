import { streamGit } from './git.ts';
import type { GitPlace } from './git.ts';
import { withoutFiles } from './patch-flags.ts';

const HEAD_BYTES = 4096;
const MOST_ANSWER_BYTES = 200;

/** The first bytes of blobs as text, by their ids; one git process, and no more memory than these bytes. */
export async function readBlobHeads(input: {
  readonly place: GitPlace;
  readonly blobs: readonly string[];
  readonly signal?: AbortSignal;
}): Promise<ReadonlyMap<string, string>> {
  const { place, blobs, signal } = input;
  const heads = new Map<string, string>();
  if (blobs.length === 0) return heads;
  const options = { input: `${[...new Set(blobs)].join('\n')}\n`, ...(signal === undefined ? {} : { signal }) };
  const reader = new HeadReader((id, head) => heads.set(id, head));
  for await (const chunk of streamGit(withoutFiles(place), ['cat-file', '--batch'], options)) reader.push(chunk);
  return heads;
}

/** Reads `id type size`, the content and a newline, again and again; an object that is missing has one line alone. */
class HeadReader {
  readonly #found: (id: string, head: string) => void;
  #answer = '';
  #id: string | null = null;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #left = 0;

  constructor(found: (id: string, head: string) => void) {
    this.#found = found;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#id === null ? this.#readAnswer(chunk, at) : this.#readContent(chunk, at);
  }

  #readAnswer(chunk: Buffer, at: number): number {
    const newline = chunk.indexOf(10, at);
    const end = newline < 0 ? chunk.length : newline;
    this.#answer += chunk.toString('latin1', at, end);
    if (this.#answer.length > MOST_ANSWER_BYTES) throw new Error('git cat-file gave no answer');
    if (newline < 0) return end;
    const [, id, size] = /^([0-9a-f]+) \w+ (\d+)$/.exec(this.#answer) ?? [];
    this.#answer = '';
    if (id !== undefined) {
      this.#id = id;
      this.#left = Number(size) + 1;
    }
    return newline + 1;
  }

  #readContent(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.#left);
    const kept = chunk.subarray(at, Math.min(end, at + HEAD_BYTES - this.#keptBytes));
    if (kept.length > 0) this.#kept.push(Buffer.from(kept));
    this.#keptBytes += kept.length;
    this.#left -= end - at;
    if (this.#left === 0) this.#finish();
    return end;
  }

  #finish(): void {
    this.#found(this.#id ?? '', Buffer.concat(this.#kept).toString('utf8'));
    this.#id = null;
    this.#kept = [];
    this.#keptBytes = 0;
  }
}
