import type { Finding } from '../../core/finding.ts';
import { isSecretTag, redact } from '../../core/secrets.ts';
import { clean } from '../print.ts';
import type { LineRange } from './frame-rows.ts';
import { maskLine, redactedLines, withoutValues } from '../../core/secret-mask.ts';

/** A file as it is at the head: its lines as they are, and as they may be shown. */
export type HeadFile = { readonly lines: readonly string[]; readonly redacted: readonly string[] };

/** A finding beside the file that it is about. */
export type SeenFinding = {
  readonly finding: Finding;
  /** Null for a file without text. */
  readonly head: HeadFile | null;
  /** The lines that it points at, if they are still what they were when it was raised. */
  readonly flagged: LineRange | null;
  /** What nothing that is shown may repeat. */
  readonly secrets: readonly string[];
};

/** Makes the text of a file ready to be shown; a file that is gone or is not text shows nothing. */
export function headFile(text: string | null): HeadFile | null {
  if (text === null || text.includes('\0')) return null;
  return { lines: text.split(/\r?\n/), redacted: redactedLines(text) };
}

/** Puts a finding beside its file. */
export function seeFinding(finding: Finding, head: HeadFile | null): SeenFinding {
  const flagged = flaggedLines(finding, head);
  const lines = flagged === null ? (finding.snippet?.split('\n') ?? []) : (head?.lines.slice(flagged.first - 1, flagged.last) ?? []);
  return { finding, head, flagged, secrets: isSecretTag(finding.tag) ? lines.flatMap((line) => maskLine(line, true).values) : [] };
}

/** Words about a finding as they may be shown. */
export function safeWords({ secrets }: SeenFinding, text: string): string {
  return clean(withoutValues(redact(text.replaceAll('\r\n', '\n')), secrets)).replaceAll('\t', '  ');
}

/** A line of code as it may be shown; `text` has lost the secrets that are known by their shape. */
export function safeCode({ finding, flagged, secrets }: SeenFinding, text: string, number: number): string {
  if (!isSecretTag(finding.tag)) return withoutValues(text, secrets);
  const isFlagged = flagged === null || (number >= flagged.first && number <= flagged.last);
  return maskLine(text, isFlagged).text;
}

function flaggedLines(finding: Finding, head: HeadFile | null): LineRange | null {
  if (head === null || finding.line === null || finding.place === 'unplaced') return null;
  const count = head.lines.at(-1) === '' ? head.lines.length - 1 : head.lines.length;
  const { line: first, snippet } = finding;
  const isSame =
    snippet === null || snippet.split('\n').every((line, index) => line.replace(/\r$/, '') === (head.lines[first - 1 + index] ?? ''));
  if (first > count || !isSame) return null;
  return { first, last: Math.min(count, Math.max(first, finding.lineEnd ?? first)) };
}
