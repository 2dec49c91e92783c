import { redact } from '../core/secrets.ts';

const LONGEST = 200;

/** What a program printed last, which mostly says why it gave up, to be put behind a sentence; empty if it said nothing. */
export function lastWords(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const last = lines.at(-1) ?? '';
  // A stack of Node ends in words about the program, not about the error.
  const line = last.startsWith('Node.js v') ? (lines.find((one) => /\berror\b/i.test(one)) ?? last) : last;
  return line === '' ? '' : `: ${redact(line).slice(0, LONGEST).replace(/\.+$/, '')}`;
}
