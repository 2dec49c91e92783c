import type { Check } from '../app-doctor.ts';
import type { Io } from './command.ts';
import { paint } from './print.ts';

const SIGN = { ok: ['✓', 'green'], warning: ['!', 'yellow'], problem: ['✗', 'red'] } as const;
const NAME_WIDTH = 13;
const INDENT = ' '.repeat(NAME_WIDTH + 5);

/** Tells one check: a line with its sign, and below what to do where something is not right. */
export function printCheck({ name, status, text, remedy }: Check, io: Io): void {
  io.object({ type: 'check', v: 1, name, status, text, remedy });
  const [sign, style] = SIGN[status];
  const [first = '', ...more] = wrap(text, io);
  io.out(`  ${paint(io, style, sign)} ${name.padEnd(NAME_WIDTH)} ${first}`);
  for (const line of more) io.out(`${INDENT}${line}`);
  // Left whole, because it may hold a command that somebody copies.
  for (const line of remedy?.split('\n') ?? []) io.out(`${INDENT}${paint(io, 'dim', line)}`);
}

/** The lines of a text; on a terminal, in which somebody reads them, none is longer than what fits beside the names. */
function wrap(text: string, io: Io): string[] {
  const width = io.interactive ? Math.max(40, io.width - INDENT.length) : Infinity;
  return text.split('\n').flatMap((line) => {
    const lines = [''];
    for (const word of line.split(/(?<=\S) +/)) {
      const last = lines.at(-1) ?? '';
      const longer = last === '' ? word : `${last} ${word}`;
      if (longer.length > width && last !== '') lines.push(word);
      else lines[lines.length - 1] = longer;
    }
    return lines;
  });
}
