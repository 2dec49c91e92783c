import type { Db } from '../db.ts';

export type Dispute = { readonly id: string; readonly charge: string; readonly dueAt: string };

/** The disputes of an account, the most urgent first. */
export async function listDisputes(db: Db, account: string): Promise<readonly Dispute[]> {
  const rows = await db.all('select * from disputes where account = $1 order by due_at', account);
  return rows.map((row) => ({ id: row['id'], charge: row['charge'], dueAt: row['due_at'] }));
}
