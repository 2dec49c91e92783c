import type { Finding } from '../finding.ts';
import type { Loop, Round } from '../loop.ts';
import { fenced, oneLine, quoted, withoutControls } from '../prompts/fence.ts';
import { shownPath } from '../prompts/sections.ts';
import { groupFindings, type FindingGroups, taskName } from './finding-groups.ts';
import { harmless, inline, noVerdict } from './harmless.ts';
import { nextStep } from './next-step.ts';

/** What a review document is made of. */
export type DocumentInput = {
  readonly loop: Pick<Loop, 'id' | 'task' | 'branch' | 'base' | 'findings' | 'maxRounds' | 'settings'>;
  readonly round: Round;
  /** The next step in words; left out, it follows from the verdict and the rounds that are left. */
  readonly next?: string;
};

const MAX_TITLE = 100;
const MAX_OUTPUT = 4000;

/**
 * A round's review in seed 003's findings format, with seed 004's verdict line exactly once, as the last line.
 * Agents' words only stand behind a label, in quotes or in fences, so that they cannot pass for ours.
 */
export function writeReviewDocument({ loop, round, next }: DocumentInput): string {
  const findings = loop.findings.filter((finding) => round.findingIds.includes(finding.id));
  const groups = groupFindings(findings, round.blockingIds);
  const numberFrom = { important: groups.critical.length, minor: groups.critical.length + groups.important.length };
  return `${[
    `# ${inline(taskName(loop.task, loop.id))} Code Review Findings - Round ${round.round}`,
    header(loop, round),
    ...quotedSection('Interpreted Intent', intentText(round)),
    findingSection('Critical Issues (Must Fix)', groups.critical, 0),
    findingSection('Important Issues (Should Fix)', groups.important, numberFrom.important),
    findingSection('Minor Issues (Nice to Have)', groups.minor, numberFrom.minor),
    summarySection(groups, next ?? nextStep(loop, round)),
    ...quotedSection("Reviewer's Words", round.reading.summary),
    evidenceSection(round),
    proofSection(round),
    `## Verdict\n\nWhy: ${inline(round.why)}`,
    `**Verdict: ${round.verdict.toUpperCase()}**`,
  ].join('\n\n')}\n`;
}

function header(loop: DocumentInput['loop'], round: Round): string {
  return [
    `**Task:** ${inline(loop.task.title)}`,
    `**Reviewer:** ${inline(round.proof.agent)} (Fresh Context)`,
    `**Date:** ${round.at.slice(0, 16).replace('T', ' ')}`,
    `**Branch:** ${inline(loop.branch)}`,
    `**Base:** ${inline(loop.base.ref)}`,
    `**Head:** ${round.head.commit}`,
  ].join('\n');
}

function intentText(round: Round): string | null {
  const { interpretedIntent, intentSatisfied } = round.reading;
  const satisfied = intentSatisfied === null ? null : intentSatisfied ? 'Satisfied: yes' : 'Satisfied: no';
  return interpretedIntent === null && satisfied === null
    ? null
    : [interpretedIntent, satisfied].filter((part) => part !== null).join('\n\n');
}

function findingSection(heading: string, findings: readonly Finding[], numberedBefore: number): string {
  const items = findings.map((finding, index) => item(finding, numberedBefore + index + 1));
  return `## ${heading}\n\n${items.length === 0 ? 'None.' : items.join('\n\n')}`;
}

function item(finding: Finding, number: number): string {
  const category = finding.category.charAt(0).toUpperCase() + finding.category.slice(1);
  const indent = ' '.repeat(`${number}. `.length);
  const field = (label: string, text: string | null): readonly string[] =>
    text === null ? [] : [`${indent}- **${label}:** ${multiLine(text, `${indent}  `)}`];
  return [
    `${number}. **[${category}]:** ${inline(titleOf(finding.description))}`,
    ...field('Id', finding.id),
    ...field('File', placeOf(finding)),
    ...field('Severity', finding.severity),
    ...field('Type', finding.tag === null ? null : oneLine(finding.tag)),
    ...field('Problem', finding.description),
    ...field('Impact', finding.impact),
    ...field('Fix', finding.suggestion),
    ...field('Read as', finding.flags.length === 0 ? null : finding.flags.join('; ')),
  ].join('\n');
}

function placeOf(finding: Finding): string | null {
  if (finding.file === null) return null;
  const lines = finding.line === null ? '' : `:${finding.line}${finding.lineEnd === null ? '' : `-${finding.lineEnd}`}`;
  return `${shownPath(finding.file)}${lines}`;
}

function summarySection({ critical, important, minor }: FindingGroups, next: string): string {
  return [
    '## Summary\n',
    `- **Total findings:** ${critical.length + important.length + minor.length}`,
    `- **Critical:** ${critical.length}`,
    `- **Important:** ${important.length}`,
    `- **Minor:** ${minor.length}`,
    `- **Recommendation:** ${inline(next)}`,
  ].join('\n');
}

function evidenceSection(round: Round): string {
  const { evidence } = round.reading;
  if (evidence.length === 0) return '## Evidence\n\nUnverified: the reviewer showed no evidence.';
  const entries = evidence.map(({ claim, command, output }) => {
    const cut = output.length > MAX_OUTPUT ? `(cut)\n${output.slice(-MAX_OUTPUT)}` : output;
    return `Claim: ${inline(claim)}\n\n${fenced(noVerdict(withoutControls(`$ ${command}\n${cut}`)), 'text')}`;
  });
  return ['## Evidence', ...entries].join('\n\n');
}

/** How the review came back, and what makes it valid; all of it is in the JSON twin. */
function proofSection({ proof, reading }: Round): string {
  const gates = proof.gates?.map(
    (gate) =>
      `${inline(gate.name)} ${gate.passed ? 'passed' : 'red'}${gate.redBefore ? ' (before the change too)' : ''}${gate.acceptedBy === null ? '' : ` (accepted by ${inline(gate.acceptedBy)})`}`,
  );
  return [
    '## How It Came Back\n',
    `- **Channel:** ${proof.channel}`,
    `- **Confinement:** ${proof.confinement}`,
    `- **Claimed:** ${reading.claim ?? 'nothing'}`,
    `- **Exit state:** ${proof.exitState}`,
    `- **Tripwire:** ${proof.tripwire.before === proof.tripwire.after ? 'untouched' : 'touched'}`,
    `- **Gates:** ${gates === undefined ? 'none asked for' : gates.length === 0 ? 'none' : gates.join(', ')}`,
    `- **Tree:** ${proof.tree}`,
    `- **Diff sha-256:** ${proof.diffSha256}`,
    `- **Prompt sha-256:** ${proof.promptSha256}`,
  ].join('\n');
}

function quotedSection(heading: string, text: string | null): readonly string[] {
  return text === null ? [] : [`## ${heading}\n\n${quoted(harmless(text))}`];
}

/** The beginning of a description; the problem beside it has all of it. */
function titleOf(description: string): string {
  const line = oneLine(description.trim().split('\n')[0] ?? '');
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE).trimEnd()} …` : line;
}

/** The first line stays behind its label, further ones are quoted below it. */
function multiLine(text: string, indent: string): string {
  const [first = '', ...rest] = harmless(text).trim().split('\n');
  return [first, ...rest.map((line) => `${indent}> ${line}`.trimEnd())].join('\n');
}
