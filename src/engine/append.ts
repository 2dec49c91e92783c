import type { Event } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { failpoint } from '../lib/failpoint.ts';
import type { Appended, Transaction } from '../store/store.ts';
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
  await failpoint(`before ${event.type}`);
  return await appendTogether(engine, async (_tx, append) => await append(id, event));
}

/** Appends one event of several that are written together. */
export type Append = (id: number, event: Event) => Promise<Appended>;

/** Runs `work` in one transaction, and tells of what it appended once all of that is written. */
export async function appendTogether<T>(engine: Engine, work: (tx: Transaction, append: Append) => Promise<T>): Promise<T> {
  const written: Written[] = [];
  const result = await engine.store.transaction(async (tx) => {
    return await work(tx, async (id, event) => {
      const at = engine.now();
      const appended = await tx.append(id, event, at);
      written.push({ event, at, appended });
      await failpoint(`write ${event.type}`);
      return appended;
    });
  });
  const lastOf = new Map(written.filter(isToldAnew).map((one) => [one.appended.loop.id, one]));
  for (const one of written) await tell(engine, one, lastOf.get(one.appended.loop.id) === one);
  return result;
}

type Written = { readonly event: Event; readonly at: string; readonly appended: Appended };

/** Of several entries the last one tells anew, because documents are written from the loop as it is by then. */
async function tell(engine: Engine, { event, at, appended }: Written, isLast: boolean): Promise<void> {
  await failpoint(`after ${event.type}`);
  if (event.type === 'reviewed') await ensureArtefacts(engine, appended.loop);
  else if (isLast) await tellAnew(engine, appended.loop);
  const entered: Event = appended.refused === null ? event : { type: 'refused', event: event.type, why: appended.refused, session: null };
  engine.report({ type: 'journal', loop: appended.loop, before: appended.before, entry: { seq: appended.seq, at, event: entered } });
}

/** Whoever said something must not take it for refused because a document cannot be written; whoever drives the loop tries again. */
async function tellAnew(engine: Engine, loop: Loop): Promise<void> {
  try {
    // Somebody else may have said more since then.
    await ensureArtefacts(engine, (await engine.store.load(loop.id)) ?? loop);
  } catch (error) {
    const text = `The review document could not be written: ${error instanceof Error ? error.message : String(error)}`;
    if (!loop.notes.includes(text)) await appendEvent(engine, loop.id, { type: 'warned', about: 'document', text });
  }
}

/** What people say about a round belongs to its document, and a ruling changes what is to be told also where its verdict stays. */
function isToldAnew({ appended: { before, loop }, event: { type } }: Written): boolean {
  const isRuling = type === 'ruled' || type === 'arbitrated' || type === 'decided';
  if (isRuling && before.findings !== loop.findings) return true;
  if (before.decisions !== loop.decisions || before.comments !== loop.comments) return true;
  return before.rounds.length === loop.rounds.length && before.rounds.at(-1)?.verdict !== loop.rounds.at(-1)?.verdict;
}
