import { seenParts } from '../ui/hidden-characters.ts';

/** Anything but the letters, signs and line ends of which most code consists. */
const UNUSUAL = /[^\t\n\r -~]|\r(?!\n)/;

/** How a hidden character stands in code: as its name between signs that no language uses. */
export const NAMED = /⟦U\+[0-9A-F]{4,6}⟧/g;

/** Code in which every character that nobody would see is written out. Both kinds of line ends stay as they are. */
export function written(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  return text
    .split('\n')
    .map((line) => (UNUSUAL.test(line) ? writtenLine(line) : line))
    .join('\n');
}

function writtenLine(line: string): string {
  const end = line.endsWith('\r') ? '\r' : '';
  const parts = seenParts(end === '' ? line : line.slice(0, -1));
  return `${parts.map(({ text, hidden }) => (hidden ? `⟦${text}⟧` : text)).join('')}${end}`;
}
