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
  await failpoint(`before ${event.type}`);
  const look = async (tx: Transaction): Promise<Lost | null> => {
    const lost = await lostAction(engine, tx, id);
    return lost !== null && ends(engine, lost, event) ? lost : null;
  };
  const lost = await engine.store.transaction(look);
  if (lost !== null) await endSessions(engine, lost.loop, lost.token);
  return await appendTogether(engine, async (tx, append) => {
    const still = await look(tx);
    if (still !== null) await append(id, lostEvent(still.token));
    return await append(id, event);
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

function ends(engine: Engine, { loop, token }: Lost, event: Event): boolean {
  if (refusal(loop, event) !== null) return false;
  return applyEvent(loop, { seq: loop.seq + 1, at: engine.now(), event }).current?.token !== token;
}
