import { MOST_TO_LAND } from '../app-board.ts';
import type { DrivenRow } from '../app-board.ts';
import { counted } from '../core/words.ts';
import type { Io } from './command.ts';
import { cutTo, padTo } from './cut.ts';
import { paint } from './print.ts';
import { dollars } from '../core/ceilings.ts';
import { textWidth } from './report/text-width.ts';
import { placeOf } from './row-place.ts';
import type { Place } from './row-place.ts';
import { phaseOf, spendOf, waitOf } from './status-lines.ts';

/** Where the glance is shown; it never takes more than `height` lines. */
export type GlanceView = { readonly io: Pick<Io, 'color' | 'width'>; readonly height: number; readonly now: Date };

/** A project without tasks: what to type first. */
export function beginnings(io: Pick<Io, 'color'>): string[] {
  return [
    'No tasks yet.',
    `  ${paint(io, 'cyan', 'volley run "Add input validation"')}   builds and reviews it`,
    `  ${paint(io, 'cyan', 'volley review --working-tree')}        reviews what is not committed`,
    `  ${paint(io, 'cyan', 'volley init')}                         finds your agents and gates`,
  ];
}

/** A project on one screen: what needs somebody first, with the command for it, then what is ready, runs, waits and happened. */
export function glanceLines(rows: readonly DrivenRow[], view: GlanceView): string[] {
  if (rows.length === 0) return beginnings(view.io);
  const places = Map.groupBy(rows, placeOf);
  const sizeOf = (place: keyof Caps): number => places.get(place)?.length ?? 0;
  const caps: Caps = { you: sizeOf('you'), running: sizeOf('running'), waiting: sizeOf('waiting') };
  const airy = arrange(rows, { places, caps, view }, true);
  if (airy.length <= view.height) return airy;
  for (;;) {
    const lines = arrange(rows, { places, caps, view }, false);
    const place = lines.length <= view.height ? undefined : SHRINKING.find((one) => caps[one] > LEAST[one]);
    if (place === undefined) return lines;
    // Saying that there is one more takes as much room as showing it.
    caps[place] -= caps[place] === sizeOf(place) && place !== 'you' ? 2 : 1;
  }
}

type Caps = { you: number; running: number; waiting: number };

/** What is left out first where there is too much, and what stays of it. */
const SHRINKING = ['waiting', 'running', 'you'] as const;
const LEAST: Readonly<Caps> = { you: 1, running: 2, waiting: 2 };

type Shown = { readonly places: ReadonlyMap<Place, readonly DrivenRow[]>; readonly caps: Readonly<Caps>; readonly view: GlanceView };

/** The sections from top to bottom: what needs somebody stands apart, the others only where there is room. */
function arrange(rows: readonly DrivenRow[], { places, caps, view }: Shown, isAiry: boolean): string[] {
  const at = (place: Place): readonly DrivenRow[] => places.get(place) ?? [];
  const first = [youLines(at('you'), caps.you, view), landLines(at('land'), view)].filter((section) => section.length > 0);
  const others = [
    listLines('Running', at('running'), { cap: caps.running, view, say: (row) => runningWords(row, view.now) }),
    listLines('Waiting', at('waiting'), { cap: caps.waiting, view, say: (row) => waitOf(row, view.now) }),
    pendingLines(at('stopped'), at('pending'), view),
    [latelyLine(rows, view)],
  ].filter((section) => section.length > 0);
  return [...first, ...(isAiry ? others : [others.flat()])].flatMap((section, index) => (index === 0 ? section : ['', ...section]));
}

/** What asks loudest: open questions, then what broke, then what lies with a person anyway. */
const LOUDNESS: readonly string[] = [
  'needs_human',
  'failed',
  'self_review_failed',
  'ready_for_human_review',
  'pending_self_review',
  'blocked',
];

function youLines(rows: readonly DrivenRow[], cap: number, { io }: GlanceView): string[] {
  if (rows.length === 0) return [];
  const rank = ({ state }: DrivenRow): number => (LOUDNESS.includes(state) ? LOUDNESS.indexOf(state) : 1);
  const sorted = rows.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id);
  const shown = sorted.slice(0, cap);
  const head = paint(io, 'bold', paint(io, 'yellow', `⚠ ${counted(rows.length, 'task needs', 'tasks need')} you`));
  return [head, ...shown.flatMap((row) => questionLines(row, io)), ...moreLine(rows.length - shown.length)];
}

