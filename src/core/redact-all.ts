import { findSecrets, redact } from './secrets.ts';

/** A value without secrets in any of its texts; its shape stays as it is. */
export function redactAll<T>(value: T): T {
  // The shape is that of the value, text by text.
  // eslint-disable-next-line typescript/no-unsafe-type-assertion
  return redacted(value) as T;
}

function redacted(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redacted(item)]));
}

/** What kind of secret stands in any text of a value; null if none does. */
export function secretIn(value: unknown): string | null {
  if (typeof value === 'string') return findSecrets(value)[0]?.kind ?? null;
  if (typeof value !== 'object' || value === null) return null;
  for (const item of Object.values(value)) {
    const kind = secretIn(item);
    if (kind !== null) return kind;
  }
  return null;
}
