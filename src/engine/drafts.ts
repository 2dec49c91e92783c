import { currentHead } from '../core/choices.ts';
import { MOST_DRAFTS } from '../core/draft.ts';
import type { Draft } from '../core/draft.ts';
import { VolleyError } from '../core/errors.ts';
import type { Loop } from '../core/loop.ts';
import { redact } from '../core/secrets.ts';
import { ulid } from '../lib/ids.ts';
import { failpoint } from '../lib/failpoint.ts';
import { followBranch } from './branch.ts';
import { requirePlace } from './comment.ts';
import type { Engine } from './engine.ts';
import { Moved, untilUnmoved } from './moved.ts';
import { requireLoop } from './require-loop.ts';

/** A draft as its writer gives it; without a head it is about the newest commit. */
export type DraftRequest = Omit<Draft, 'id' | 'createdAt' | 'updatedAt' | 'head'> & { readonly head?: string | undefined };

/** What is changed of a draft. */
export type DraftChange = { readonly [K in keyof DraftRequest]?: DraftRequest[K] | undefined };

/** The drafts of a loop, oldest first. */
export async function listDrafts(engine: Engine, id: number): Promise<readonly Draft[]> {
  await requireLoop(engine, id);
  return await engine.store.drafts(id);
}

/** Keeps a new draft. */
export async function addDraft(engine: Engine, id: number, given: DraftRequest): Promise<Draft> {
  const loop = await followBranch(engine, await requireLoop(engine, id));
  const at = engine.now();
  const head = given.head ?? (currentHead(loop) ?? loop.start).commit;
  const draft = { ...given, id: ulid(Date.parse(at)), head, text: redact(given.text), createdAt: at, updatedAt: at };
  await requireDraftPlace(engine, loop, draft);
  await engine.store.transaction(async (tx) => {
    if ((await tx.drafts(id)).length >= MOST_DRAFTS)
      throw new VolleyError('refused', `Task ${id} has ${MOST_DRAFTS} drafts already.`, 'Submit or remove some of them first.');
    await tx.putDraft(id, draft);
    await failpoint('write draft');
  });
  return draft;
}

/** Changes a draft; what is left out stays as it is, also where somebody else changes that at the same moment. */
export async function changeDraft(
  engine: Engine,
  id: number,
  { draftId, change }: { readonly draftId: string; readonly change: DraftChange },
): Promise<Draft> {
  const loop = await followBranch(engine, await requireLoop(engine, id));
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return await untilUnmoved(id, async () => {
    const before = requireDraft(await engine.store.drafts(id), id, draftId);
    const changed: Draft = { ...before, ...given, updatedAt: engine.now() };
    const draft = { ...changed, text: redact(changed.text) };
    await requireDraftPlace(engine, loop, draft);
    await engine.store.transaction(async (tx) => {
      // One that was submitted or removed meanwhile does not come back.
      const now = requireDraft(await tx.drafts(id), id, draftId);
      if (JSON.stringify(now) !== JSON.stringify(before)) throw new Moved();
      await tx.putDraft(id, draft);
    });
    return draft;
  });
}

/** Removes a draft. */
export async function removeDraft(engine: Engine, id: number, draftId: string): Promise<void> {
  await requireLoop(engine, id);
  await engine.store.transaction(async (tx) => {
    requireDraft(await tx.drafts(id), id, draftId);
    await tx.dropDrafts(id, [draftId]);
  });
}

/** The commit whose lines a draft names. */
export function originOf({ base }: Pick<Loop, 'base'>, { side, head }: Pick<Draft, 'side' | 'head'>): string {
  return side === 'old' ? base.mergeBase : head;
}

/** There is no such draft. */
export function unknownDraft(id: number, draftId: string): VolleyError {
  return new VolleyError('not-found', `Task ${id} has no draft ${draftId}.`, 'List its drafts; it may have been submitted or removed.');
}

function requireDraft(drafts: readonly Draft[], id: number, draftId: string): Draft {
  const found = drafts.find((draft) => draft.id === draftId);
  if (found === undefined) throw unknownDraft(id, draftId);
  return found;
}

async function requireDraftPlace(engine: Engine, loop: Loop, draft: Draft): Promise<void> {
  const known = [loop.start, loop.head, loop.pushed?.head, ...loop.rounds.map(({ head }) => head)].map((head) => head?.commit);
  if (!known.includes(draft.head) && !loop.commits.includes(draft.head))
    throw new VolleyError('bad-usage', `${draft.head} is no commit of task ${loop.id}.`, 'Leave `head` out for the newest one.');
  await requirePlace(engine, loop, { ...draft, commit: originOf(loop, draft) });
}
