import type { Finding } from '../finding.ts';
import type { Loop, MemberReview, Round } from '../loop.ts';
import { fenced, oneLine, quoted, withoutControls } from '../prompts/fence.ts';
import { shownPlace } from '../prompts/sections.ts';
import type { Proof } from '../proof.ts';
import { reviewersOf, summaryOf } from '../round.ts';
import { counted } from '../words.ts';
import { groupFindings, type FindingGroups, taskName } from './finding-groups.ts';
import { harmless, inline, noVerdict } from './harmless.ts';
import { nextStep } from './next-step.ts';
import { peopleSection } from './people-section.ts';

/** What a review document is made of. */
export type DocumentInput = {
  readonly loop: Pick<
    Loop,
    'id' | 'task' | 'branch' | 'base' | 'findings' | 'maxRounds' | 'settings' | 'autoIterate' | 'decisions' | 'comments'
  >;
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
  // What blocks although nobody raised it again is part of the story.
  const told = new Set([...round.findingIds, ...round.blockingIds]);
  const findings = loop.findings.filter((finding) => told.has(finding.id));
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
    ...quotedSection("Reviewer's Words", summaryOf(round)),
    ...round.reviews.map((review) => evidenceSection(review, round.reviews.length > 1)),
    ...panelSection(round),
    ...round.reviews.map((review) => proofSection(review, round.reviews.length > 1)),
    ...peopleSection(loop, round),
    `## Verdict\n\nWhy: ${inline(round.why)}`,
    ...(round.notes.length === 0 ? [] : [round.notes.map((note) => `- ${inline(note)}`).join('\n')]),
    `**Verdict: ${round.verdict.toUpperCase()}**`,
  ].join('\n\n')}\n`;
}

function header(loop: DocumentInput['loop'], round: Round): string {
  return [
    `**Task:** ${inline(loop.task.title)}`,
    `**Reviewer:** ${reviewersOf(round).map(inline).join(', ')} (Fresh Context)`,
    `**Date:** ${round.at.slice(0, 16).replace('T', ' ')}`,
    `**Branch:** ${inline(loop.branch)}`,
    `**Base:** ${inline(loop.base.ref)}`,
    `**Head:** ${round.head.commit}`,
  ].join('\n');
}

function intentText({ reviews }: Round): string | null {
  const said = reviews.flatMap(({ agent, reading: { interpretedIntent, intentSatisfied } }) => {
    const satisfied = intentSatisfied === null ? null : `Satisfied: ${intentSatisfied ? 'yes' : 'no'}`;
    const parts = [interpretedIntent, satisfied].filter((part) => part !== null);
    return parts.length === 0 ? [] : [reviews.length === 1 ? parts.join('\n\n') : `${agent}: ${parts.join('\n\n')}`];
  });
  return said.length === 0 ? null : said.join('\n\n');
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
    ...field('File', shownPlace(finding)),
    ...field('Severity', finding.severity),
    ...field('Type', finding.tag === null ? null : oneLine(finding.tag)),
    ...field('Problem', finding.description),
    ...field('Impact', finding.impact),
    ...field('Fix', finding.suggestion),
    ...field('Raised by', finding.raisedBy.length > 1 ? finding.raisedBy.map(oneLine).join(', ') : null),
    ...field('Also put as', finding.also.length === 0 || finding.raisedBy.length < 2 ? null : finding.also.map(oneLine).join(' / ')),
    ...field('Status', statusText(finding)),
    ...field('Read as', finding.flags.length === 0 ? null : finding.flags.join('; ')),
  ].join('\n');
}

/** What became of a finding that is not simply new. */
function statusText(finding: Finding): string | null {
  const since = finding.firstRound === finding.lastRound ? '' : `, first raised in round ${finding.firstRound}`;
  const ruled = finding.ruling === null ? '' : `, ${finding.ruling.ruling} by ${finding.ruling.by}`;
  const place = finding.anchor === 'moved' || finding.anchor === 'outdated' ? `, its lines are ${finding.anchor}` : '';
  if (finding.status === 'open' && finding.provenance === 'original') return null;
  return oneLine(`${finding.status} (${finding.provenance})${since}${place}${ruled}`);
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

function evidenceSection({ agent, reading }: MemberReview, withName: boolean): string {
  const heading = withName ? `## Evidence of ${inline(agent)}` : '## Evidence';
  if (reading.evidence.length === 0) return `${heading}\n\nUnverified: the reviewer showed no evidence.`;
  const entries = reading.evidence.map(({ claim, command, output }) => {
    const cut = output.length > MAX_OUTPUT ? `(cut)\n${output.slice(-MAX_OUTPUT)}` : output;
    return `Claim: ${inline(claim)}\n\n${fenced(noVerdict(withoutControls(`$ ${command}\n${cut}`)), 'text')}`;
  });
  return [heading, ...entries].join('\n\n');
}

