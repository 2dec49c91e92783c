import { z } from 'zod';
import { parseDocument } from 'yaml';
import { VolleyError } from '../core/errors.ts';
import { findSecrets } from '../core/secrets.ts';
import { isWithin, nest } from './layer.ts';
import { valueText } from './show.ts';
import { pathText, schemaAt, validate } from './validate.ts';

/**
 * The value that a person typed for a setting: as it stands where the setting is text, else as the file would have it. A list may be
 * written with commas; of shell lines, which have commas of their own, one may be.
 */
export function parseValue(path: readonly string[], typed: string): unknown {
  refuseSecret(path, typed);
  let claims: readonly string[] = [];
  for (const value of readings(path, typed)) {
    claims = claimsAbout(path, value);
    if (claims.length === 0) return value;
  }
  throw wrongValue(path, claims);
}

/** The value that a program gives for a setting, which must be right by itself. */
export function checkedValue(path: readonly string[], value: unknown): unknown {
  refuseSecret(path, valueText(value ?? null));
  const claims = claimsAbout(path, value);
  if (claims.length > 0) throw wrongValue(path, claims);
  return value;
}

function wrongValue(path: readonly string[], claims: readonly string[]): VolleyError {
  return new VolleyError('bad-config', claims.join('\n'), `Nothing is changed; docs/configuration.md tells what ${path.join('.')} may be.`);
}

/** What is wrong with a value by itself, with the path of each mistake. */
export function claimsAbout(path: readonly string[], value: unknown): readonly string[] {
  if (value === null || value === undefined) return [`${path.join('.')} must have a value`];
  const { flaws } = validate(nest([{ path, value }]));
  const own = flaws.filter((flaw) => isWithin(flaw.path, path)).map((flaw) => `${pathText(flaw.path)} ${flaw.claim}`);
  return [...new Set(own)];
}

/** Refuses what looks like a secret: what a variable holds is named, never written. */
export function refuseSecret(path: readonly string[], typed: string): void {
  const [secret] = findSecrets(typed);
  if (secret === undefined) return;
  throw new VolleyError(
    'bad-config',
    `The value for ${path.join('.')} looks like a secret (${secret.kind}), and secrets are never written into a file.`,
    'Put it into a variable of your environment and write env:NAME here, or the bare NAME into the env of an agent.',
  );
}

/** The most literal reading comes first; the last one tells what is wrong if none fits. */
function readings(path: readonly string[], typed: string): unknown[] {
  const document = parseDocument(typed);
  const value: unknown = document.errors.length === 0 ? document.toJS({ maxAliasCount: 100 }) : null;
  const plain = [typed, ...(value === null || value === typed ? [] : [value])];
  if (!takesList(schemaAt(path)) || typeof value === 'object') return plain;
  const isShellLine = path[0] === 'gates' || path.at(-1) === 'sarif';
  return [...plain, isShellLine ? [typed] : typed.split(',').map((part) => part.trim())];
}

function takesList(schema: unknown): boolean {
  return schema instanceof z.ZodArray || (schema instanceof z.ZodUnion && schema.options.some((option) => option instanceof z.ZodArray));
}
