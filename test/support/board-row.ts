import type { DrivenRow } from '../../src/app-board.ts';
import { needsYou } from '../../src/core/needs-you.ts';

/** A row of the overview: an approved task to implement, unless something else is said. */
export function makeRow(changes: Partial<DrivenRow> & { readonly id: number }): DrivenRow {
  const row: Omit<DrivenRow, 'needsYou'> = {
    uid: `01JD${String(changes.id).padStart(22, '0')}`,
    title: `Add feature ${changes.id}`,
    kind: 'implement',
    state: 'approved',
    waiting: null,
    finalVerdict: 'APPROVED',
    approvedBy: 'review',
    approver: null,
    rounds: 3,
    maxRounds: 3,
    spendUsd: 0,
    spendEstimated: false,
    ceilingUsd: null,
    escalation: null,
    why: null,
    next: null,
    waitingUntil: null,
    phase: null,
    agent: null,
    phaseStartedAt: null,
    blocking: 0,
    landed: false,
    group: null,
    branch: `volley/${changes.id}-add`,
    createdAt: '2026-01-29T22:00:00.000Z',
    updatedAt: '2026-01-30T03:00:00.000Z',
    owner: null,
    wantsWork: false,
    driven: false,
    choices: [],
    trend: null,
    ...changes,
  };
  return { needsYou: needsYou(row), ...row };
}

/** A task that a living process works on. */
export function runningRow(id: number, changes: Partial<DrivenRow> = {}): DrivenRow {
  const state = { state: 'self_reviewing', finalVerdict: null, approvedBy: null, wantsWork: true, driven: true } as const;
  return makeRow({ id, ...state, phase: 'review', agent: 'codex', phaseStartedAt: '2026-01-30T05:58:56.000Z', rounds: 1, ...changes });
}

/** A task that asks a person. */
export function askingRow(id: number, escalation: string, changes: Partial<DrivenRow> = {}): DrivenRow {
  const state = { state: 'needs_human', finalVerdict: null, approvedBy: null, rounds: 1, next: `volley decide ${id} retry` } as const;
  return makeRow({ id, ...state, escalation, why: 'the agent ended badly, and so did the second try', ...changes });
}