/** Who sat on the panel and what came of each seat; one reviewer alone needs no table. */
function panelSection({ reviews, lost, without }: Round): readonly string[] {
  if (reviews.length + lost.length + without.length < 2) return [];
  const seat = (member: string, agent: string): string => (member === agent ? inline(member) : `${inline(agent)} (for ${inline(member)})`);
  const lines = [
    ...reviews.map(
      ({ member, agent, stance, findingIds }) => `- ${seat(member, agent)}: ${STANCE[stance]}, ${counted(findingIds.length, 'finding')}`,
    ),
    ...lost.map(
      ({ member, attempts }) => `- ${inline(member)}: no answer that counts (${inline(attempts.at(-1)?.detail ?? 'nobody took its seat')})`,
    ),
    ...without.map((member) => `- ${inline(member)}: a person went on without it`),
  ];
  return [`## Panel\n\n${lines.join('\n')}`];
}

const STANCE = {
  approved: 'nothing of its own blocks',
  changes_requested: 'asks for changes',
  needs_discussion: 'asks for a discussion',
} as const;

/** How a review came back, and what makes it valid; all of it is in the JSON twin. */
function proofSection({ agent, proof, reading }: MemberReview, withName: boolean): string {
  const gates = proof.gates?.map(
    (gate) =>
      `${inline(gate.name)} ${gate.passed ? 'passed' : 'red'}${gate.redBefore ? ' (before the change too)' : ''}${gate.acceptedBy === null ? '' : ` (accepted by ${inline(gate.acceptedBy)})`}`,
  );
  const named = proof.filesNamed.length === 0 ? '' : `, ${counted(proof.filesNamed.length, 'file')} without text by name`;
  return [
    `## How It Came Back${withName ? ` from ${inline(agent)}` : ''}\n`,
    `- **Agent:** ${inline([proof.agent, proof.agentVersion, proof.model].filter((part) => part !== null).join(' '))}${proof.sameVendor === true ? ' (the same vendor as the author or fixer)' : ''}`,
    `- **Channel:** ${proof.channel}${proof.witness === null ? '' : ` (${proof.witness})`}`,
    `- **Confinement:** ${proof.confinement}${proof.network === null ? '' : `, network ${proof.network}`}`,
    `- **Claimed:** ${reading.claim ?? 'nothing'}`,
    `- **Exit state:** ${proof.exitState}`,
    `- **Tripwire:** ${proof.tripwire.before === proof.tripwire.after ? 'untouched' : 'touched'}`,
    `- **Delivered:** ${counted(proof.filesDelivered.length, 'file')} whole${named}`,
    `- **Cost:** ${costText(proof)}`,
    `- **Gates:** ${gates === undefined ? 'none asked for' : gates.length === 0 ? 'none' : gates.join(', ')}`,
    `- **Tree:** ${proof.tree}`,
    `- **Diff sha-256:** ${proof.diffSha256}`,
    `- **Prompt sha-256:** ${proof.promptSha256}`,
  ].join('\n');
}

function costText({ costUsd, costBasis, tokens }: Proof): string {
  const used = tokens === null ? '' : `, ${tokens.input} tokens in, ${tokens.output} out`;
  if (costBasis === 'free') return `none${used}`;
  return costUsd === null ? `not known${used}` : `$${costUsd.toFixed(4)} (${costBasis ?? 'reported'})${used}`;
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
