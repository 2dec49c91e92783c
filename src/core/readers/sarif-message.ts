import { textOf } from './coerce.ts';
import { entryOf, listOf, recordOf, wordsOf } from './sarif-json.ts';
import type { SarifRule } from './sarif-rules.ts';

const LONGEST = 20_000;
const MOST_ARGUMENTS = 100;

/** The words of a message: its own, or those that its id names in the rule or the tool, with its arguments filled in; null if it has none. */
export function messageText(message: unknown, rule: SarifRule): string | null {
  if (typeof message === 'string') return wordsOf(message, LONGEST);
  const json = recordOf(message);
  const args = listOf(json.arguments).slice(0, MOST_ARGUMENTS);
  const own = plainText(json);
  // Braces mean something only beside arguments: most tools write code into their messages and escape nothing.
  if (own !== null) return args.length === 0 ? own : fill(own, args);
  const id = wordsOf(json.id, LONGEST);
  if (id === null) return null;
  const named = firstOf(rule.texts, (table) => plainText(entryOf(table, id)));
  return named === null ? nameless(id, args) : fill(named, args);
}

/** A text that comes as plain words, as Markdown or as both. */
export function plainText(value: unknown, longest = LONGEST): string | null {
  const json = recordOf(value);
  return wordsOf(json.text, longest) ?? wordsOf(json.markdown, longest);
}

/** The text with `[words](1)` as mere words where 1 points at a related place of the result, which is not kept. */
export function withoutPointers(text: string, relatedLocations: unknown): string {
  const ids = new Set(listOf(relatedLocations).map((location) => recordOf(location).id));
  if (ids.size === 0) return text;
  return text.replace(/\[([^[\]]{1,200})\]\((\d{1,9})\)/g, (link, words: string, id: string) => (ids.has(Number(id)) ? words : link));
}

function firstOf<T>(list: readonly unknown[], read: (item: unknown) => T | null): T | null {
  for (const item of list) {
    const value = read(item);
    if (value !== null) return value;
  }
  return null;
}

function fill(template: string, args: readonly unknown[]): string {
  const texts = args.map(textOf);
  let out = '';
  let at = 0;
  for (const match of template.matchAll(/\{\{|\}\}|\{(\d{1,3})\}/g)) {
    const [token, index] = match;
    out += template.slice(at, match.index) + (index === undefined ? token.charAt(0) : (texts[Number(index)] ?? token));
    at = match.index + token.length;
    // A short template that repeats a long argument would grow without end.
    if (out.length > LONGEST) break;
  }
  return wordsOf(out + template.slice(at), LONGEST) ?? template;
}

function nameless(id: string, args: readonly unknown[]): string {
  const words = args.map(textOf).filter((text) => text !== null);
  return wordsOf([`(message '${id}', whose text is not in the log)`, ...words].join(' '), LONGEST) ?? id;
}
