const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1024;

/** A number of bytes as people read it: `812 B`, `3.4 KB`, `120 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < STEP) return `${bytes} B`;
  let value = bytes / STEP;
  let unit = 0;
  // What would be rounded up to a thousand and more reads better in the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}
