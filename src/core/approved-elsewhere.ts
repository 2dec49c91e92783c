import type { Replay } from './replay.ts';

/** Whether the approval of a loop came with the file that it was imported from, so that nobody here gave it. */
export function isApprovedElsewhere({ loop, steps }: Replay): boolean {
  const imported = steps.findLastIndex(({ entry }) => entry.event.type === 'imported');
  if (imported === -1 || loop.approval === null) return false;
  return steps.slice(imported).every(({ before, after }) => before?.approval === after.approval);
}
