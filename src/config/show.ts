import { redact } from '../core/secrets.ts';
import { isGroup } from './layer.ts';
import type { Origin } from './layer.ts';
import type { Loaded } from './load.ts';

/** One effective setting for `volley config show`. */
export type ConfigRow = { readonly path: string; readonly value: unknown; readonly origin: string };

/** Every effective setting with its origin; variables are shown by name, and what looks like a secret in any other place is blacked out. */
export function configRows({ config, origins }: Loaded): ConfigRow[] {
  return leaves(config, '').map(({ path, value }) => ({ path, value: withoutSecrets(value), origin: originText(origins.get(path)) }));
}

/** A value on one line, as the file would write it. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function leaves(group: Readonly<Record<string, unknown>>, parent: string): { path: string; value: unknown }[] {
  return Object.entries(group).flatMap(([key, value]) => {
    const path = parent === '' ? key : `${parent}.${key}`;
    if (value === undefined) return [];
    return isGroup(value) ? leaves(value, path) : [{ path, value }];
  });
}

/** A value in which everything that looks like a secret is blacked out. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  return isGroup(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner)])) : value;
}

/** Where a value comes from, in words. */
export function originText(origin: Origin | undefined): string {
  if (origin === undefined || origin.layer === 'default') return 'default';
  const place = origin.line === null ? origin.label : `${origin.label}:${origin.line}`;
  return origin.effort === null ? place : `${place} (effort ${origin.effort})`;
}
