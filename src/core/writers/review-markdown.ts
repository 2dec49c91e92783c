import { bySeverity } from '../finding.ts';
import type { Finding } from '../finding.ts';
import type { Loop, Round } from '../loop.ts';
import { parsePatch } from '../parse-patch.ts';
import { fenced, withoutControls } from '../prompts/fence.ts';
import { shownPath } from '../prompts/sections.ts';
import { reviewersOf, summaryOf } from '../round.ts';
import { redact } from '../secrets.ts';
import { inline } from './harmless.ts';

/** What is told of a review. */
export type MarkdownInput = { readonly loop: Pick<Loop, 'findings'>; readonly round: Round; readonly files: number };

const HEADINGS = { approved: 'Approved', changes_requested: 'Changes requested', needs_discussion: 'Needs discussion' } as const;

/** A review as Markdown for the page of a job or a comment: the verdict first, then the findings by file, each fix as a diff. */
export function writeReviewMarkdown({ loop, round, files }: MarkdownInput): string {
  const findings = loop.findings.filter((finding) => round.findingIds.includes(finding.id));
  const blocking = new Set(round.blockingIds);
  const summary = summaryOf(round);
  const byFile = [...Map.groupBy(findings.toSorted(bySeverity), ({ file }) => file)];
  return `${[
    `## ${HEADINGS[round.verdict]}`,
    summaryLine(findings, blocking, { round, files }),
    ...(summary === null ? [] : [inline(summary)]),
    ...round.notes.map((note) => `> ${inline(note)}`),
    ...byFile.map(([file, own]) => section(file, own, blocking)),
  ].join('\n\n')}\n`;
}

function summaryLine(findings: readonly Finding[], blocking: ReadonlySet<string>, { round, files }: Omit<MarkdownInput, 'loop'>): string {
  const counted =
    findings.length === 0 ? 'No findings' : `${findings.length} finding${findings.length === 1 ? '' : 's'}, ${blocking.size} blocking`;
  return `${counted} in ${files} changed file${files === 1 ? '' : 's'} · reviewed by ${reviewersOf(round).map(inline).join(', ')} at \`${round.head.commit.slice(0, 10)}\``;
}

function section(file: string | null, findings: readonly Finding[], blocking: ReadonlySet<string>): string {
  const heading = file === null ? '### Without a place' : `### ${inline(shownPath(file))}`;
  return [heading, ...findings.map((finding) => item(finding, blocking.has(finding.id)))].join('\n\n');
}

function item(finding: Finding, blocks: boolean): string {
  const { line, lineEnd } = finding;
  const place = line === null ? '' : `line${lineEnd === null ? '' : 's'} ${line}${lineEnd === null ? '' : `–${lineEnd}`}: `;
  const rule = finding.tag === null ? finding.category : `${finding.category}, ${inline(finding.tag)}`;
  const words = [finding.impact, finding.patch === null ? finding.suggestion : null].filter((text) => text !== null).map(inline);
  return [
    `- **${finding.severity}**${blocks ? '' : ' (does not block)'} ${place}${inline(finding.description)} *(${rule})*`,
    ...words.map((text) => `  ${text}`),
    ...(finding.patch === null ? [] : [indented(fenced(changedLines(finding.patch), 'diff'))]),
  ].join('\n\n');
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

/** The lines that a fix takes away and puts there, without those around them. */
function changedLines(patch: string): string {
  const text = redact(withoutControls(patch));
  try {
    const lines = parsePatch(text).flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines.filter(({ kind }) => kind !== 'context')));
    return lines.map((one) => `${one.kind === 'added' ? '+' : '-'}${one.text}`).join('\n');
  } catch {
    return text;
  }
}
