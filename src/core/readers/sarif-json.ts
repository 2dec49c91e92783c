import { isRecord } from './coerce.ts';

/** An object of a SARIF log, as it was written. */
export type Json = Readonly<Record<string, unknown>>;

/** The object at a place of the log; an empty one where something else stands. */
export function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** The list at a place of the log; an empty one where something else stands. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The entry of a table whose keys the log chooses. */
export function entryOf(table: unknown, key: string): unknown {
  return isRecord(table) && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The entry of a list that an index of the log points at. */
export function itemAt(list: unknown, index: unknown): unknown {
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? listOf(list)[index] : undefined;
}

/** Words of at most this length. One text may serve many results, so it is cut before anything looks at all of it. */
export function wordsOf(value: unknown, longest: number): string | null {
  if (typeof value !== 'string') return null;
  const trimmed = value.slice(0, longest * 2).trim();
  if (trimmed === '') return null;
  return trimmed.length <= longest ? trimmed : `${trimmed.slice(0, longest)} … (cut)`;
}
