import type { Check } from '../app-doctor.ts';
import type { Io } from './command.ts';
import { paint } from './print.ts';
import { wrap } from './report/wrap.ts';

const SIGN = { ok: ['✓', 'green'], warning: ['!', 'yellow'], problem: ['✗', 'red'] } as const;
const NAME_WIDTH = 13;
const INDENT = ' '.repeat(NAME_WIDTH + 5);

/** Tells one check: a line with its sign, and below what to do where something is not right. */
export function printCheck({ name, status, text, remedy }: Check, io: Io): void {
  io.object({ type: 'check', v: 1, name, status, text, remedy });
  const [sign, style] = SIGN[status];
  // Into a pipe a line stays one line.
  const [first = '', ...more] = io.interactive ? wrap(text, Math.max(40, io.width - INDENT.length)) : text.split('\n');
  io.out(`  ${paint(io, style, sign)} ${name.padEnd(NAME_WIDTH)} ${first}`);
  for (const line of more) io.out(`${INDENT}${line}`);
  // Left whole, because it may hold a command that somebody copies.
  for (const line of remedy?.split('\n') ?? []) io.out(`${INDENT}${paint(io, 'dim', line)}`);
}
