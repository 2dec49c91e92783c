import type { Owner } from './store.ts';

/** Who drives a loop, as columns; all null if nobody does. */
export type OwnerRecord = {
  readonly owner_pid: number | null;
  readonly owner_started_at: string | null;
  readonly owner_host: string | null;
};

/** The process that the columns name. */
export function ownerOf(record: OwnerRecord): Owner | null {
  const { owner_pid: pid, owner_started_at: startedAt, owner_host: host } = record;
  return pid === null || startedAt === null || host === null ? null : { pid, startedAt, host };
}

/** The columns that name a process, or nobody. */
export function ownerRecord(owner: Owner | null): OwnerRecord {
  return { owner_pid: owner?.pid ?? null, owner_started_at: owner?.startedAt ?? null, owner_host: owner?.host ?? null };
}
