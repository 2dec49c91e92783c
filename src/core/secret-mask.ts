import { findSecrets } from './secrets.ts';

const MASK = '•••';
/** In longer lines than people write there is nothing to read around a mask. */
const LONGEST = 2000;

/** The lines of a text with each secret's value replaced by its kind; a value of several lines leaves as many behind. */
export function redactedLines(text: string): string[] {
  let out = '';
  let from = 0;
  for (const { kind, index, length } of findSecrets(text)) {
    const value = text.slice(index, index + length);
    out += `${text.slice(from, index)}[secret: ${kind}]${`\n${MASK}`.repeat(value.split('\n').length - 1)}`;
    from = index + length;
  }
  return (out + text.slice(from)).split(/\r?\n/);
}

/** A line that may hold a secret of an unknown shape, without whatever the secret may be, and the values that were taken out. */
export type Masked = { readonly text: string; readonly values: readonly string[] };

const LITERAL = /(["'`])((?:\\.|(?!\1)[^\\])+)\1/g;
const RUN = /[A-Za-z0-9+/_=.-]{12,}/g;
/** What a person calls something, and the sign behind it; random text hardly ever is of such words only. */
const ASSIGNMENT =
  /(?<![A-Za-z0-9+/_=.-])(?:[A-Z]{2,}(?:_[A-Z]{2,})*|[a-z]{2,}(?:[_.-][a-z]{2,})*|[a-z]{3,}(?:[A-Z][a-z]{2,})+)["'`]?\s*(?::=|=>|[:=])\s*(?=[^\s:=])/g;
const DECLARATION = /^\s*(?:[A-Za-z_$][\w$]*\s+){0,2}["'`]?[A-Za-z_$][\w$.-]*["'`]?\s*[:=]\s*/;

/**
 * Masks each literal and each long run of a line, but not the name that a value is given to. Of a line where the secret is known to
 * be, whatever is not the name goes if nothing else gave it away.
 */
export function maskLine(line: string, holdsSecret: boolean): Masked {
  if (line.length > LONGEST) return { text: MASK, values: [] };
  const values: string[] = [];
  const take = (value: string): string => {
    values.push(value);
    return MASK;
  };
  const quoted = line.replace(LITERAL, (_, quote: string, value: string) => `${quote}${take(value)}${quote}`);
  const text = betweenNames(quoted, (part) => {
    const bare = part.replace(RUN, take);
    return holdsSecret ? bare.replace(/\S+/g, (word) => (isMixed(word) ? take(word) : word)) : bare;
  });
  if (!holdsSecret || values.length > 0 || text.includes('[secret: ') || !/\w{3}/.test(text)) return { text, values };
  const head = DECLARATION.exec(text)?.[0] ?? /^\s*/.exec(text)?.[0] ?? '';
  return { text: head + take(text.slice(head.length)), values };
}

/** Shorter ones stand everywhere and give nothing away. */
const SHORTEST = 6;

/** The values on lines that somebody calls a secret. */
export function secretValues(lines: readonly string[]): string[] {
  return lines.flatMap((line) => maskLine(line, true).values).filter((value) => value.length >= SHORTEST);
}

/** A text without values that were taken out of code, for what people and agents say about that code. */
export function withoutValues(text: string, values: readonly string[]): string {
  // The longest first, lest a part of one is replaced and its rest stays.
  const telling = values.filter((value) => value.length >= SHORTEST).toSorted((a, b) => b.length - a.length);
  return telling.reduce((rest, value) => rest.replaceAll(value, MASK), text);
}

function betweenNames(line: string, change: (part: string) => string): string {
  let out = '';
  let from = 0;
  for (const match of line.matchAll(ASSIGNMENT)) {
    out += change(line.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return out + change(line.slice(from));
}

/** Letters and digits in one word, which is what short passwords without quotes look like. */
function isMixed(word: string): boolean {
  return word.length >= 6 && /\d/.test(word) && /[A-Za-z]/.test(word) && !word.includes(MASK);
}
