import type { Event, JournalEntry, Tally } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { isMereTry } from '../core/mere-try.ts';
import { patienceMs } from '../core/waiting.ts';
import { localDay } from '../lib/local-day.ts';
import type { Transaction } from '../store/store.ts';
import type { Engine } from './engine.ts';

/** A session may end at any moment, or take an hour: it is looked for soon, then less and less often. */
const SOON_MS = 1000;
const AT_MOST_MS = 30_000;

/** What a loop writes that has to wait for money; twice as long each time in a row. */
export function postponed(engine: Pick<Engine, 'now'>, { waiting, updatedAt }: Loop, why: string): Event {
  const until = waiting?.for === 'slot' ? waiting.until : null;
  const beforeMs = until === null ? 0 : Date.parse(until) - Date.parse(updatedAt);
  const waitMs = Math.min(AT_MOST_MS, Math.max(SOON_MS, 2 * beforeMs));
  return { type: 'postponed', until: new Date(Date.parse(engine.now()) + waitMs).toISOString(), why };
}

/** What a loop writes that cannot go on because the disk is full; longer each time in a row. */
export async function postponedByDisk(engine: Pick<Engine, 'now' | 'store'>, id: number): Promise<Event> {
  const waitMs = patienceMs(fullDisksInARow(await engine.store.journal(id)));
  return { type: 'postponed', for: 'disk', until: new Date(Date.parse(engine.now()) + waitMs).toISOString(), why: 'the disk is full' };
}

/** How often nothing else came of driving a loop. A note that a document could not be written is no progress. */
function fullDisksInARow(journal: readonly JournalEntry[]): number {
  const last = journal.findLastIndex(({ event }) => !isMereTry(event) && event.type !== 'woken' && event.type !== 'warned');
  return journal.slice(last + 1).filter(({ event }) => event.type === 'postponed' && event.for === 'disk').length;
}

/** What all loops have spent today, and what others than this have reserved. */
export async function lookAtDay(engine: Pick<Engine, 'now'>, tx: Transaction, id: number): Promise<Tally> {
  const { day, since } = localDay(engine.now());
  return { day, ...(await tx.tally(since, id)) };
}
