const DAY_MS = 24 * 3_600_000;

/** The calendar day of a moment in UTC, as YYYY-MM-DD, or of so many days before it. */
export function utcDay(at: string, daysBefore = 0): string {
  return new Date(Date.parse(at) - daysBefore * DAY_MS).toISOString().slice(0, 10);
}
