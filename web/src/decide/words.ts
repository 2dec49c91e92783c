import { counted } from '../../../src/core/words.ts';
import type { Deed } from './deed.ts';
import { deedName } from './deed.ts';

/** What a dialog asks before something is done, and the words of its two buttons. */
export type Asking = {
  readonly title: string;
  readonly lead: string;
  readonly act: string;
  readonly keep: string;
  /** What stands above the field for words; null where none are asked for. */
  readonly reason: string | null;
};

/** The words of the dialog before a deed. */
export function askingOf(deed: Deed, { blocking }: { readonly blocking: number }): Asking {
  const name = deedName(deed);
  const asking = ASKING[name] ?? OTHER;
  if (!passesBlocking(deed) || blocking === 0) return asking;
  return { ...asking, title: `${name === 'land' ? 'Land' : 'Accept'} with ${counted(blocking, 'blocking finding')}?` };
}

/** Whether a deed lets work pass with what still blocks it, which has to be seen then. */
export function passesBlocking(deed: Deed): boolean {
  return deedName(deed) === 'accept' || deedName(deed) === 'land';
}

const ASKING: Readonly<Partial<Record<ReturnType<typeof deedName>, Asking>>> = {
  accept: {
    title: 'Accept it as it is?',
    lead: 'The loop ends as approved by you, not by a reviewer. Your name and reason go into the journal.',
    act: 'Accept',
    keep: 'Keep it open',
    reason: 'Reason',
  },
  refute: {
    title: 'Refute the disputed findings?',
    lead: 'They no longer count, and are remembered as wrong. Where nothing else blocks, the loop is approved by that.',
    act: 'Refute them',
    keep: 'Keep them',
    reason: 'Reason',
  },
  cancel: {
    title: 'Cancel this loop?',
    lead: 'It ends here and is not taken up again. Its branch, its commits and its journal stay.',
    act: 'Cancel the loop',
    keep: 'Keep it',
    reason: 'Reason',
  },
  skip: {
    title: 'Skip the review?',
    lead: 'No reviewer looks at it any more. The change goes on, and says that it was not reviewed.',
    act: 'Skip the review',
    keep: 'Keep reviewing',
    reason: 'Reason',
  },
  ready: {
    title: 'Mark it as ready?',
    lead: 'The change goes to a person as it is, with what is still open in it.',
    act: 'Mark ready',
    keep: 'Keep it going',
    reason: 'Reason',
  },
  land: {
    title: 'Land this work?',
    lead: 'Its commits come to your branch, all of them or none. What you have not committed is never overwritten.',
    act: 'Land it',
    keep: 'Not now',
    reason: null,
  },
  answer: {
    title: 'Answer',
    lead: 'Author, fixer and reviewers read it, and the loop goes on.',
    act: 'Send the answer',
    keep: 'Not now',
    reason: 'Your answer',
  },
  reassign: {
    title: 'Who should go on?',
    lead: 'The work goes to another agent of this loop.',
    act: 'Reassign',
    keep: 'Not now',
    reason: null,
  },
  'raise-ceiling': {
    title: 'Raise the ceiling',
    lead: 'The loop goes on until it has spent that much.',
    act: 'Raise it',
    keep: 'Not now',
    reason: null,
  },
};

const OTHER: Asking = { title: 'Do this now?', lead: '', act: 'Do it', keep: 'Not now', reason: 'Reason' };

/** What is told once something was done. */
export function doneWords(label: string, loop: number): string {
  return `${label.replace(/…$/, '')}: #${loop}`;
}
