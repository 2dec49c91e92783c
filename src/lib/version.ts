import { readFileSync } from 'node:fs';

let known: string | null = null;

/** The version of this package. */
export function readVersion(): string {
  known ??= /"version":\s*"([^"]+)"/.exec(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))?.[1] ?? 'unknown';
  return known;
}
