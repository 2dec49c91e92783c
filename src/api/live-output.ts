import { setTimeout as delay } from 'node:timers/promises';
import type { TranscriptFile, TranscriptReader } from '../engine/live-desk.ts';
import type { LiveClient } from './live-client.ts';
import { bytesOf } from './live-frames.ts';

/** How often transcripts are looked at while somebody follows them. */
const LOOK_MS = 100;

/** What an earlier session of a loop said hardly grows any more. */
const EARLIER_LOOK_MS = 2000;

const PART_BYTES = 32 * 1024;

/** A client that has not taken so much yet gets no more; the transcript itself is the buffer. */
const PENDING_BYTES = 256 * 1024;

type Reader = {
  readonly loops: ReadonlySet<number>;
  /** By transcript, up to which byte the client has it. */
  readonly offsets: Map<string, number>;
};

type Seen = { size: number; atMs: number };

/** Gives clients what agents say, from the transcripts, whoever drives the loops; each part is read once for all who are at the same place. */
export class LiveOutput {
  readonly #transcripts: TranscriptReader;
  readonly #broke: (error: unknown) => void;
  readonly #readers = new Map<LiveClient, Reader>();
  readonly #seen = new Map<string, Seen>();
  #isFollowing = false;

  constructor(transcripts: TranscriptReader, broke: (error: unknown) => void) {
    this.#transcripts = transcripts;
    this.#broke = broke;
  }

  /** Behind which byte of each transcript of these loops comes what was not said yet. */
  async ends(loops: readonly number[]): Promise<Record<string, number>> {
    const files = (await this.#transcripts.list()).filter(({ loopId }) => loops.includes(loopId));
    return Object.fromEntries(await Promise.all(files.map(async ({ path }) => [path, await this.#transcripts.size(path)] as const)));
  }

  /** Follows these loops from the offsets on; a transcript without one from its beginning. */
  add(client: LiveClient, loops: readonly number[], after: Readonly<Record<string, number>>): void {
    this.#readers.set(client, { loops: new Set(loops), offsets: new Map(Object.entries(after)) });
    if (!this.#isFollowing) void this.#follow();
  }

  remove(client: LiveClient): void {
    this.#readers.delete(client);
  }

  /** Never rejects; it ends with the last reader. */
  async #follow(): Promise<void> {
    this.#isFollowing = true;
    try {
      while (this.#readers.size > 0) {
        const isBehind = await this.#look();
        await delay(isBehind ? 1 : LOOK_MS);
      }
    } catch (error) {
      this.#broke(error);
      for (const client of this.#readers.keys()) client.close(1011, 'the transcripts cannot be read');
      this.#readers.clear();
    } finally {
      this.#isFollowing = false;
      this.#seen.clear();
    }
  }

  async #look(): Promise<boolean> {
    const wanted = new Set([...this.#readers.values()].flatMap(({ loops }) => [...loops]));
    const files = (await this.#transcripts.list()).filter(({ loopId }) => wanted.has(loopId));
    const newest = new Map<number, number>();
    for (const { loopId, token } of files) newest.set(loopId, Math.max(token, newest.get(loopId) ?? 0));
    let isBehind = false;
    for (const file of files) {
      const size = await this.#sizeOf(file, file.token === newest.get(file.loopId) ? 0 : EARLIER_LOOK_MS);
      if (await this.#tell(file, size)) isBehind = true;
    }
    return isBehind;
  }

  async #sizeOf({ path }: TranscriptFile, notAgainMs: number): Promise<number> {
    const seen = this.#seen.get(path);
    const now = performance.now();
    if (seen !== undefined && now - seen.atMs < notAgainMs) return seen.size;
    const size = await this.#transcripts.size(path);
    this.#seen.set(path, { size, atMs: now });
    return size;
  }

  /** True where somebody who could take more has not got all of it yet. */
  async #tell({ path, loopId }: TranscriptFile, size: number): Promise<boolean> {
    const parts = new Map<number, { readonly next: number; readonly bytes: Buffer }>();
    let isBehind = false;
    for (const [client, { loops, offsets }] of this.#readers) {
      const offset = offsets.get(path) ?? 0;
      if (!loops.has(loopId) || offset >= size || client.pendingBytes > PENDING_BYTES) continue;
      const part = parts.get(offset) ?? (await this.#part(path, loopId, offset));
      parts.set(offset, part);
      // It may have asked for something else meanwhile.
      if (part.next === offset || this.#readers.get(client)?.offsets !== offsets) continue;
      client.sendBytes(part.bytes);
      offsets.set(path, part.next);
      if (part.next < size && part.next > offset) isBehind = true;
    }
    return isBehind;
  }

  async #part(transcript: string, loop: number, offset: number): Promise<{ readonly next: number; readonly bytes: Buffer }> {
    const { text, next } = await this.#transcripts.read(transcript, offset, PART_BYTES);
    return { next, bytes: bytesOf({ type: 'output', loop, transcript, offset, next, text }) };
  }
}
