/** So many frames of the live channel can one entry of the journal make. */
const FRAMES_PER_ENTRY = 8;

/** The number of a frame: it grows over the whole project, and follows from the journal alone, so it is the same after a restart. */
export function frameSeq(position: number, index: number): number {
  if (index < 0 || index >= FRAMES_PER_ENTRY) throw new Error(`an entry makes no frame ${index}`);
  return position * FRAMES_PER_ENTRY + index;
}

/** Behind this number come only the frames of later entries. */
export function lastSeq(position: number): number {
  return frameSeq(position, FRAMES_PER_ENTRY - 1);
}

/** The newest position of which no frame comes behind this number; -1 where even the first place of all is not past. */
export function positionUpTo(seq: number): number {
  return Math.floor((seq + 1) / FRAMES_PER_ENTRY) - 1;
}
