const SECOND_MS = 1000;
const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_MS = 24 * HOUR_S * SECOND_MS;

/** How long something has taken, for people: `9 s`, `4 m 10 s`, `2 h 05 m`. */
export function elapsedWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND_MS));
  if (seconds < MINUTE_S) return `${seconds} s`;
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)} m ${two(seconds % MINUTE_S)} s`;
  return `${Math.floor(seconds / HOUR_S)} h ${two(Math.floor((seconds % HOUR_S) / MINUTE_S))} m`;
}

/** A moment on the clock of whoever reads it, with the day where that is not plain: `07:30`, `Jan 30 07:30`. */
export function clockTime(at: Date, now: Date): string {
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  const isNear = at.toDateString() === now.toDateString() || (at > now && at.getTime() - now.getTime() < DAY_MS / 2);
  return isNear ? time : `${MONTHS[at.getMonth()]} ${at.getDate()} ${time}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function two(number: number): string {
  return String(number).padStart(2, '0');
}
