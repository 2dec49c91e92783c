import { agentsOf } from '../core/action.ts';
import { choicesOf } from '../core/choices.ts';
import { ownCeilingUsd } from '../core/ceilings.ts';
import { blockingIn, trendOf } from '../core/convergence.ts';
import { isLanded } from '../core/land-problem.ts';
import type { Loop } from '../core/loop.ts';
import { loopNeedsYou } from '../core/loop-needs-you.ts';
import { nextCommand } from '../core/next-command.ts';
import { foldWords } from '../core/search-words.ts';
import { waitingWords, waitsForTasks, waitsForTime } from '../core/waiting.ts';
import { columnList } from './column-list.ts';
import { ownerOf } from './owner-record.ts';
import type { OwnerRecord } from './owner-record.ts';
import type { LoopRow } from './store.ts';

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
  readonly why: string | null;
  readonly next: string | null;
  readonly waiting_until: string | null;
  readonly phase: string | null;
  readonly agent: string | null;
  readonly phase_started_at: string | null;
  readonly blocking: number;
  readonly landed: number;
  readonly group_name: string | null;
  readonly branch: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly needs_you: number;
  /** With commas between them. */
  readonly choices: string;
  readonly trend: string | null;
  /** The title as it is searched. */
  readonly words: string;
};

/** What the overview reads: the loop's row beside its job's, whose columns are null if there is none. */
export type BoardRecord = Omit<LoopRecord, 'run_id' | 'seq' | 'words'> & OwnerRecord & { readonly wanted: number | null };

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
    ceiling_usd: ownCeilingUsd(loop),
    escalation: loop.escalation?.reason ?? null,
    why: whyOf(loop),
    next: nextCommand(loop),
    waiting_until: waitsForTime(loop) ? (loop.waiting?.until ?? null) : null,
    phase: loop.current?.action.do ?? null,
    agent: loop.current === null ? null : agentsOf(loop.current.action).join(', ') || null,
    phase_started_at: loop.current?.startedAt ?? null,
    blocking: blockingIn(loop).length,
    landed: isLanded(loop) ? 1 : 0,
    group_name: loop.task.group,
    branch: loop.branch,
    created_at: loop.createdAt,
    updated_at: loop.updatedAt,
    needs_you: loopNeedsYou(loop) ? 1 : 0,
    choices: choicesOf(loop).join(','),
    trend: trendOf(loop.rounds),
    words: foldWords(loop.task.title),
  };
}

/** The loops that a loop waits for now. */
export function neededBy(loop: Loop): readonly number[] {
  return waitsForTasks(loop) ? [...new Set(loop.task.dependsOn)] : [];
}

const WHY_CHARS = 200;

function whyOf({ ending, escalation, waiting }: Loop): string | null {
  const why = ending?.why ?? escalation?.why ?? (waiting === null ? null : waitingWords(waiting));
  return why === null ? null : (why.split('\n')[0] ?? '').slice(0, WHY_CHARS);
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
    choices: columnList(record.choices),
    why: record.why,
    next: record.next,
    waitingUntil: record.waiting_until,
    phase: record.phase,
    agent: record.agent,
    phaseStartedAt: record.phase_started_at,
    blocking: record.blocking,
    trend: record.trend,
    landed: record.landed === 1,
    group: record.group_name,
    branch: record.branch,
    createdAt: record.created_at,
    updatedAt: record.updated_at,
    owner: ownerOf(record),
    wantsWork: record.wanted === 1,
    needsYou: record.needs_you === 1,
  };
}
