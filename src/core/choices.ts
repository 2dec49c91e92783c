import type { Choice, EscalationReason } from './action.ts';
import { tightest } from './ceilings.ts';
import { isClosed } from './finding.ts';
import type { Loop } from './loop.ts';
import { countedMembers } from './panel.ts';
import { hardTotal } from './policy.ts';
import type { CeilingOf } from './policy.ts';

const SPECIAL: Record<EscalationReason, readonly Choice[]> = {
  tampered: ['reassign', 'continue-without'],
  ceiling: ['raise-ceiling'],
  'needs-discussion': ['answer'],
  disputed: ['uphold', 'refute'],
  oscillating: ['one-more-round', 'reassign'],
  'stuck-finding': ['one-more-round', 'reassign'],
  'no-progress': ['one-more-round', 'reassign'],
  'gates-red': ['retry', 'review-anyway'],
  'no-verdict': ['retry', 'reassign', 'continue-without'],
  'max-rounds': ['one-more-round'],
  'agent-failed': ['continue', 'reassign'],
  'timed-out': ['continue', 'reassign'],
  'not-complete': ['continue', 'reassign'],
  'branch-moved': ['continue'],
  'checkout-missing': ['continue'],
  dependency: ['continue-without', 'retry'],
  forge: ['retry'],
};

/** What a person may answer now, in the order in which it is offered. */
export function choicesOf(loop: Loop): readonly Choice[] {
  if (loop.escalation !== null && loop.takenOver === null) {
    const special = specialOf(loop, loop.escalation.reason).filter((choice) => isPossible(loop, choice));
    return ['fix-manually', ...(hasChange(withPush(loop)) ? (['accept'] as const) : []), ...special, 'cancel'];
  }
  if (loop.ending?.state === 'self_review_failed') {
    const refine = mayAddRound(loop) && loop.roles.fixer !== null ? (['refine'] as const) : [];
    return [...refine, 'accept', 'cancel'];
  }
  return [];
}

/** What the fixer cannot do itself, another one may; and another day has money of its own. */
function specialOf(loop: Loop, reason: EscalationReason): readonly Choice[] {
  if (reason === 'ceiling' && tightest(loop)?.of === 'day') return [...SPECIAL[reason], 'retry'];
  const leaves = loop.findings.some((one) => !isClosed(one) && one.resolution?.status === 'needs_person');
  const wantsFixer = leaves && (reason === 'needs-discussion' || reason === 'gates-red');
  return wantsFixer ? [...SPECIAL[reason], 'reassign'] : SPECIAL[reason];
}

/** What was not fit to be committed cannot be reviewed either. */
function isPossible(loop: Loop, choice: Choice): boolean {
  if (choice === 'one-more-round') return mayAddRound(loop);
  if (choice === 'reassign') return mayAddRound(loop) || !ordersFix(loop);
  // Answers are about the code that was reviewed.
  if (choice === 'continue-without') return loop.escalation?.reason === 'dependency' || (countedAnswers(loop) > 0 && loop.pushed === null);
  return choice !== 'review-anyway' || loop.withheld === null;
}

/** Whether work for another agent means a fix, and so a round for its review. */
function ordersFix({ escalation }: Loop): boolean {
  const reason = escalation?.reason;
  return (
    reason === 'oscillating' ||
    reason === 'stuck-finding' ||
    reason === 'no-progress' ||
    reason === 'needs-discussion' ||
    reason === 'gates-red'
  );
}

/** The newest commit of a loop's work: what somebody committed on its branch meanwhile is part of it. */
export function currentHead({ head, pushed }: Pick<Loop, 'head' | 'pushed'>): Loop['head'] {
  return pushed?.descends === true ? pushed.head : head;
}

/** The loop as a decision would find it: with what somebody committed meanwhile. */
function withPush(loop: Loop): Loop {
  return { ...loop, head: currentHead(loop) };
}

/** Without an answer that the quorum counts there is nothing to go on with. */
function countedAnswers(loop: Loop): number {
  const members = countedMembers(loop);
  return loop.seats.filter(({ member, answer }) => answer !== null && members.includes(member)).length;
}

/** Whether the loop holds anything that could be accepted. */
export function hasChange(loop: Loop): boolean {
  return loop.head !== null && loop.head.tree !== loop.base.mergeBaseTree;
}

