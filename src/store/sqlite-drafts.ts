import type { Kysely } from 'kysely';
import type { Draft } from '../core/draft.ts';
import type { Tables } from './tables.ts';

/** The drafts of a loop, oldest first. */
export async function readDrafts(db: Kysely<Tables>, loopId: number): Promise<readonly Draft[]> {
  const records = await db
    .selectFrom('drafts')
    .innerJoin('loops', 'loops.id', 'drafts.loop_id')
    .where('loops.number', '=', loopId)
    .selectAll('drafts')
    .orderBy('drafts.created_at')
    .orderBy('drafts.id')
    .execute();
  return records.map(({ loop_id: _loop, line_end: lineEnd, created_at: createdAt, updated_at: updatedAt, ...rest }) => ({
    ...rest,
    lineEnd,
    createdAt,
    updatedAt,
  }));
}

/** Writes a draft, in the place of one with the same id. */
export async function writeDraft(db: Kysely<Tables>, uid: string, draft: Draft): Promise<void> {
  const { id, lineEnd, createdAt, updatedAt, ...rest } = draft;
  const columns = { ...rest, loop_id: uid, line_end: lineEnd, created_at: createdAt, updated_at: updatedAt };
  await db
    .insertInto('drafts')
    .values({ id, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

/** Removes drafts of a loop. */
export async function deleteDrafts(db: Kysely<Tables>, uid: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('drafts').where('loop_id', '=', uid).where('id', 'in', ids).execute();
}
