import { wantsWork } from './decide.ts';
import type { Loop } from './loop.ts';
import { needsYou } from './needs-you.ts';

/** Whether nothing happens to a loop until somebody does something. */
export function loopNeedsYou(loop: Loop): boolean {
  const { state, task, waiting } = loop;
  return needsYou({ state, kind: task.kind, waiting: waiting?.for ?? null, wantsWork: wantsWork(loop) });
}
