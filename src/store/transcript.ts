import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { safePath } from './artefacts.ts';
import { diskFull, isOutOfSpace } from './sqlite-error.ts';
import { wholeCharacters } from './whole-characters.ts';

/** The record of what one session said, written while it speaks. */
export type Transcript = {
  /** Relative to the project's root. */
  readonly path: string;
  write(chunk: string | Uint8Array): void;
  close(): void;
};

/** How a transcript is kept. */
export type TranscriptOptions = {
  /** Takes secrets out of a stretch of whole lines. */
  readonly redact: (text: string) => string;
  readonly capBytes?: number;
};

const DEFAULT_CAP_BYTES = 32 * 1024 * 1024;

/** So much without an end of line, or without the end of a key, is written all the same. */
const HELD_CHARS = 64 * 1024;

/** The end of such a stretch stays held: no secret but a key is longer, so one that has not come wholly is in it. */
const KEPT_CHARS = 8 * 1024;

/** Opens `.volley/transcripts/{name}` for appending; beyond the cap it holds a mark in place of the rest. */
export async function openTranscript(root: string, name: string, options: TranscriptOptions): Promise<Transcript> {
  const path = `.volley/transcripts/${name}`;
  const file = safePath(root, path);
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  return new TranscriptFile(path, openSync(file, flags, 0o600), options);
}

class TranscriptFile implements Transcript {
  readonly path: string;
  readonly #fd: number;
  readonly #redact: (text: string) => string;
  readonly #decoder = new TextDecoder();
  readonly #capBytes: number;
  #room: number;
  #isCut: boolean;
  #held = '';
  #isOpen = true;

  constructor(path: string, fd: number, options: TranscriptOptions) {
    this.path = path;
    this.#fd = fd;
    this.#redact = options.redact;
    this.#capBytes = options.capBytes ?? DEFAULT_CAP_BYTES;
    this.#room = this.#capBytes - fstatSync(fd).size;
    this.#isCut = this.#room < 0;
  }

  /** The last line is held back until it is whole: a secret may be cut in two by the border of chunks. */
  write(chunk: string | Uint8Array): void {
    if (this.#isCut) return;
    this.#held += typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true });
    const end = this.#wholeUntil(this.#held);
    const whole = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    this.#put(whole);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      this.#put(this.#held + this.#decoder.decode());
    } finally {
      closeSync(this.#fd);
    }
  }

  #put(text: string): void {
    if (text === '' || this.#isCut) return;
    const bytes = Buffer.from(this.#redact(text));
    this.#isCut = bytes.length > this.#room;
    this.#append(this.#isCut ? bytes.subarray(0, wholeCharacters(bytes, this.#room)) : bytes);
    this.#room -= bytes.length;
    if (this.#isCut) this.#append(Buffer.from(`\n[volley: cut here, the transcript is longer than ${this.#capBytes} bytes]\n`));
  }

  #append(bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#fd, bytes, done);
    } catch (error) {
      throw isOutOfSpace(error) ? diskFull(error) : error;
    }
  }

  /** The end of what can be written: after the last whole line, but before a key whose end has not come yet. */
  #wholeUntil(text: string): number {
    const key = text.lastIndexOf('-----BEGIN ');
    const isKeyOpen = key !== -1 && !text.includes('-----END ', key);
    const end = isKeyOpen ? key : text.lastIndexOf('\n') + 1;
    return text.length - end <= HELD_CHARS ? end : this.#betweenSecrets(text);
  }

  /** A place that splits no secret: both sides say the same as the whole. */
  #betweenSecrets(text: string): number {
    const whole = this.#redact(text);
    for (let at = text.length - KEPT_CHARS; at > 0; at -= STEP_CHARS)
      if (this.#redact(text.slice(0, at)) + this.#redact(text.slice(at)) === whole) return at;
    return text.length;
  }
}

const STEP_CHARS = 1021;
