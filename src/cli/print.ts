import { stripVTControlCharacters, styleText } from 'node:util';
import type { Io } from './command.ts';

/** How a text may look on a terminal. */
export type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold' | 'inverse' | 'underline';

/** Colours a text where the output is a terminal that wants it. */
export function paint(io: Pick<Io, 'color'>, style: Style, text: string): string {
  return io.color ? styleText(style, text, { validateStream: false }) : text;
}

/** Makes text of agents, branches and files safe for a terminal: no escape sequences, no control characters. */
export function clean(text: string): string {
  // eslint-disable-next-line no-control-regex
  return withoutEscapes(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\u{fffd}');
}

/** The last wall before a terminal: whatever is not one of our own colours is made safe, also where somebody forgot to. */
export function forTerminal(io: Pick<Io, 'color'>, line: string): string {
  if (!io.color) return clean(line);
  // eslint-disable-next-line no-control-regex
  const parts = line.split(/(\u001b\[\d{1,2}m)/);
  return parts.map((part, index) => (index % 2 === 1 ? part : clean(part))).join('');
}

/** The first line of a text, cut to a width. */
export function oneLine(text: string, width: number): string {
  const line = clean(text.trim().split('\n')[0] ?? '');
  return line.length <= width ? line : `${line.slice(0, Math.max(1, width - 1))}…`;
}

/** Rows as columns that line up; the last column is left as long as it is. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, visible(cell))));
  return rows.map((row) => {
    let line = '';
    row.forEach((cell, index) => {
      const unseen = cell.length - visible(cell);
      line += index === row.length - 1 ? cell : `${cell.padEnd((widths[index] ?? 0) + unseen)}  `;
    });
    return line.trimEnd();
  });
}

function visible(cell: string): number {
  return withoutEscapes(cell).length;
}

/** Most texts hold no escape sequence, and seeing that is ten times quicker than taking none out. */
function withoutEscapes(text: string): string {
  return text.includes('\u001b') || text.includes('\u009b') ? stripVTControlCharacters(text) : text;
}
