import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askingRow, makeRow, runningRow } from '../../test/support/board-row.ts';
import { MOST_TO_LAND } from '../app-board.ts';
import type { DrivenRow } from '../app-board.ts';
import { glanceLines } from './glance-lines.ts';
import { textWidth } from './report/text-width.ts';

const NOW = new Date('2026-01-30T06:00:00.000Z');

function glance(rows: readonly DrivenRow[], { width = 80, height = 23 } = {}): string[] {
  return glanceLines(rows, { io: { color: false, width }, height, now: NOW });
}

const approved = (id: number): DrivenRow => makeRow({ id, next: `volley land ${id}` });

/** Twenty tasks after a night in which everything happened that can. */
const NIGHT: readonly DrivenRow[] = [
  ...[1, 2, 3, 4, 5, 6, 7].map(approved),
  ...[8, 9, 10].map((id) =>
    askingRow(id, 'max-rounds', { finalVerdict: 'MAX_CYCLES_REACHED', next: `volley decide ${id} one-more-round` }),
  ),
  askingRow(11, 'agent-failed', { next: 'volley decide 11 continue', spendUsd: 1.5 }),
  makeRow({ id: 12, state: 'failed', finalVerdict: null, approvedBy: null, why: 'the repository is gone', next: 'volley retry 12' }),
  ...[13, 14].map((id) => runningRow(id, { spendUsd: 0.42 })),
  ...[15, 16].map((id) =>
    runningRow(id, {
      driven: false,
      wantsWork: false,
      waiting: 'rate-limit',
      waitingUntil: '2026-01-30T07:30:00.000Z',
      next: `volley work ${id}`,
    }),
  ),
  runningRow(17, { driven: false }),
  runningRow(18, { state: 'queued', driven: false, phase: null }),
  makeRow({ id: 19, landed: true }),
  makeRow({ id: 20, state: 'cancelled', finalVerdict: null, approvedBy: null }),
];

test('a night with twenty tasks fits a small screen, with what needs somebody first', () => {
  const lines = glance(NIGHT);
  assert.ok(lines.length <= 23, `${lines.length} lines`);
  for (const line of lines) assert.ok(textWidth(line) <= 80, line);
  assert.equal(lines[0], '⚠ 5 tasks need you');
  assert.match(lines[1] ?? '', /^ {2}8\. Add feature 8 {2}max-rounds: /);
  assert.equal(lines[2], '     volley decide 8 one-more-round');
  const text = lines.join('\n');
  assert.equal(lines.filter((line) => /volley (decide|retry) \d/.test(line)).length, 5);
  assert.match(text, /^✓ 7 ready to land {2}volley land 1 2 3 4 5 6 7 {2}Add feature 1, .*…$/m);
  assert.match(text, /^Running \(2\)\n {2}13\. Add feature 13 {2}reviewing by codex, 1 m 04 s, 2\/3, \$0\.42$/m);
  assert.match(text, /^Waiting \(2\)\n {2}15\. Add feature 15 {2}waits until .*\(rate-limit\)$/m);
  assert.match(text, /^‖ 1 stopped, 1 pending {2}volley work$/m);
  assert.equal(lines.at(-1), 'Last 24 h: 8 approved, 1 landed, 4 asking, 1 failed, 1 cancelled; $2.34 spent');
});

test('what does not fit is counted', () => {
  const rows = Array.from({ length: 20 }, (_, index) => askingRow(index + 1, 'agent-failed'));
  const lines = glance(rows);
  assert.ok(lines.length <= 23, `${lines.length} lines`);
  const shown = lines.filter((line) => line.includes('volley decide')).length;
  assert.ok(shown >= 9, `${shown} are shown`);
  assert.ok(lines.includes(`  and ${20 - shown} more: volley status`));
});

test('so many approvals that their numbers fill the line land with one word', () => {
  const lines = glance(Array.from({ length: 40 }, (_, index) => approved(index + 1)));
  assert.ok(lines[0]?.startsWith('✓ 40 ready to land  volley land --all  Add feature 1'), lines.join('\n'));
});

test('more approvals than are read are not counted as if they were all', () => {
  const lines = glance(Array.from({ length: MOST_TO_LAND }, (_, index) => approved(index + 1)));
  assert.ok(lines[0]?.startsWith(`✓ ${MOST_TO_LAND} or more ready to land  volley land --all`), lines.join('\n'));
});

test('a loop that stopped between a review and its fix is not told as one with changes requested', () => {
  const lines = glance([runningRow(1, { state: 'self_review_failed', driven: false })]);
  assert.equal(lines.at(-1), 'Last 24 h: nothing came to an end. All tasks: volley status');
});

test('a narrow terminal gets lines that fit', () => {
  for (const line of glance(NIGHT, { width: 40 })) assert.ok(textWidth(line) <= 40, line);
});

test('a project without tasks is told how to begin', () => {
  const lines = glance([]);
  assert.equal(lines[0], 'No tasks yet.');
  assert.ok(lines.some((line) => line.includes('volley run ')));
});
