/** So long after a card came to another place, a pointer that did not move may still mean what was there before. */
const SETTLES_MS = 600;

let everythingAt = -Infinity;
const movedAt = new Map<number, number>();

/** Notes that the cards of these loops came to other places; of all loops where none are named. */
export function noteMoved(loops: readonly number[] | null, now = performance.now()): void {
  if (loops === null) everythingAt = now;
  else for (const loop of loops) movedAt.set(loop, now);
}

/** Whether the card of a loop is in its place only since a moment ago. */
export function hasJustMoved(loop: number, now = performance.now()): boolean {
  return now - Math.max(everythingAt, movedAt.get(loop) ?? -Infinity) < SETTLES_MS;
}

/** Which of some things stand at another place in a list than before, or are new in it. */
export function movedBetween(before: readonly number[], after: readonly number[]): readonly number[] {
  const places = new Map(before.map((id, index) => [id, index]));
  return after.filter((id, index) => places.get(id) !== index);
}
