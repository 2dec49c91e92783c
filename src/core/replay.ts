import { applyEvent } from './apply.ts';
import type { JournalEntry } from './event.ts';
import type { Loop } from './loop.ts';

/** A journal, folded entry by entry. `broken` says where it could not be. */
export type Replay = { readonly loop: Loop; readonly steps: readonly ReplayStep[]; readonly broken: string | null };

/** One entry of a journal, and the loop with it. */
export type ReplayStep = { readonly entry: JournalEntry; readonly before: Loop | null; readonly after: Loop };

/** Folds a journal; null where it does not even begin a loop. */
export function replayJournal(journal: readonly JournalEntry[]): Replay | null {
  const steps: ReplayStep[] = [];
  let broken: string | null = null;
  for (const entry of journal) {
    const before = steps.at(-1)?.after ?? null;
    try {
      steps.push({ entry, before, after: applyEvent(before, entry) });
    } catch (error) {
      // An entry that somebody changed may say what cannot have happened.
      broken = `entry ${entry.seq} (${entry.event.type}) cannot have happened: ${error instanceof Error ? error.message : String(error)}`;
      break;
    }
  }
  const loop = steps.at(-1)?.after;
  return loop === undefined ? null : { loop, steps, broken };
}
