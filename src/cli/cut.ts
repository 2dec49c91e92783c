import type { Io } from './command.ts';
import { clean } from './print.ts';
import { fittingLength, textWidth } from './report/text-width.ts';

/** A text on one line of a terminal, harmless, and cut to so many columns. */
export function cutTo(text: string, width: number): string {
  return cutLine(clean(text).replace(/\s+/g, ' ').trim(), width);
}

/** A line cut to so many columns, its spaces kept. */
export function cutLine(line: string, width: number): string {
  if (textWidth(line) <= width) return line;
  return width <= 0 ? '' : `${line.slice(0, fittingLength(line, width - 1)).trimEnd()}…`;
}

/** A text filled up with spaces to so many columns. */
export function padTo(text: string, width: number): string {
  return `${text}${' '.repeat(Math.max(0, width - textWidth(text)))}`;
}

const FILE_WIDTH = 200;

/** How long a line may be: on a terminal as wide as that, elsewhere no title needs more. */
export function lineWidth({ interactive, width }: Pick<Io, 'interactive' | 'width'>): number {
  return interactive ? width : FILE_WIDTH;
}
