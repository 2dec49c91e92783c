import { entropyOf } from './secrets.ts';

/** A place in a text that looks like a value of a generator; `line` starts at 1. */
export type RandomLiteral = { readonly line: number; readonly index: number; readonly length: number };

const LITERAL = /["'`]([A-Za-z0-9+/_=-]{32,120})["'`]/g;
/** Words beside a value that say what it is, where that is no secret. */
const HARMLESS =
  /integrity|sha-?\d|hash|digest|checksum|fingerprint|etag|public|certificate|-----|base64,|data:|alphabet|charset|characters|uuid|nonce|import\b|require\(|https?:|\.snap\b|test|fixture|expect|assert|mock|example|sample|dummy/i;

/**
 * Finds quoted values that only a generator writes: long, of all kinds of characters, without a word in them. Where the line says
 * that it is a hash or something for the public, it is left alone.
 */
export function findRandomLiterals(text: string): RandomLiteral[] {
  const found: RandomLiteral[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.length > 2000 || HARMLESS.test(line)) return;
    for (const match of line.matchAll(LITERAL)) {
      const value = match[1] ?? '';
      if (isGenerated(value)) found.push({ line: index + 1, index: match.index + 1, length: value.length });
    }
  });
  return found;
}

function isGenerated(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(value));
  const longestWord = Math.max(0, ...(value.match(/[a-z]+|[A-Z]+/g) ?? []).map((word) => word.length));
  return kinds && !/^[0-9a-f-]+$/i.test(value) && longestWord <= 6 && (value.match(/\d/g)?.length ?? 0) >= 3 && entropyOf(value) >= 4.4;
}
