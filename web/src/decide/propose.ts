import { create } from 'zustand';
import { ApiError } from '../../../src/api/contract/client.ts';
import { useConnection } from '../api/live.ts';
import { forgetLoop } from '../api/queries.ts';
import { remedyForPeople } from '../api/remedy.ts';
import { refresh, useLoops } from '../board/loops.ts';
import { rememberFocus } from '../ui/focus.ts';
import { refused, toast } from '../ui/toast.tsx';
import { isAskedAbout, perform } from './deed.ts';
import type { Deed, Said } from './deed.ts';
import { markSent, releaseSent } from './sent.ts';
import { stillAsked } from './still-asked.ts';
import { doneWords } from './words.ts';

/** Something that a person wants to be done to a loop. */
export type Proposal = {
  readonly loop: number;
  /** The loop as it was looked at. */
  readonly seq?: number;
  readonly label: string;
  /** What it does, in words. */
  readonly does: string;
  readonly deed: Deed;
  /** A ceiling that would let it go on. */
  readonly raiseToUsd?: number | null;
};

/** What is being asked in a dialog: about one thing, or which of several. */
type Asked = { readonly proposals: readonly Proposal[]; readonly title?: string };

/** The question that is open, if there is one. */
export const useAsked = create<{ readonly asked: Asked | null }>(() => ({ asked: null }));

/** Does what a person wants; what cannot be undone, or needs more words, is asked about first. */
export function propose(proposal: Proposal): void {
  // Dots on a button promise a question, whatever this page knows of the deed.
  if (isAskedAbout(proposal.deed) || proposal.label.endsWith('…')) open({ proposals: [proposal] });
  else void carryOutAtOnce(proposal);
}

async function carryOutAtOnce(proposal: Proposal): Promise<void> {
  if ((await carryOut(proposal, {})) !== 'moved-on') return;
  toast({ kind: 'refused', text: `#${proposal.loop} moved on since you looked at it. Nothing changed: see what it asks now.` });
}

/** Asks which of several things is meant; of one, there is no question. */
export function proposeOneOf(proposals: readonly Proposal[], title: string): void {
  const [only] = proposals;
  if (only !== undefined && proposals.length === 1) propose(only);
  else if (only !== undefined) open({ proposals, title });
}

function open(asked: Asked): void {
  rememberFocus();
  useAsked.setState({ asked });
}

/** Leaves what is asked unanswered. */
export function dismiss(): void {
  useAsked.setState({ asked: null });
}

/** Leaves what is asked where it is about this; whoever is asked about something else by now is not disturbed. */
export function dismissDone(proposal: Proposal): void {
  useAsked.setState(({ asked }) => ({ asked: stillAsked(asked, proposal) }));
}

/** What came of something that was to be done; a loop that moved on took nothing of it. */
type Outcome = 'done' | 'moved-on' | 'refused';

/** Does it and tells; what was refused says so, and that nothing changed. That a loop moved on is left to whoever asked to tell. */
export async function carryOut(proposal: Proposal, said: Said): Promise<Outcome> {
  const { loop, seq, deed, label } = proposal;
  if (useConnection.getState().state === 'offline') {
    refused(new Error('Not connected: an old decision could answer a newer question. Nothing changed.'));
    return 'refused';
  }
  markSent(loop, useLoops.getState().loops.get(loop));
  let decided = false;
  try {
    const told = await perform(deed, { loop, said, ...(seq === undefined ? {} : { seq }) });
    toast({ kind: 'done', text: told ?? doneWords(label, loop) });
    decided = true;
    return 'done';
  } catch (error) {
    if (isMovedOn(error, deed)) return 'moved-on';
    refused(
      error instanceof ApiError && error.status !== 0
        ? new Error(`Refused: ${error.message} Nothing changed. ${remedyForPeople(error.remedy) ?? ''}`.trim())
        : error,
    );
    return 'refused';
  } finally {
    releaseSent(loop, decided);
    // Whoever was refused looks at something old.
    void forgetLoop(loop);
    void refresh([loop]).catch(() => undefined);
  }
}

/** Only these are said about a loop as somebody saw it. */
function isMovedOn(error: unknown, { kind }: Deed): boolean {
  return error instanceof ApiError && error.code === 'conflict' && (kind === 'choice' || kind === 'override');
}

/** Goes on with what is asked, about the loop as it is now. */
export function goOnWith(proposal: Proposal): void {
  useAsked.setState({ asked: { proposals: [proposal] } });
}
