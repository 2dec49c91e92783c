import type { Choice, EscalationReason } from '../action.ts';
import { choiceLetter } from '../choices.ts';
import type { Loop } from '../loop.ts';
import { oneLine, withoutControls } from '../prompts/fence.ts';
import { troubleWords } from '../convergence.ts';
import { isClosed } from '../finding.ts';
import { groupFindings, taskName } from './finding-groups.ts';

/** What the block that hands a loop to a person is made of. */
export type EscalationInput = {
  readonly loop: Pick<Loop, 'id' | 'task' | 'findings' | 'rounds' | 'escalation'>;
  /** What the person may answer, in the order of the letters; null where that is asked right below the block. */
  readonly choices: readonly { readonly key: Choice; readonly text: string }[] | null;
  /** The path of the last review document, null without one. */
  readonly document: string | null;
};

/** The end of the first line, and the sentence below it, for each reason. */
const WORDS: Readonly<Record<EscalationReason, { readonly title: string; readonly sentence: (rounds: string) => string }>> = {
  tampered: {
    title: 'Review Tampered With',
    sentence: () => 'The reviewer changed what it was given to read, so its review counts for nothing.',
  },
  ceiling: { title: 'Paused at Its Ceiling', sentence: () => 'The money that it may spend is used up.' },
  'needs-discussion': { title: 'Needs Discussion', sentence: () => 'There is a question that needs a decision of yours.' },
  disputed: { title: 'Disputed', sentence: () => 'The fixer disputes a finding, and only a person can settle it.' },
  oscillating: { title: 'Review Oscillating', sentence: (rounds) => `After ${rounds}, the change is back where it was before.` },
  'stuck-finding': { title: 'Review Stuck', sentence: (rounds) => `After ${rounds}, the same finding has survived two fixes.` },
  'no-progress': { title: 'Makes No Progress', sentence: () => 'The loop does not get on.' },
  'gates-red': { title: 'Gates Red', sentence: () => 'The gates are still red after all the attempts to mend them.' },
  'no-verdict': { title: 'Review Without Verdict', sentence: () => 'There is no answer that counts, or too few of them.' },
  'max-rounds': { title: 'Review Blocked', sentence: (rounds) => `After ${rounds}, issues remain:` },
  'agent-failed': { title: 'Agent Failed', sentence: () => 'The agent ended badly, and so did the second try.' },
  'timed-out': { title: 'Timed Out', sentence: () => 'The agent ran out of time, and so did the second try.' },
  'not-complete': { title: 'Not Complete', sentence: () => 'The author used all its iterations and says that the task is not complete.' },
  'branch-moved': {
    title: 'Branch Moved',
    sentence: () => 'Somebody moved the branch of this loop to a commit that does not follow from ours.',
  },
  'checkout-missing': { title: 'Checkout Missing', sentence: () => 'The checkout of this loop could not be made ready.' },
  dependency: { title: 'Dependency Missing', sentence: () => 'A task that this one depends on did not end well.' },
  forge: { title: 'Forge Refused', sentence: () => 'The forge did not do what was asked of it.' },
};

/** Seed 003's escalation block: what happened, what is open, where it is written down, and the choices. */
export function writeEscalationBlock({ loop, choices, document }: EscalationInput): string {
  const reason = loop.escalation?.reason ?? 'max-rounds';
  const count = loop.rounds.length;
  const { title, sentence } = WORDS[reason];
  const why = oneLine(
    reason === 'max-rounds' ? troubleWords(loop.findings.filter((finding) => !isClosed(finding))) : (loop.escalation?.why ?? ''),
  );
  const open = counts(loop, reason);
  return [
    `⚠️ ${oneLine(taskName(loop.task, loop.id))} ${title}`,
    [sentence(`${count} review round${count === 1 ? '' : 's'}`), ...(reason === 'max-rounds' ? open : [])].join('\n'),
    ...(why === '' ? [] : [why]),
    ...redGates(loop),
    ...versions(loop),
    ...(reason === 'max-rounds' || open.length === 0 ? [] : [['Open findings:', ...open].join('\n')]),
    ...(document === null ? [] : [`Findings document: ${document}`]),
    ...(choices === null ? [] : [options(choices), `Your choice: volley decide ${loop.id} CHOICE`]),
  ].join('\n\n');
}

function options(choices: NonNullable<EscalationInput['choices']>): string {
  return ['Options:', ...choices.map(({ key, text }, index) => `${choiceLetter(index)}) ${text} [${key}]`)].join('\n');
}

/** The red gates with the last thing that each printed. */
function redGates(loop: EscalationInput['loop']): readonly string[] {
  const red = loop.findings.filter((finding) => finding.source === 'gate' && !isClosed(finding));
  if (red.length === 0) return [];
  const lines = red.map((finding) =>
    `- ${finding.id} ${oneLine(finding.description)} ${oneLine(finding.impact?.split('\n').at(-1) ?? '')}`.trimEnd(),
  );
  return [['Red gates:', ...lines].join('\n')];
}

const MAX_VERSION_LINES = 24;

/** What the loop swings between. */
function versions({ escalation }: EscalationInput['loop']): readonly string[] {
  if (escalation?.versions === undefined || escalation.versions === null) return [];
  const { one, other, patch } = escalation.versions;
  const lines = withoutControls(patch).trimEnd().split('\n');
  const named = (version: { readonly round: number; readonly commit: string }): string =>
    `round ${version.round} (${version.commit.slice(0, 8)})`;
  const shown = lines.slice(0, MAX_VERSION_LINES).map((line) => `  ${line}`);
  const more = lines.length > MAX_VERSION_LINES ? [`  … ${lines.length - MAX_VERSION_LINES} more lines`] : [];
  return [[`The two versions, ${named(one)} and ${named(other)}, differ so:`, ...shown, ...more].join('\n')];
}

/** What the last review left open; nothing where there was no review, or nothing is open. */
function counts(loop: EscalationInput['loop'], reason: EscalationReason): readonly string[] {
  const last = loop.rounds.at(-1);
  const open = loop.findings.filter((finding) => !isClosed(finding));
  if (last === undefined || (open.length === 0 && reason !== 'max-rounds')) return [];
  const { critical, important, minor } = groupFindings(open, last.blockingIds);
  return [`- Critical: ${critical.length}`, `- Important: ${important.length}`, `- Minor: ${minor.length}`];
}
