import { clean, paint, type Style } from '../print.ts';
import { changedParts, type Part } from './changed-parts.ts';
import type { FrameRow } from './frame-rows.ts';
import { type Layout, paintAll } from './layout.ts';
import { fittingLength, textWidth } from './text-width.ts';

/** How a frame is drawn. */
export type FrameLook = {
  readonly layout: Layout;
  /** The styles of the mark at flagged lines. */
  readonly styles: readonly Style[];
  /** Code that the words of the finding name; a long line is cut around it. */
  readonly named: readonly string[];
};

/** Draws the lines of a frame: a gutter with numbers and marks, and the code beside it. */
export function codeFrame(rows: readonly FrameRow[], look: FrameLook): string[] {
  const lines = withoutIndentation(rows.map(drawable));
  const changed = changedParts(lines.map(({ row, text }) => ({ kind: row.kind, text })));
  const digits = Math.max(2, ...lines.map(({ row }) => (row.kind === 'gap' ? 0 : String(row.number ?? '').length)));
  const gutter = Math.max(digits + 2, look.layout.margin - 3);
  const hasSigns = rows.some((row) => row.kind === 'removed' || row.kind === 'added');
  const firstAdded = rows.findIndex((row) => row.kind === 'added');
  const width = look.layout.width - gutter - 3 - (hasSigns ? 2 : 0);
  return lines.map((line, index) => {
    const left = drawGutter(line.row, { look, gutter, digits, isFix: index === firstAdded });
    if (line.row.kind === 'gap') return left;
    const sign = hasSigns ? `${SIGNS[line.row.kind]} ` : '';
    const code = drawCode({ ...line, row: line.row, changed: changed.get(index) ?? null }, { look, width, sign });
    return `${left} ${code}`.trimEnd();
  });
}

const SIGNS = { kept: ' ', removed: '-', added: '+' } as const;
const TAB = 4;
const LONG = 2000;

type CodeLine = { readonly row: FrameRow; readonly text: string };

function drawable(row: FrameRow): CodeLine {
  return { row, text: row.kind === 'gap' ? '' : withoutTabs(clean(row.text)).trimEnd() };
}

function withoutTabs(text: string): string {
  if (!text.includes('\t')) return text;
  // In a line of a minified file nothing stands below anything.
  if (text.length > LONG) return text.replaceAll('\t', ' ');
  let column = 0;
  return text
    .split('\t')
    .map((part, index, parts) => {
      column += textWidth(part);
      if (index === parts.length - 1) return part;
      const gap = TAB - (column % TAB);
      column += gap;
      return part + ' '.repeat(gap);
    })
    .join('');
}

function withoutIndentation(lines: readonly CodeLine[]): CodeLine[] {
  const indents = lines.filter(({ text }) => text !== '').map(({ text }) => text.length - text.trimStart().length);
  const common = Math.min(...indents);
  return lines.map((line) => ({ ...line, text: line.text.slice(common) }));
}

type Gutter = { readonly look: FrameLook; readonly gutter: number; readonly digits: number; readonly isFix: boolean };

function drawGutter(row: FrameRow, { look, gutter, digits, isFix }: Gutter): string {
  const { layout, styles } = look;
  const bar = paint(layout, 'dim', '│');
  if (isFix) return `${' '.repeat(gutter - 3)}${paint(layout, 'green', 'fix')} ${bar}`;
  const isFlagged = row.kind !== 'gap' && row.isFlagged;
  const number = (row.kind === 'gap' ? '⋮' : String(row.number ?? '')).padStart(digits);
  const marked = isFlagged ? `> ${number}` : number;
  const painted = isFlagged ? paintAll(layout, styles, marked) : paint(layout, 'dim', marked);
  return `${' '.repeat(gutter - marked.length)}${painted} ${bar}`;
}

type DrawnLine = { readonly row: Exclude<FrameRow, { kind: 'gap' }>; readonly text: string; readonly changed: Part | null };

function drawCode({ row, text, changed }: DrawnLine, { look, width, sign }: { look: FrameLook; width: number; sign: string }): string {
  const { layout } = look;
  const { from, to } = visiblePart(text, width, changed?.from ?? (row.isFlagged ? placeOf(look.named, text) : null));
  const before = from > 0 ? '…' : '';
  const after = to < text.length ? '…' : '';
  if (row.kind === 'kept') {
    const code = sign + before + text.slice(from, to) + after;
    return row.isFlagged ? code : paint(layout, 'dim', code);
  }
  const style = row.kind === 'removed' ? 'red' : 'green';
  const inside = (index: number): number => Math.min(Math.max(index, from), to);
  const [start, end] = changed === null ? [to, to] : [inside(changed.from), inside(changed.to)];
  const middle = text.slice(start, end);
  const emphasised = middle === '' ? '' : paint(layout, 'underline', middle);
  return paint(layout, style, `${sign}${before}${text.slice(from, start)}${emphasised}${text.slice(end, to)}${after}`);
}

function placeOf(named: readonly string[], text: string): number | null {
  const found = named.map((code) => text.indexOf(code)).filter((index) => index >= 0);
  return found[0] ?? null;
}

/** The part of a line that fits into a width: its beginning, or what stands around a place in it. */
function visiblePart(text: string, width: number, place: number | null): Part {
  const whole = fittingLength(text, width);
  if (whole === text.length) return { from: 0, to: whole };
  const room = Math.max(1, width - 1);
  const third = Math.floor(width / 3);
  if (place === null || place < width - third) return { from: 0, to: fittingLength(text, room) };
  const near = Math.max(1, Math.min(place - third, text.length - room));
  const from = isInsidePair(text, near) ? near - 1 : near;
  const rest = text.slice(from);
  const isLast = fittingLength(rest, room) === rest.length;
  return { from, to: from + (isLast ? rest.length : fittingLength(rest, room - 1)) };
}

function isInsidePair(text: string, index: number): boolean {
  return /^[\udc00-\udfff]/.test(text.slice(index, index + 1));
}
