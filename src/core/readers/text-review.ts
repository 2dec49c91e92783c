import type { ReportedIssue } from '../finding.ts';
import type { ReviewReading, Verdict } from '../review.ts';
import { readCommentBlocks } from './comment-blocks.ts';
import { boundedText } from './coerce.ts';
import { readFindingsDocument } from './findings-document.ts';
import { textLines, type TextLine } from './lines.ts';
import { MAX_ISSUES, readReviewJson, surplusIssue } from './result-json.ts';
import { findTextJson } from './text-json.ts';
import { readVerdictLines } from './verdict-line.ts';
import { mostCareful } from './verdict-words.ts';

/** All that the format readers found in a text; what it is worth depends on where the text came from. */
export type TextReview = {
  readonly issues: readonly ReportedIssue[];
  readonly rejection: Verdict | null;
  /** Exactly one verdict line in seed 004's form, an approval, and nothing that contradicts it. */
  readonly verdictLineApproves: boolean;
  /** The text approves in the exact form of a seed, and nothing contradicts it. */
  readonly approves: boolean;
  /** Something in it sounds like an approval; never a ground to approve. */
  readonly soundsApproving: boolean;
  /** JSON in the text, for what else it says (summary, evidence). */
  readonly json: ReviewReading | null;
  readonly summary: string | null;
  /** The commit that a document says it is about. */
  readonly head: string | null;
};

/** Reads a text by all formats at once: JSON, seed 000's blocks, seed 003's document, seed 004's verdict line. */
export function readTextReview(text: string): TextReview {
  const lines = textLines(text);
  const readings = findTextJson(lines).flatMap((value) => readReviewJson(value, 'text') ?? []);
  const blocks = readCommentBlocks(lines);
  const verdict = readVerdictLines(lines);
  const rejection = mostCareful([verdict.rejection, ...readings.map((reading) => (reading.claim === 'approved' ? null : reading.claim))]);
  const jsonApproves = readings.length === 1 && readings[0]?.claim === 'approved';
  return {
    issues: merged([readings.flatMap((reading) => reading.issues), blocks.issues, readFindingsDocument(lines)]),
    rejection,
    verdictLineApproves: verdict.approves && rejection === null,
    approves: rejection === null && (verdict.approves || blocks.approves || jsonApproves),
    soundsApproving: verdict.soundsApproving || blocks.approves || jsonApproves,
    json: readings[0] ?? null,
    summary: readings[0]?.summary ?? summaryOf(lines),
    head: readings[0]?.head ?? headOf(lines),
  };
}

/** The formats' issues without those that an earlier format has read from the same words. */
function merged(lists: readonly (readonly ReportedIssue[])[]): readonly ReportedIssue[] {
  const all: ReportedIssue[] = [];
  for (const list of lists) {
    const before = new Set(all.map((issue) => wordsOf(issue)));
    all.push(...list.filter((issue) => !before.has(wordsOf(issue))));
  }
  return all.length <= MAX_ISSUES ? all : [...all.slice(0, MAX_ISSUES), surplusIssue(all.length - MAX_ISSUES)];
}

function wordsOf(issue: ReportedIssue): string {
  return `${issue.file ?? ''} ${issue.description
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')}`;
}

/** The words below a heading "Summary". */
function summaryOf(lines: readonly TextLine[]): string | null {
  const from = lines.findIndex((line) => line.own && /^#{1,4}\s+(?:executive |overall |reviewer's )?summary\s*$/i.test(line.text));
  if (from < 0) return null;
  const rest = lines.slice(from + 1);
  const to = rest.findIndex((line) => /^#{1,6}\s/.test(line.text));
  const words = rest.slice(0, to < 0 ? rest.length : to).map((line) => line.text.replace(/^> ?/, ''));
  return boundedText(words.join('\n').slice(0, 2000));
}

/** The line of a document that names a commit; of several, one that contradicts the others is told too. */
function headOf(lines: readonly TextLine[]): string | null {
  const named = lines.flatMap(({ own, text }) => (own ? (HEAD_LINE.exec(text)?.[1]?.toLowerCase() ?? []) : []));
  const [first, ...others] = new Set(named);
  return first === undefined ? null : others.every((one) => first.startsWith(one) || one.startsWith(first)) ? first : named.join(' and ');
}

const HEAD_LINE = /^\s*(?:[-*]\s+)?\**(?:head|commit|reviewed commit|head commit)\**\s*:\**\s*`?([0-9a-f]{7,64})`?\s*$/i;
