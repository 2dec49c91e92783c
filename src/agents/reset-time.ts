/** No limit lasts longer; what says so is a mistake. */
const LONGEST_MS = 31 * 24 * 60 * 60_000;

/** When a limit is over, as ISO; null where that is no date, or so far ahead that it cannot be meant. */
export function resetTime(untilMs: number | null, nowMs: number): string | null {
  const isMeant = untilMs !== null && Number.isFinite(untilMs) && untilMs > 0 && untilMs <= nowMs + LONGEST_MS;
  return isMeant ? new Date(untilMs).toISOString() : null;
}
