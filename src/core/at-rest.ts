import { wantsWork } from './decide.ts';
import type { Loop } from './loop.ts';
import { waitsForTasks, waitsForTime } from './waiting.ts';

/** Whether a loop goes on by itself, once a time has come or other tasks are done. */
export function isWaiting(loop: Loop): boolean {
  return waitsForTime(loop) || waitsForTasks(loop);
}

/** Whether waiting for a loop changes nothing: it is over, asks a person, or waits for one. */
export function isAtRest(loop: Loop): boolean {
  return !wantsWork(loop) && !isWaiting(loop);
}
