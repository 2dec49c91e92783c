import type { DrivenRow } from '../app-board.ts';
import type { Io } from './command.ts';
import { cutLine, cutTo, padTo } from './cut.ts';
import { oneLine, paint } from './print.ts';
import { dollars } from '../core/ceilings.ts';
import type { Style } from './print.ts';
import { placeOf } from './row-place.ts';
import type { Place } from './row-place.ts';
import { textWidth } from './report/text-width.ts';
import { clockTime, elapsedWords } from './time-words.ts';

/** How rows are shown; `detailed` tells what runs at this moment too. */
export type StatusView = { readonly io: Pick<Io, 'color' | 'interactive' | 'width'>; readonly now: Date; readonly detailed?: boolean };

const MOST_TITLE = 60;
const LEAST_TITLE = 12;

/** The tasks of a project as seed 004 lists them: `  ✓ 29. implement Add feature X    completed  APPROVED (3 cycles)`. */
export function statusLines(rows: readonly DrivenRow[], view: StatusView): string[] {
  const { io } = view;
  const idWidth = widest(rows.map(({ id }) => String(id).length));
  const { hasKind, kindWidth, gap, rests, room } = fittingShape(rows, view, idWidth);
  const limit = Math.min(MOST_TITLE, Math.max(LEAST_TITLE, room));
  const titles = rows.map(({ title }) => cutTo(title, limit));
  const titleWidth = widest(titles.map(textWidth));
  const restRoom = io.interactive ? io.width - idWidth - kindWidth - FRAME - titleWidth - gap : Infinity;
  return rows.map((row, index) => {
    const { sign, style } = signOf(row, placeOf(row));
    const head = `${paint(io, style, sign)} ${String(row.id).padStart(idWidth)}. ${hasKind ? row.kind.padEnd(kindWidth) : ''}`;
    return `  ${head}${padTo(titles[index] ?? '', titleWidth)}${' '.repeat(gap)}${cutLine(rests[index] ?? '', restRoom)}`.trimEnd();
  });
}

/** The columns of the margin, the sign, and what stands around the number. */
const FRAME = 6;

type Shape = {
  readonly hasKind: boolean;
  readonly kindWidth: number;
  /** The columns between title and state. */
  readonly gap: number;
  /** What stands behind each title. */
  readonly rests: readonly string[];
  /** What is left for a title. */
  readonly room: number;
};

/** What is told, from all to the least; what stands behind a title is then cut. */
const SHAPES = [
  { hasKind: true, gap: 4, parts: { spend: true, cycles: true } },
  { hasKind: false, gap: 4, parts: { spend: true, cycles: true } },
  { hasKind: false, gap: 2, parts: { spend: false, cycles: true } },
  { hasKind: false, gap: 2, parts: { spend: false, cycles: false } },
] as const;

type Parts = { readonly spend: boolean; readonly cycles: boolean };

/** The shape that tells most without making titles too short. */
function fittingShape(rows: readonly DrivenRow[], view: StatusView, idWidth: number): Shape {
  const { io } = view;
  const least = Math.min(LEAST_TITLE, widest(rows.map(({ title }) => textWidth(title))));
  for (const [index, { hasKind, gap, parts }] of SHAPES.entries()) {
    const kindWidth = hasKind ? widest(rows.map(({ kind }) => kind.length)) + 1 : 0;
    const rests = rows.map((row) => restOf(row, view, parts));
    const room = io.interactive ? io.width - idWidth - kindWidth - FRAME - gap - widest(rests.map(textWidth)) : MOST_TITLE;
    if (room >= least || index === SHAPES.length - 1) return { hasKind, kindWidth, gap, rests, room };
  }
  throw new Error('there is no last shape');
}

function widest(lengths: readonly number[]): number {
  return lengths.reduce((most, length) => Math.max(most, length), 0);
}

/** What stands behind the title: seed 004's state, verdict and cycles, then what it does not know. */
function restOf(row: DrivenRow, view: StatusView, parts: Parts): string {
  const tail = [
    parts.spend ? spendOf(row) : '',
    waitOf(row, view.now),
    ...(view.detailed === true ? [phaseOf(row, view.now)] : []),
    markOf(row),
  ];
  return [stateOf(row, parts.cycles), ...tail].filter((part) => part !== '').join('  ');
}

