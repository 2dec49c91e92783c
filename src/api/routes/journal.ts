import { frameSeq, lastSeq, positionUpTo } from '../../core/live-seq.ts';
import type { Desk } from '../../engine/desk.ts';
import type { journalContract } from '../contract/journal.ts';
import type { Handlers } from '../handlers.ts';
import { journalFrame } from '../live-frames.ts';

/** Tells what happened to all loops, for whoever does not listen, or was away. */
export function journalRoutes({ engine, live }: Desk): Handlers<typeof journalContract> {
  return {
    readProjectJournal: async ({ query: { after, limit } }) => {
      const seq = lastSeq(await engine.store.position());
      // One more tells whether there are more; and the entry whose own number was named comes first, because more of its frames may follow.
      const steps = await live.bus.read(Math.max(0, positionUpTo(after)), limit + 2);
      const behind = steps.filter(({ position }) => frameSeq(position, 0) > after);
      const events = behind.slice(0, limit).map(journalFrame);
      return { events, seq, next: behind.length > limit ? (events.at(-1)?.seq ?? null) : null };
    },
  };
}
