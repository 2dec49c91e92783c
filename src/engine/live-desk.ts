import type { Bus } from './bus.ts';

/** What one session of a loop said, or says: `token` is that of its action, so the greatest is the newest. */
export type TranscriptFile = { readonly path: string; readonly loopId: number; readonly token: number };

/** A stretch of a transcript, in whole characters; `next` is the byte behind it. */
export type TranscriptPart = { readonly text: string; readonly next: number };

/** Where transcripts are read while they grow, whoever writes them. */
export type TranscriptReader = {
  /** All that there are. */
  list(): Promise<readonly TranscriptFile[]>;
  /** How many bytes one has; 0 where it is gone. */
  size(path: string): Promise<number>;
  /** At most so many bytes from an offset on. */
  read(path: string, offset: number, limit: number): Promise<TranscriptPart>;
};

/** What is needed to follow a project live. */
export type LiveDesk = { readonly bus: Bus; readonly transcripts: TranscriptReader };
