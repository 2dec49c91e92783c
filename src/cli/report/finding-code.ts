import type { Severity } from '../../core/finding.ts';
import { redact } from '../../core/secrets.ts';
import type { Style } from '../print.ts';
import { codeFrame, type FrameLook } from './code-frame.ts';
import { type ExactFix, fits, readFix } from './exact-fix.ts';
import { type Edits, frameRows } from './frame-rows.ts';
import type { Layout } from './layout.ts';
import { withoutValues } from '../../core/secret-mask.ts';
import { safeCode, type SeenFinding } from './seen-finding.ts';

/** The code of a finding as lines. */
export type FindingCode = {
  /** Where it is; with its exact fix in place, if that is about the same lines. */
  readonly frame: readonly string[];
  /** Its exact fix, unless the frame shows it. */
  readonly fix: readonly string[];
  /** What the exact fix does, wherever it is shown; null without one that can be shown. */
  readonly exact: ExactFix | null;
};

/** How a severity looks. */
export const SEVERITY_STYLES: Readonly<Record<Severity, readonly Style[]>> = {
  critical: ['red', 'bold'],
  high: ['red'],
  medium: ['yellow'],
  low: ['cyan'],
  suggestion: ['dim'],
};

/** Draws the lines that a finding points at, and its exact fix. */
export function findingCode(seen: SeenFinding, layout: Layout): FindingCode {
  const { finding, head, flagged } = seen;
  const exact = finding.patch === null ? null : readFix(finding.patch);
  const edits = exact === null ? null : safeEdits(seen, exact.edits);
  const look: FrameLook = { layout, styles: SEVERITY_STYLES[finding.severity], named: namedCode(finding.description) };
  const isFolded = exact !== null && isAboutFlagged(seen, exact);
  const shownLine = (number: number, text: string | undefined): string | undefined =>
    text === undefined ? undefined : safeCode(seen, redact(text), number);
  const frame = frameRows({
    lineAt: (number) => shownLine(number, head?.redacted[number - 1]),
    flagged,
    edits: isFolded ? edits : null,
    context: layout.margin > 0 ? 2 : 1,
  });
  const fix = frameRows({
    lineAt: (number) => shownLine(number, exact?.lines.get(number)),
    flagged: null,
    edits: isFolded ? null : edits,
    context: 1,
  });
  return { frame: codeFrame(frame, look), fix: codeFrame(fix, look), exact };
}

const NEAR = 3;

/** Whether a fix was made for the lines that the finding points at, as they are now. */
function isAboutFlagged({ finding, head, flagged }: SeenFinding, fix: ExactFix): boolean {
  if (head === null || flagged === null || fix.path !== finding.file || !fits(fix, head.lines)) return false;
  return [...fix.edits.removed, ...fix.edits.added.keys()].every(
    (number) => number >= flagged.first - NEAR && number <= flagged.last + NEAR,
  );
}

function safeEdits({ secrets }: SeenFinding, { removed, added }: Edits): Edits {
  const safe = [...added].map(([number, lines]) => [number, lines.map((line) => withoutValues(redact(line), secrets))] as const);
  return { removed, added: new Map(safe) };
}

/** What a description puts into backticks. */
function namedCode(description: string): string[] {
  return [...description.matchAll(/`([^`\n]{2,80})`/g)].map((match) => match[1] ?? '');
}
