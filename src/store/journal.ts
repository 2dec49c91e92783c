import { applyEvent } from '../core/apply.ts';
import { VolleyError } from '../core/errors.ts';
import { Event, type JournalEntry } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { refusal } from '../core/refusal.ts';
import { replayJournal } from '../core/replay.ts';
import type { Replay } from '../core/replay.ts';
import type { Created } from './store.ts';

/** An entry that goes into the journal, and the loop with it. */
export type Step = { readonly entry: JournalEntry; readonly loop: Loop; readonly refused: string | null };

/** The entry that a loop begins with. */
export function firstStep(event: Created, at: string): Step {
  const entry = { seq: 1, at, event: readable(event) };
  return { entry, loop: applyEvent(null, entry), refused: null };
}

/** The entry that an event makes: itself, or `refused` where the loop does not admit it. */
export function nextStep(loop: Loop, event: Event, at: string): Step {
  const refused = refusal(loop, event);
  const session = 'session' in event ? event.session : null;
  const admitted: Event = refused === null ? event : { type: 'refused', event: event.type, why: refused, session };
  const entry = { seq: loop.seq + 1, at, event: readable(admitted) };
  return { entry, loop: applyEvent(loop, entry), refused };
}

/** Folds further entries into a loop. */
export function foldEntries(loop: Loop | null, entries: readonly JournalEntry[]): Loop | null {
  return entries.reduce<Loop | null>(applyEvent, loop);
}

/** The whole journal of a loop that was written elsewhere, folded; one that cannot have happened is a mistake of who passes it on. */
export function adopted(journal: readonly JournalEntry[]): Replay {
  const replay = replayJournal(journal);
  if (replay === null || replay.broken !== null) throw new Error(replay?.broken ?? 'a journal without entries');
  return replay;
}

/** The mistake of asking for a loop that does not exist. */
export function unknownLoop(id: number): VolleyError {
  return new VolleyError('unknown-loop', `There is no loop ${id} in this project.`, 'Run volley status to see its loops.');
}

/** What the journal could not read again would make the whole loop unreadable, so it is caught before it is written. */
function readable(event: Event): Event {
  const parsed = Event.safeParse(event);
  if (parsed.success) return parsed.data;
  throw new Error(`the event ${event.type} could not be read again from the journal`, { cause: parsed.error });
}