/** Whether one more round may still be ordered: below the hard total, whoever asks. */
export function mayAddRound(loop: Loop): boolean {
  return loop.rounds.length - loop.grantedRounds < hardTotal(loop.settings.policy);
}

const A = 'a'.charCodeAt(0);

/** The letter by which a choice is called where they are listed. */
export function choiceLetter(index: number): string {
  return String.fromCharCode(A + index);
}

/** Which of the listed choices a letter calls; null if it is none. */
export function indexOfLetter(text: string): number | null {
  return /^[a-z]$/.test(text) ? text.charCodeAt(0) - A : null;
}

/** The choice that a person names, by its name or by its letter where they are listed; null if the loop does not offer it. */
export function choiceNamed(loop: Loop, named: string): Choice | null {
  const offered = choicesOf(loop);
  const index = indexOfLetter(named);
  return (index === null ? offered.find((choice) => choice === named) : offered[index]) ?? null;
}

/** What a decision has to name beside its choice. */
export type ChoiceNeed = 'agent' | 'reason' | 'ceilingUsd';

const NEEDS: Partial<Record<Choice, ChoiceNeed>> = { reassign: 'agent', answer: 'reason', 'raise-ceiling': 'ceilingUsd' };

/** What a choice cannot do without. */
export function choiceNeeds(choice: Choice): ChoiceNeed | null {
  return NEEDS[choice] ?? null;
}

/** What a choice does, where nobody types options. */
export function choiceWords(loop: Loop, choice: Choice): string {
  return choiceText(loop, choice).replace(/ \(--[^)]*\)/, '');
}

/** What a choice does for this loop, in words for people. */
export function choiceText(loop: Loop, choice: Choice): string {
  if (choice === 'retry' && loop.escalation?.reason === 'ceiling') return 'Try again, for example on another day';
  if (choice === 'raise-ceiling') return RAISE_TEXT[tightest(loop)?.of ?? 'loop'];
  if (choice === 'continue-without' && loop.escalation?.reason === 'dependency') return 'Start without what it depends on';
  return choice === 'one-more-round' && loop.rounds.length === 0 ? 'Let the agent try again' : CHOICE_TEXT[choice];
}

const RAISE_TEXT: Record<CeilingOf, string> = {
  loop: 'Raise the ceiling (--ceiling N)',
  run: "Raise the run's ceiling (--ceiling N)",
  day: "Raise the day's ceiling for this loop (--ceiling N)",
};

const CHOICE_TEXT: Record<Exclude<Choice, 'raise-ceiling'>, string> = {
  'fix-manually': 'Manual review and fix (pauses the loop; hand it back when you are done)',
  accept: 'Accept the findings and go on (not recommended)',
  cancel: 'Cancel the loop',
  'one-more-round': 'Continue with 1 more review round',
  answer: 'Answer the question (--reason "…"); every role will read it',
  retry: 'Try again',
  reassign: 'Give the work to another agent (--agent NAME)',
  'continue-without': 'Go on without the lost reviewer',
  'review-anyway': 'Review although the gates are red',
  uphold: 'Uphold the disputed findings',
  refute: 'Refute the disputed findings',
  continue: 'Continue from where it stopped',
  refine: 'Let the fixer answer the findings',
};

/** The words of a button; they end in dots where something has to be named or confirmed. */
export function choiceLabel(loop: Loop, choice: Choice): string {
  if (choice === 'continue-without' && loop.escalation?.reason === 'dependency') return 'Start without it';
  return choice === 'one-more-round' && loop.rounds.length === 0 ? 'Try again' : CHOICE_LABEL[choice];
}

const CHOICE_LABEL: Record<Choice, string> = {
  'fix-manually': 'Fix myself',
  accept: 'Accept…',
  cancel: 'Cancel',
  'one-more-round': 'One more round',
  answer: 'Answer…',
  retry: 'Try again',
  reassign: 'Reassign…',
  'continue-without': 'Go on without',
  'review-anyway': 'Review anyway',
  uphold: 'Uphold',
  refute: 'Refute…',
  'raise-ceiling': 'Raise the ceiling…',
  continue: 'Continue',
  refine: 'Let the fixer answer',
};