function stateOf(row: DrivenRow, hasCycles: boolean): string {
  const cycles = row.rounds === 0 || !hasCycles ? '' : ` (${row.rounds} cycle${row.rounds === 1 ? '' : 's'})`;
  if (row.state === 'queued') return 'pending';
  if (row.wantsWork || (row.waiting !== null && !ENDED.has(row.state)))
    return `in_progress (cycle ${Math.min(row.rounds + 1, row.maxRounds)}/${row.maxRounds})`;
  switch (row.state) {
    case 'approved':
      return row.approvedBy === 'person'
        ? `completed  APPROVED by ${oneLine(row.approver ?? 'somebody', 30)}, not reviewed`
        : `completed  APPROVED${cycles}`;
    case 'needs_human':
      return isFinal(row) ? `completed  ${row.finalVerdict}${cycles}` : `needs_human  ${row.escalation ?? ''}${cycles}`;
    case 'self_review_failed':
      return `completed  ${row.finalVerdict ?? 'CHANGES_REQUESTED'}${cycles}`;
    case 'ready_for_human_review':
      return `completed  ${row.finalVerdict === null ? '(not reviewed)' : `${row.finalVerdict}${cycles}`}`;
    case 'pending_self_review':
      return 'completed  (not reviewed)';
    default:
      return row.state;
  }
}

const ENDED: ReadonlySet<string> = new Set([
  'approved',
  'self_review_failed',
  'ready_for_human_review',
  'cancelled',
  'failed',
  'needs_human',
]);

/** Seed 004 calls a loop completed that used all its cycles or that its reviewer wants to discuss. */
function isFinal({ escalation, finalVerdict }: DrivenRow): boolean {
  if (escalation === 'max-rounds') return finalVerdict === 'MAX_CYCLES_REACHED';
  return escalation === 'needs-discussion' && finalVerdict === 'NEEDS_DISCUSSION';
}

/** Spend against its ceiling; nothing where nothing was spent. */
export function spendOf({ spendUsd, spendEstimated, ceilingUsd }: DrivenRow): string {
  if (spendUsd === 0) return '';
  return `${spendEstimated ? 'about ' : ''}${dollars(spendUsd)}${ceilingUsd === null ? '' : ` of ${dollars(ceilingUsd)}`}`;
}

/** What a task waits for; nothing where it does not. */
export function waitOf(row: DrivenRow, now: Date): string {
  if (row.waiting === null || ENDED.has(row.state) || row.state === 'blocked') return '';
  if (row.waiting === 'login') return 'waits for a login';
  if (row.waiting === 'slot') return 'waits for money that other sessions have reserved';
  if (row.waiting === 'dependency') return `waits for ${[...(row.why ?? '').matchAll(/task \d+/g)].join(' and ') || 'another task'}`;
  if (row.waitingUntil === null) return `waits (${row.waiting})`;
  const until = `waits until ${clockTime(new Date(row.waitingUntil), now)}`;
  return row.waiting === 'disk' ? `${until}: the disk is full` : `${until} (${row.waiting})`;
}

const PHASE: Readonly<Record<string, string>> = {
  author: 'implementing',
  review: 'reviewing',
  fix: 'improving',
  gates: 'gates',
  arbitrate: 'arbitrating',
};

/** What is done to a task now, by whom and for how long; nothing where nothing is. */
export function phaseOf(row: DrivenRow, now: Date): string {
  if (row.phase === null || !row.driven) return '';
  const who = row.agent === null ? '' : ` by ${row.agent}`;
  const since = row.phaseStartedAt === null ? '' : `, ${elapsedWords(now.getTime() - Date.parse(row.phaseStartedAt))}`;
  return `${phaseWord(row.phase)}${who}${since}`;
}

/** An action in the word that people read. */
export function phaseWord(action: string): string {
  return PHASE[action] ?? action;
}

function markOf(row: DrivenRow): string {
  if (row.landed) return 'landed';
  return placeOf(row) === 'stopped' ? 'stopped' : '';
}

const SIGN: Readonly<Record<string, { readonly sign: string; readonly style: Style }>> = {
  approved: { sign: '✓', style: 'green' },
  merged: { sign: '✓', style: 'green' },
  needs_human: { sign: '⚠', style: 'yellow' },
  blocked: { sign: '⚠', style: 'yellow' },
  failed: { sign: '✗', style: 'red' },
  self_review_failed: { sign: '✗', style: 'yellow' },
  pending_self_review: { sign: '✓', style: 'dim' },
  ready_for_human_review: { sign: '✓', style: 'yellow' },
  cancelled: { sign: '–', style: 'dim' },
};

function signOf(row: DrivenRow, place: Place): { readonly sign: string; readonly style: Style } {
  if (place === 'stopped') return { sign: '‖', style: 'yellow' };
  if (place === 'running') return { sign: '→', style: 'cyan' };
  if (place === 'waiting' || row.waiting === 'login') return { sign: '…', style: 'yellow' };
  if (row.state === 'needs_human' && isFinal(row)) return { sign: '✓', style: 'yellow' };
  return SIGN[row.state] ?? { sign: '·', style: 'dim' };
}