function questionLines(row: DrivenRow, io: GlanceView['io']): string[] {
  const reason = row.escalation ?? row.state;
  const title = `  ${row.id}. ${cutTo(row.title, Math.max(16, Math.floor(io.width / 2) - 12))}`;
  const why = cutTo(`${reason}${row.why === null ? '' : `: ${row.why}`}`, Math.max(10, io.width - textWidth(title) - 3));
  return [`${title}  ${paint(io, 'dim', why)}`, `     ${paint(io, 'cyan', row.next ?? `volley show ${row.id}`)}`];
}

function landLines(rows: readonly DrivenRow[], { io }: GlanceView): string[] {
  if (rows.length === 0) return [];
  // Of so many, older ones were not read.
  const words = `✓ ${rows.length}${rows.length < MOST_TO_LAND ? '' : ' or more'} ready to land`;
  const named = `volley land ${rows.map(({ id }) => id).join(' ')}`;
  const command = textWidth(`${words}  ${named}`) <= io.width ? named : 'volley land --all';
  const room = io.width - textWidth(`${words}  ${command}  `);
  const titles = room < LEAST_TITLES ? '' : `  ${paint(io, 'dim', cutTo(rows.map(({ title }) => title).join(', '), room))}`;
  return [`${paint(io, 'green', words)}  ${paint(io, 'cyan', command)}${titles}`];
}

const LEAST_TITLES = 20;

type Listing = { readonly cap: number; readonly view: GlanceView; readonly say: (row: DrivenRow) => string };

function listLines(title: string, rows: readonly DrivenRow[], { cap, view: { io }, say }: Listing): string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, cap);
  const words = shown.map(say);
  const room = io.width - 2 - words.reduce((most, one) => Math.max(most, textWidth(one)), 0) - 3;
  const titles = shown.map(({ id, title: one }) => cutTo(`${id}. ${one}`, Math.max(16, room)));
  const width = titles.reduce((most, one) => Math.max(most, textWidth(one)), 0);
  const lines = shown.map(
    (_, index) => `  ${padTo(titles[index] ?? '', width)}  ${cutTo(words[index] ?? '', Math.max(10, io.width - width - 4))}`,
  );
  return [`${title} (${rows.length})`, ...lines, ...moreLine(rows.length - shown.length)];
}

function runningWords(row: DrivenRow, now: Date): string {
  const round = `${Math.min(row.rounds + 1, row.maxRounds)}/${row.maxRounds}`;
  return [phaseOf(row, now) || 'between two steps', round, spendOf(row)].filter((part) => part !== '').join(', ');
}

function pendingLines(stopped: readonly DrivenRow[], pending: readonly DrivenRow[], { io }: GlanceView): string[] {
  if (stopped.length + pending.length === 0) return [];
  const parts = [
    ...(stopped.length > 0 ? [`${stopped.length} stopped`] : []),
    ...(pending.length > 0 ? [`${pending.length} pending`] : []),
  ];
  return [`${paint(io, 'yellow', `‖ ${parts.join(', ')}`)}  ${paint(io, 'cyan', 'volley work')}`];
}

/** What is told in numbers goes back so far. */
export const LATELY_MS = 24 * 3_600_000;

/** The last day in numbers. */
function latelyLine(rows: readonly DrivenRow[], { io, now }: GlanceView): string {
  const recent = rows.filter(({ updatedAt }) => now.getTime() - Date.parse(updatedAt) < LATELY_MS);
  const count = (is: (row: DrivenRow) => boolean, word: string): string[] => {
    const number = recent.filter(is).length;
    return number === 0 ? [] : [`${number} ${word}`];
  };
  const parts = [
    ...count(({ state }) => state === 'approved', 'approved'),
    ...count(({ landed }) => landed, 'landed'),
    ...count(({ state }) => state === 'needs_human', 'asking'),
    ...count(({ state, wantsWork }) => state === 'self_review_failed' && !wantsWork, 'with changes requested'),
    ...count(({ state }) => state === 'failed', 'failed'),
    ...count(({ state }) => state === 'cancelled', 'cancelled'),
  ];
  const spent = recent.reduce((sum, { spendUsd }) => sum + spendUsd, 0);
  const cost = spent === 0 ? '' : `; ${recent.some(({ spendEstimated }) => spendEstimated) ? 'about ' : ''}${dollars(spent)} spent`;
  const words = `Last 24 h: ${parts.length === 0 ? (recent.length === 0 ? 'nothing' : 'nothing came to an end') : parts.join(', ')}${cost}`;
  const hint = '. All tasks: volley status';
  return paint(io, 'dim', cutTo(textWidth(words) + hint.length <= io.width ? `${words}${hint}` : words, io.width));
}

function moreLine(number: number): string[] {
  return number <= 0 ? [] : [`  and ${number} more: volley status`];
}
