import type { Finding } from '../finding.ts';
import { linesOf } from '../line-patch.ts';
import { findSecrets, isSecretTag } from '../secrets.ts';

/** The files at the head, as results may quote them. */
export type QuotedHead = {
  textOf(path: string): string | null;
  /** How many lines a file has; null if nobody knows. */
  lineCount(path: string): number | null;
  /** Lines of a file, from 1, both ends included; null where they hold a secret, are too long or are not there. */
  quote(path: string, from: number, to: number): string | null;
};

type SecretLines = { readonly from: number; readonly to: number };
type QuotedFile = { readonly text: string; readonly lines: readonly string[]; readonly secrets: readonly SecretLines[] };

const LONGEST_QUOTE = 4000;

/** Opens the files at the head; each is searched for secrets once, and lines that a finding calls a secret are one too. */
export function openHead(
  textOf: (path: string) => string | null,
  findings: readonly Pick<Finding, 'tag' | 'file' | 'line' | 'lineEnd'>[],
): QuotedHead {
  const known = new Map<string, QuotedFile | null>();
  const open = (path: string): QuotedFile | null => {
    const text = textOf(path);
    if (text === null) return null;
    const told = findings.filter((one) => isSecretTag(one.tag) && one.file === path && one.line !== null);
    const named = told.map(({ line, lineEnd }) => ({ from: line ?? 1, to: lineEnd ?? line ?? 1 }));
    return { text, lines: linesOf(text), secrets: [...secretLines(text), ...named] };
  };
  const fileOf = (path: string): QuotedFile | null => {
    const seen = known.get(path);
    const file = seen === undefined ? open(path) : seen;
    known.set(path, file);
    return file;
  };
  return {
    textOf: (path) => fileOf(path)?.text ?? null,
    lineCount: (path) => fileOf(path)?.lines.length ?? null,
    quote(path, from, to) {
      const file = fileOf(path);
      if (file === null || to > file.lines.length || file.secrets.some((secret) => from <= secret.to && secret.from <= to)) return null;
      const quoted = file.lines
        .slice(from - 1, to)
        .join('\n')
        .replace(/\r$/, '');
      return quoted.length > LONGEST_QUOTE ? null : quoted;
    },
  };
}

function secretLines(text: string): readonly SecretLines[] {
  return findSecrets(text).map(({ line, index, length }) => ({
    from: line,
    to: line + text.slice(index, index + length).split('\n').length - 1,
  }));
}
