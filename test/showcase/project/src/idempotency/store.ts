import type { Db } from '../db.ts';

export type Stored = { readonly key: string; readonly response: string };

const SELECT_ALL = 'select key, response from responses order by created_at desc limit 100';
const DELETE_OLD = "delete from responses where created_at < now() - interval '24 hours'";

/** What was answered lately, newest first. */
export async function recent(db: Db): Promise<readonly Stored[]> {
  const rows = await db.all(SELECT_ALL);
  return rows.map((row) => ({ key: row['key'], response: row['response'] }));
}

/** Forgets answers that nobody asks for any more. */
export async function forgetOld(db: Db): Promise<void> {
  await db.run(DELETE_OLD);
}
