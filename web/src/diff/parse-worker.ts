import { readWhole } from './read-patch.ts';
import type { PatchText } from './read-patch.ts';

/** Reads patches that are so long that a frame would be late. */
addEventListener('message', ({ data: { id, patch } }: MessageEvent<{ readonly id: number; readonly patch: PatchText }>) => {
  postMessage({ id, read: readWhole(patch) });
});
