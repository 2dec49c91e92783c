/** The most characters that are kept of one field of an answer. */
const MAX_TEXT = 20_000;

/** What became of a text that claims to be JSON. */
export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** Parses JSON without throwing. */
export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message.slice(0, 200) : 'not JSON' };
  }
}

/** Parses a text that is JSON, or nothing but one code block with JSON in it. */
export function parseWholeJson(text: string): ParsedJson {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  return parseJson(insideFence(trimmed) ?? trimmed);
}

/** What stands in a code block that is all of a text. */
function insideFence(text: string): string | null {
  const [opening = '', fence = ''] = /^(`{3,}|~{3,})(?:json)?[^\S\n]*\n/i.exec(text) ?? [];
  if (opening === '' || !text.endsWith(`\n${fence}`) || text.length < opening.length + fence.length + 1) return null;
  return text.slice(opening.length, -fence.length - 1);
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of these keys that holds something, in whatever case an agent writes it. */
export function pick(record: Readonly<Record<string, unknown>>, ...names: readonly string[]): unknown {
  for (const name of names) {
    const exact = Object.hasOwn(record, name) ? record[name] : undefined;
    if (exact !== undefined && exact !== null) return exact;
    const key = Object.keys(record).find((one) => one !== name && plain(one) === plain(name) && record[one] !== null);
    if (key !== undefined) return record[key];
  }
  return undefined;
}

function plain(key: string): string {
  return key.replace(/[_-]/g, '').toLowerCase();
}

/** Words out of whatever an agent wrote in their place; null if there are none. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return boundedText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null || value === undefined) return null;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return boundedText(value.slice(0, 1000).join('\n'));
  return boundedText(stringifyBounded(value));
}

/** Trims a text and cuts it, visibly, where it is too long. */
export function boundedText(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return trimmed.length <= MAX_TEXT ? trimmed : `${trimmed.slice(0, MAX_TEXT)} … (cut)`;
}

/** A yes or no; null for what is neither. */
export function boolOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === 0) return false;
  if (typeof value !== 'string') return null;
  const word = value.trim().toLowerCase();
  if (word === 'true' || word === 'yes') return true;
  return word === 'false' || word === 'no' ? false : null;
}

/** An amount that can be added up; null for what cannot (negative, infinite, no number). */
export function amountOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}

/** A line number from 1; null for anything else. */
export function lineNumberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*[lL]?\d{1,9}\s*$/.test(value) ? Number(value.replace(/[lL\s]/g, '')) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 1 && number < 1e9 ? Math.floor(number) : null;
}

function stringifyBounded(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Nesting beyond the stack of the serializer: there are no words in it.
    return '(nested too deeply to be shown)';
  }
}
