import { openBoard } from '../../app-board.ts';
import type { BoardRow } from '../../app-board.ts';
import { hasFlag, refuseWords } from '../command.ts';
import type { Command, Io } from '../command.ts';
import { columns, money, oneLine, paint } from '../print.ts';

/** More than that is no overview. */
const NEWEST = 100;

/** `volley status`, and bare `volley`. */
export const command: Command = {
  usage: 'status [--all]',
  options: { all: { type: 'boolean', help: 'old tasks too, however many there are' } },
  run: async (typed, io) => {
    refuseWords(typed, 'status');
    const rows = await openBoard(io.cwd, io.json || hasFlag(typed, 'all') ? undefined : NEWEST);
    if (io.json) for (const row of rows) io.object({ type: 'task', v: 1, ...row });
    io.object({ type: 'status', v: 1, tasks: rows.length, needYou: rows.filter(needsYou).length });
    if (rows.length === 0) {
      io.out('No tasks yet.');
      io.out('  volley run "Add input validation to the login form"   builds and reviews it');
      io.out('  volley review --working-tree                          reviews what you have not committed');
      return 0;
    }
    // Written at once: a write for each of many lines takes longer than all the rest.
    io.out([...olderLine(rows, io), ...columns(rows.map((row) => cells(row, io))), ...callLines(rows, io)].join('\n'));
    return 0;
  },
};

/** How many are left out; ids count from 1 without a gap. */
function olderLine(rows: readonly BoardRow[], io: Io): string[] {
  const older = (rows.at(-1)?.id ?? 0) - rows.length;
  return older === 0 ? [] : [paint(io, 'dim', `  … ${older} older task${older === 1 ? '' : 's'}: volley status --all`)];
}

/** What asks for a person, with the command for it. */
function callLines(rows: readonly BoardRow[], io: Io): string[] {
  const waiting = rows.filter(needsYou).map((row) => `${paint(io, 'yellow', 'needs you')}  volley show ${row.id}`);
  const stopped = rows
    .filter(isStopped)
    .map((row) => `${paint(io, 'yellow', 'stopped')}    volley work ${row.id}   nobody drives it; this continues where it stopped`);
  return [...(waiting.length > 0 ? [''] : []), ...waiting, ...stopped];
}

function needsYou(row: BoardRow): boolean {
  return row.state === 'needs_human' || row.state === 'blocked' || row.waiting === 'login';
}

/** It has something to do, and no living process does it. */
function isStopped(row: BoardRow): boolean {
  return row.wantsWork && !row.driven;
}

const SIGN: Readonly<Record<string, string>> = {
  approved: '✓',
  merged: '✓',
  needs_human: '⚠',
  blocked: '⚠',
  failed: '✗',
  self_review_failed: '✗',
  cancelled: '–',
};

function cells(row: BoardRow, io: Io): string[] {
  const sign = isStopped(row) ? '‖' : (SIGN[row.state] ?? (row.wantsWork ? '→' : '·'));
  const style = needsYou(row) || isStopped(row) ? 'yellow' : row.state === 'approved' ? 'green' : row.state === 'failed' ? 'red' : 'dim';
  return [
    `  ${paint(io, style, sign)} ${row.id}.`,
    `${row.kind} ${oneLine(row.title, Math.max(20, Math.min(60, io.width - 60)))}`,
    isStopped(row) ? `${row.state} (stopped)` : row.waiting === null ? row.state : `${row.state} (waits: ${row.waiting})`,
    verdictCell(row),
    row.spendUsd > 0 ? money(row.spendUsd) : '',
  ];
}

function verdictCell(row: BoardRow): string {
  const cycles = `${row.rounds} cycle${row.rounds === 1 ? '' : 's'}`;
  if (row.wantsWork) return `(cycle ${Math.min(row.rounds + 1, row.maxRounds)}/${row.maxRounds})`;
  const byPerson = row.approvedBy === 'person' ? ` by ${oneLine(row.approver ?? 'somebody', 30)}, not reviewed` : '';
  const verdict = row.finalVerdict === null ? '' : `${row.finalVerdict}${byPerson}`;
  const reason = row.escalation === null || row.finalVerdict === 'MAX_CYCLES_REACHED' ? '' : ` ${row.escalation}`;
  return `${verdict}${reason}${row.rounds > 0 ? ` (${cycles})` : ''}`.trim();
}
