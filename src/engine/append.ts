import type { Event } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { failpoint } from '../lib/failpoint.ts';
import { ensureArtefacts } from './artefacts.ts';
import type { Engine } from './engine.ts';

/** Appends an event to a loop's journal and tells whoever watches. */
export async function appendEvent(engine: Engine, id: number, event: Event): Promise<Loop> {
  return (await tryAppend(engine, id, event)).loop;
}

/** The same, and says whether the loop took the event. */
export async function tryAppend(
  engine: Engine,
  id: number,
  event: Event,
): Promise<{ readonly loop: Loop; readonly refused: string | null }> {
  const at = engine.now();
  await failpoint(`before ${event.type}`);
  const appended = await engine.store.transaction(async (tx) => {
    const result = await tx.append(id, event, at);
    await failpoint(`write ${event.type}`);
    return result;
  });
  await failpoint(`after ${event.type}`);
  if (event.type === 'reviewed' || isToldAnew(appended, event)) await ensureArtefacts(engine, appended.loop);
  const written: Event = appended.refused === null ? event : { type: 'refused', event: event.type, why: appended.refused, session: null };
  engine.report({ type: 'journal', loop: appended.loop, before: appended.before, entry: { seq: appended.seq, at, event: written } });
  return { loop: appended.loop, refused: appended.refused };
}

/** A ruling changes what is to be told of a round, also where its verdict stays. */
function isToldAnew({ before, loop }: { readonly before: Loop; readonly loop: Loop }, { type }: Event): boolean {
  const isRuling = type === 'ruled' || type === 'arbitrated' || type === 'decided';
  if (isRuling && before.findings !== loop.findings) return true;
  return before.rounds.length === loop.rounds.length && before.rounds.at(-1)?.verdict !== loop.rounds.at(-1)?.verdict;
}
