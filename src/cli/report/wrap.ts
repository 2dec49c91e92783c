import { fittingLength, textWidth } from './text-width.ts';

/** Breaks a text into lines of a width at its spaces, and inside of words only where one is too long; its own line breaks are kept. */
export function wrap(text: string, width: number): string[] {
  return text
    .trim()
    .replace(/\n\s*\n/g, '\n')
    .split('\n')
    .flatMap((line) => wrapLine(line.trimEnd(), Math.max(8, width)));
}

/** What stands before the words of a line: its indentation and the mark of a list; lines that go on stand below the words. */
const LEAD = /^\s*(?:(?:[-*•]|\d{1,2}[.)])\s+)?/;

function wrapLine(line: string, width: number): string[] {
  const lead = LEAD.exec(line)?.[0].slice(0, Math.floor(width / 3)) ?? '';
  const hang = ' '.repeat(textWidth(lead));
  const lines: string[] = [];
  let current = lead;
  let used = hang.length;
  for (const word of line
    .slice(lead.length)
    .split(/ +/)
    .flatMap((one) => pieces(one, width - hang.length))) {
    const size = textWidth(word);
    const isFirst = used === hang.length;
    if (!isFirst && used + 1 + size > width) {
      // A dot between two remarks separates nothing at the end of a line.
      lines.push(current.replace(/ ·$/, ''));
      current = hang + word;
      used = hang.length + size;
    } else {
      current += isFirst ? word : ` ${word}`;
      used += isFirst ? size : size + 1;
    }
  }
  return [...lines, current];
}

/** A word that is longer than a line (a path, a text without spaces), as several. */
function pieces(word: string, width: number): string[] {
  const out: string[] = [];
  let rest = word;
  while (rest.length > width / 2 && textWidth(rest.slice(0, width * 2)) > width) {
    const length = Math.max(1, fittingLength(rest, width));
    out.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return [...out, rest];
}
