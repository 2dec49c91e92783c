import { setTimeout as sleep } from 'node:timers/promises';
import type { DrivenRow } from '../app-board.ts';
import type { Io } from './command.ts';
import { stopOnSignals } from './drive.ts';
import { paint } from './print.ts';
import { placeOf } from './row-place.ts';
import { statusLines } from './status-lines.ts';

const LOOK_MS = 500;

/** Shows the tasks of a project until somebody leaves: in place on a terminal, elsewhere a line or an object for each change. */
export async function watchStatus(read: () => Promise<readonly DrivenRow[]>, io: Io): Promise<number> {
  const stop = stopOnSignals(io, () => null);
  const onClosed = (): void => stop.end();
  process.stdout.once('error', onClosed);
  try {
    await (io.live === undefined ? tellChanges(read, io, stop.signal) : showFrames(read, { ...io, live: io.live }, stop.signal));
    return 0;
  } finally {
    process.stdout.off('error', onClosed);
    stop.release();
  }
}

async function showFrames(
  read: () => Promise<readonly DrivenRow[]>,
  io: Io & { readonly live: NonNullable<Io['live']> },
  signal: AbortSignal,
): Promise<void> {
  const hideCursor = '\u001b[?25l';
  const showCursor = '\u001b[?25h';
  const restore = (): void => void process.stdout.write(showCursor);
  process.stdout.write(hideCursor);
  process.once('exit', restore);
  const onResize = (): void => io.live.frame([]);
  process.stdout.on('resize', onResize);
  let lines: readonly string[] = [];
  try {
    while (!signal.aborted) {
      // A live line leaves one column free.
      const width = process.stdout.columns - 1;
      lines = frameLines(await read(), { io: { ...io, width }, height: process.stdout.rows, now: new Date() });
      io.live.frame([...lines, paint(io, 'dim', 'Ctrl-C leaves')]);
      await nap(signal);
    }
  } finally {
    process.stdout.off('resize', onResize);
    io.live.frame([]);
    io.live.frame(null);
    process.off('exit', restore);
    restore();
  }
  for (const line of lines) io.out(line);
}

/** As many tasks as fit: those that are not over first, then the newest; in the order of their numbers. */
export function frameLines(
  rows: readonly DrivenRow[],
  { io, height, now }: { readonly io: Pick<Io, 'color' | 'interactive' | 'width'>; readonly height: number; readonly now: Date },
): string[] {
  const room = Math.max(1, height - 4);
  const isOver = (row: DrivenRow): boolean => placeOf(row) === 'over';
  const chosen = new Set([...rows.filter((row) => !isOver(row)).toReversed(), ...rows.filter(isOver).toReversed()].slice(0, room));
  const shown = rows.filter((row) => chosen.has(row));
  const left = rows.length - shown.length;
  if (rows.length === 0) return ['No tasks yet.'];
  return [...(left === 0 ? [] : [paint(io, 'dim', `  … ${left} more`)]), ...statusLines(shown, { io, now, detailed: true })];
}

async function tellChanges(read: () => Promise<readonly DrivenRow[]>, io: Io, signal: AbortSignal): Promise<void> {
  const told = new Map<number, string>();
  while (!signal.aborted) {
    for (const row of await read()) {
      const { updatedAt: _, owner: __, ...rest } = row;
      const lines = statusLines([row], { io, now: new Date() });
      const key = io.json ? JSON.stringify(rest) : lines.join('\n');
      if (told.get(row.id) === key) continue;
      told.set(row.id, key);
      io.object({ type: 'task', v: 1, ...row });
      for (const line of lines) io.out(line);
    }
    await nap(signal);
  }
}

async function nap(signal: AbortSignal): Promise<void> {
  await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
}
