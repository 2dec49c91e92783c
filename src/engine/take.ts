import { VolleyError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { redactAll } from '../core/redact-all.ts';
import { redact } from '../core/secrets.ts';
import type { Transaction } from '../store/store.ts';
import { followBranch, publishBranch } from './branch.ts';
import type { Engine } from './engine.ts';
import { putAwayUndriven } from './put-away.ts';
import { requireLoop } from './require-loop.ts';
import { supersedeAll } from './supersede.ts';
import type { Superseding } from './supersede.ts';

/** How far a loop's journal was when a person looked at it; a loop that moved on since takes nothing of what they say. */
export type Seen = { readonly seq?: number | undefined };

/** Lets a loop take a word of a person; one that it does not take is written down as refused, and an error. */
export async function mustTake(engine: Engine, id: number, { event, seq }: Seen & { readonly event: Event }): Promise<Loop> {
  // What somebody committed while the loop rested is part of what is decided on.
  await followBranch(engine, await requireLoop(engine, id));
  const { loop, refused } = await supersedeAll(engine, id, {
    events: [withoutSecrets(event)],
    admit: async (tx) => await requireSeen(tx, id, { seq }),
    // It is written down as refused.
    orElse: () => undefined,
  });
  if (refused !== null) throw refusedError(id, refused);
  return await settle(engine, loop);
}

/** Words of a person that belong together, and what is done in the same transaction before them. */
export type Words = Seen & { readonly events: Superseding['events']; readonly before: (tx: Transaction) => Promise<void> };

/** Lets a loop take several words of a person, all of them or none; where it does not take one, nothing is written. */
export async function takeTogether(engine: Engine, id: number, { events, seq, before }: Words): Promise<Loop> {
  const [first, ...others] = events;
  const { loop } = await supersedeAll(engine, id, {
    events: [withoutSecrets(first), ...others.map(withoutSecrets)],
    admit: async (tx) => {
      await requireSeen(tx, id, { seq });
      await before(tx);
    },
    orElse: (why) => {
      throw refusedError(id, why);
    },
  });
  return await settle(engine, loop);
}

async function requireSeen(tx: Transaction, id: number, { seq }: Seen): Promise<void> {
  const now = seq === undefined ? null : await tx.load(id);
  if (now !== null) refuseUnseen(now, { seq });
}

/** Refuses what is said about a loop that moved on since a person looked at it. */
export function refuseUnseen(now: Loop, { seq }: Seen): void {
  if (seq === undefined || (seq >= now.changedSeq && seq <= now.seq)) return;
  throw new VolleyError(
    'conflict',
    `Task ${now.id} moved on since you looked at it.`,
    `Look at it again, then say it with the seq ${now.seq} if you still want it.`,
  );
}

/** People's own words without secrets, which neither the journal keeps nor an agent reads. */
function withoutSecrets(event: Event): Event {
  if (event.type === 'commented') return { ...event, text: redact(event.text) };
  if (event.type === 'edited') return redactAll(event);
  return 'reason' in event && typeof event.reason === 'string' && event.type !== 'escalated'
    ? { ...event, reason: redact(event.reason) }
    : event;
}

/** What belongs to a word of a person that was taken. */
async function settle(engine: Engine, loop: Loop): Promise<Loop> {
  if (loop.ending?.state === 'cancelled') await putAwayUndriven(engine, loop);
  // Whoever takes a loop over works on its branch, so that has to be there and to be current.
  return loop.takenOver === null ? loop : await publishBranch(engine, loop);
}

function refusedError(id: number, why: string): VolleyError {
  return new VolleyError('refused', `Task ${id} does not take that: ${why}.`, `See volley show ${id} for where it stands.`);
}
