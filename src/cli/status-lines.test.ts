import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askingRow, makeRow, runningRow } from '../../test/support/board-row.ts';
import type { DrivenRow } from '../app-board.ts';
import { statusLines } from './status-lines.ts';
import { textWidth } from './report/text-width.ts';

const PIPE = { color: false, interactive: false, width: 100 };
const NOW = new Date('2026-01-30T06:00:00.000');

/** What stands behind the title of a single row. */
function told(row: DrivenRow): string {
  return statusLines([row], { io: PIPE, now: NOW })[0]?.split(/ {4}/).at(-1) ?? '';
}

test('the three rows of seed 004 are told to the letter', () => {
  const rows = [
    makeRow({ id: 29, title: 'Add feature X' }),
    askingRow(30, 'max-rounds', { title: 'Add feature Y', finalVerdict: 'MAX_CYCLES_REACHED', rounds: 3 }),
    runningRow(31, { title: 'Add feature Z' }),
  ];
  assert.deepEqual(statusLines(rows, { io: PIPE, now: NOW }), [
    '  ✓ 29. implement Add feature X    completed  APPROVED (3 cycles)',
    '  ✓ 30. implement Add feature Y    completed  MAX_CYCLES_REACHED (3 cycles)',
    '  → 31. implement Add feature Z    in_progress (cycle 2/3)',
  ]);
});

test('numbers, kinds and titles of any script line up', () => {
  const rows = [makeRow({ id: 9, kind: 'review', title: '日本語の題' }), makeRow({ id: 10, title: 'Add\n\u001b[31mfeature', rounds: 1 })];
  const lines = statusLines(rows, { io: PIPE, now: NOW });
  assert.deepEqual(lines, [
    '  ✓  9. review    日本語の題     completed  APPROVED (3 cycles)',
    '  ✓ 10. implement Add feature    completed  APPROVED (1 cycle)',
  ]);
});

const REST: Readonly<Record<string, DrivenRow>> = {
  'completed  APPROVED (3 cycles)  $0.42': makeRow({ id: 1, spendUsd: 0.42 }),
  'completed  APPROVED (3 cycles)  about $0.42 of $2.00  landed': makeRow({
    id: 1,
    spendUsd: 0.42,
    spendEstimated: true,
    ceilingUsd: 2,
    landed: true,
  }),
  'completed  APPROVED by Ada, not reviewed': makeRow({ id: 1, approvedBy: 'person', approver: 'Ada', rounds: 0 }),
  'completed  (not reviewed)': makeRow({ id: 1, state: 'pending_self_review', finalVerdict: null, approvedBy: null, rounds: 0 }),
  'completed  CHANGES_REQUESTED (1 cycle)': makeRow({
    id: 1,
    state: 'self_review_failed',
    finalVerdict: 'CHANGES_REQUESTED',
    rounds: 1,
  }),
  'completed  NEEDS_DISCUSSION (1 cycle)': askingRow(1, 'needs-discussion', { finalVerdict: 'NEEDS_DISCUSSION' }),
  'needs_human  agent-failed (1 cycle)': askingRow(1, 'agent-failed'),
  'needs_human  agent-failed': askingRow(1, 'agent-failed', { rounds: 0 }),
  pending: runningRow(1, { state: 'queued', driven: false, phase: null }),
  'pending  waits for task 3 and task 5': runningRow(1, {
    state: 'queued',
    driven: false,
    wantsWork: false,
    waiting: 'dependency',
    why: 'task 3 and task 5 have to be done first',
  }),
  'in_progress (cycle 2/3)  stopped': runningRow(1, { driven: false }),
  'in_progress (cycle 2/3)  waits until 07:30 (rate-limit)': runningRow(1, {
    driven: false,
    wantsWork: false,
    waiting: 'rate-limit',
    waitingUntil: new Date('2026-01-30T07:30:00.000').toISOString(),
  }),
  'in_progress (cycle 2/3)  waits until 07:30: the disk is full': runningRow(1, {
    driven: false,
    wantsWork: false,
    waiting: 'disk',
    waitingUntil: new Date('2026-01-30T07:30:00.000').toISOString(),
  }),
  'pending  waits for money that other sessions have reserved': runningRow(1, {
    state: 'queued',
    driven: false,
    wantsWork: false,
    waiting: 'slot',
    waitingUntil: '2026-01-30T06:00:15.000',
  }),
  'in_progress (cycle 2/3)  waits for a login': runningRow(1, { driven: false, wantsWork: false, waiting: 'login' }),
  'in_progress (cycle 2/3)': runningRow(1),
  blocked: makeRow({ id: 1, state: 'blocked', finalVerdict: null }),
  failed: makeRow({ id: 1, state: 'failed', finalVerdict: null }),
  cancelled: makeRow({ id: 1, state: 'cancelled', finalVerdict: null }),
};

for (const [expected, row] of Object.entries(REST)) test(`a row says: ${expected}`, () => assert.equal(told(row), expected));

test('in a terminal titles give way, then the kind, then spend and cycles', () => {
  const rows = [makeRow({ id: 1, title: 'A title that is a good deal longer than the terminal has room for', spendUsd: 1 })];
  const at = (width: number): string => statusLines(rows, { io: { ...PIPE, interactive: true, width }, now: NOW })[0] ?? '';
  assert.equal(textWidth(at(80)), 80);
  assert.match(at(80), /implement A title that is a g.*…/);
  assert.equal(at(62), '  ✓ 1. A title that…    completed  APPROVED (3 cycles)  $1.00');
  assert.equal(at(52), '  ✓ 1. A title that…  completed  APPROVED (3 cycles)');
  assert.equal(at(40), '  ✓ 1. A title tha…  completed  APPROVED');
});

test('no row is wider than the terminal, whatever it tells and in whatever script', () => {
  const rows = [
    ...Object.values(REST),
    makeRow({ id: 12345, title: '日本語の題'.repeat(20), approvedBy: 'person', approver: '山田太郎山田太郎', rounds: 0, spendUsd: 12 }),
  ];
  for (let width = 30; width <= 120; width += 1)
    for (const line of statusLines(rows, { io: { ...PIPE, interactive: true, width }, now: NOW, detailed: true }))
      assert.ok(textWidth(line) <= width, `${width}: ${line}`);
});
