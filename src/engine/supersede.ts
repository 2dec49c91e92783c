import { applyEvent } from '../core/apply.ts';
import type { Event } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { refusal } from '../core/refusal.ts';
import { failpoint } from '../lib/failpoint.ts';
import type { Appended, Transaction } from '../store/store.ts';
import { appendTogether } from './append.ts';
import { endSessions } from './end-sessions.ts';
import type { Engine } from './engine.ts';

/**
 * Appends what may take the place of a running action. Whoever drives that action ends its sessions and books them; where the driver
 * is dead nobody would, so they are ended and booked here, in the transaction that forgets them.
 */
export async function supersede(engine: Engine, id: number, event: Event): Promise<Appended> {
  return await supersedeAll(engine, id, { events: [event], admit: async () => {}, orElse: () => undefined });
}

/** What is appended, and on which conditions. */
export type Superseding = {
  readonly events: readonly [Event, ...Event[]];
  /** Looks at the store before anything is written; what it throws keeps all of it from happening. */
  readonly admit: (tx: Transaction) => Promise<void>;
  /** Hears of an event that the loop does not take; what it throws undoes all of them. */
  readonly orElse: (why: string) => void;
};

/** Several events in one transaction; what came of the last one. */
export async function supersedeAll(engine: Engine, id: number, { events, admit, orElse }: Superseding): Promise<Appended> {
  for (const type of new Set(events.map((event) => event.type))) await failpoint(`before ${type}`);
  const look = async (tx: Transaction): Promise<Lost | null> => {
    const lost = await lostAction(engine, tx, id);
    return lost !== null && ends(engine, lost, events) ? lost : null;
  };
  const lost = await engine.store.transaction(look);
  if (lost !== null) await endSessions(engine, lost.loop, lost.token);
  return await appendTogether(engine, async (tx, append) => {
    await admit(tx);
    const still = await look(tx);
    if (still !== null) await append(id, lostEvent(still.token));
    const [first, ...others] = events;
    let last = await append(id, first);
    if (last.refused !== null) orElse(last.refused);
    for (const event of others) {
      last = await append(id, event);
      if (last.refused !== null) orElse(last.refused);
    }
    return last;
  });
}

/** Ends and books what dead processes left under way in any loop, so that nobody waits for money that nobody would give back. */
export async function endAbandoned(engine: Engine): Promise<void> {
  const ids = await engine.store.transaction(async (tx) => await engine.dispatcher.abandoned(tx));
  await Promise.all(ids.map(async (id) => await endLost(engine, id)));
}

async function endLost(engine: Engine, id: number): Promise<void> {
  const lost = await engine.store.transaction(async (tx) => await lostAction(engine, tx, id));
  if (lost === null) return;
  await endSessions(engine, lost.loop, lost.token);
  await appendTogether(engine, async (tx, append) => {
    const still = await lostAction(engine, tx, id);
    if (still !== null) await append(id, lostEvent(still.token));
  });
}

/** An action died with the process that ran it; its sessions count for all that they might have spent. */
export function lostEvent(token: number): Event {
  return { type: 'interrupted', token, why: 'the process that drove it is gone', session: null };
}

type Lost = { readonly loop: Loop; readonly token: number };

/** The action under way in a loop, if nobody is left who runs it. A loop without a job was never driven here. */
async function lostAction(engine: Engine, tx: Transaction, id: number): Promise<Lost | null> {
  const loop = await tx.load(id);
  if (loop === null || loop.current === null || (await tx.job(id)) === null) return null;
  return (await engine.dispatcher.isDriven(tx, id)) ? null : { loop, token: loop.current.token };
}

function ends(engine: Engine, { loop, token }: Lost, events: readonly Event[]): boolean {
  let after = loop;
  for (const event of events) {
    if (refusal(after, event) !== null) return false;
    after = applyEvent(after, { seq: after.seq + 1, at: engine.now(), event });
  }
  return after.current?.token !== token;
}
