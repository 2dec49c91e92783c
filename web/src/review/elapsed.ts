/** How long something took, exactly enough for a footer: "21 m 40 s", "3 h 05 m". */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${two(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${two(minutes % 60)} m` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
