import type { Loop } from '../core/loop.ts';
import type { LoopRow, Owner } from './store.ts';

/** A loop as a row of the table `loops`; a projection of its journal. */
export type LoopRecord = {
  readonly id: string;
  readonly number: number;
  readonly run_id: string;
  readonly seq: number;
  readonly title: string;
  readonly kind: string;
  readonly state: string;
  readonly waiting: string | null;
  readonly final_verdict: string | null;
  readonly approved_by: 'review' | 'person' | null;
  readonly approver: string | null;
  readonly rounds: number;
  readonly max_rounds: number;
  readonly spend_usd: number;
  readonly spend_estimated: number;
  readonly ceiling_usd: number | null;
  readonly escalation: string | null;
  readonly branch: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** Who drives a loop, as columns; all null if nobody does. */
export type OwnerRecord = {
  readonly owner_pid: number | null;
  readonly owner_started_at: string | null;
  readonly owner_host: string | null;
};

/** What the overview reads: the loop's row beside its job's, whose columns are null if there is none. */
export type BoardRecord = Omit<LoopRecord, 'run_id' | 'seq'> & OwnerRecord & { readonly wanted: number | null };

/** The run that a loop belongs to: while nobody starts loops together, each is a run of one. */
export function runIdOf(loop: Loop): string {
  return loop.uid;
}

/** The row that a loop has in the table `loops`. */
export function loopRecord(loop: Loop): LoopRecord {
  return {
    id: loop.uid,
    number: loop.id,
    run_id: runIdOf(loop),
    seq: loop.seq,
    title: loop.task.title,
    kind: loop.task.kind,
    state: loop.state,
    waiting: loop.waiting?.for ?? null,
    final_verdict: loop.finalVerdict,
    approved_by: loop.approval?.by ?? null,
    approver: loop.approval?.by === 'person' ? loop.approval.name : null,
    rounds: loop.rounds.length,
    max_rounds: loop.maxRounds,
    spend_usd: loop.spend.usd,
    spend_estimated: loop.spend.estimated ? 1 : 0,
    ceiling_usd: loop.ceilingUsd,
    escalation: loop.escalation?.reason ?? null,
    branch: loop.branch,
    created_at: loop.createdAt,
    updated_at: loop.updatedAt,
  };
}

/** What people are shown of a row. */
export function loopRow(record: BoardRecord): LoopRow {
  return {
    id: record.number,
    uid: record.id,
    title: record.title,
    kind: record.kind,
    state: record.state,
    waiting: record.waiting,
    finalVerdict: record.final_verdict,
    approvedBy: record.approved_by,
    approver: record.approver,
    rounds: record.rounds,
    maxRounds: record.max_rounds,
    spendUsd: record.spend_usd,
    spendEstimated: record.spend_estimated === 1,
    ceilingUsd: record.ceiling_usd,
    escalation: record.escalation,
    branch: record.branch,
    createdAt: record.created_at,
    updatedAt: record.updated_at,
    owner: ownerOf(record),
    wantsWork: record.wanted === 1,
  };
}

/** The process that the columns name. */
export function ownerOf(record: OwnerRecord): Owner | null {
  const { owner_pid: pid, owner_started_at: startedAt, owner_host: host } = record;
  return pid === null || startedAt === null || host === null ? null : { pid, startedAt, host };
}

/** The columns that name a process, or nobody. */
export function ownerRecord(owner: Owner | null): OwnerRecord {
  return { owner_pid: owner?.pid ?? null, owner_started_at: owner?.startedAt ?? null, owner_host: owner?.host ?? null };
}
