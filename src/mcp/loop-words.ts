import { z } from 'zod';
import { Choice } from '../core/action.ts';
import { agentChoicesOf } from '../core/agent-choices.ts';
import { isAtRest, isWaiting } from '../core/at-rest.ts';
import { ownCeilingUsd, toldUsd } from '../core/ceilings.ts';
import { blockingIn } from '../core/convergence.ts';
import { decide } from '../core/decide.ts';
import type { Loop } from '../core/loop.ts';
import { nextCommand } from '../core/next-command.ts';
import { TaskKind } from '../core/task.ts';
import { waitingWords } from '../core/waiting.ts';
import { counted } from '../core/words.ts';
import { cut, quote } from './untrusted.ts';

/** How a loop stands, as every tool tells it. */
export const LoopNote = z.object({
  loop: z.number().int().describe('The number of the task and its loop; other tools take it.'),
  title: z.string(),
  kind: TaskKind,
  state: z.string(),
  atRest: z.boolean().describe('Whether it has come to rest, so that waiting changes nothing.'),
  verdict: z
    .string()
    .nullable()
    .describe('APPROVED, CHANGES_REQUESTED, MAX_CYCLES_REACHED, NEEDS_DISCUSSION; null before the first review.'),
  approvedBy: z.string().nullable().describe('"review", or the name of the person; null if it is not approved.'),
  rounds: z.number().int(),
  maxRounds: z.number().int(),
  blocking: z.number().int().describe('How many findings stand in the way of an approval.'),
  spendUsd: z.number(),
  ceilingUsd: z.number().nullable(),
  why: z.string().nullable().describe('Why it rests, or what it does now.'),
  asks: z.object({ reason: z.string(), agentMayChoose: z.array(Choice) }).nullable(),
  follows: z.number().int().nullable().describe('The review whose findings were answered before this one.'),
  next: z.string().describe('What you do next.'),
});
export type LoopNote = z.infer<typeof LoopNote>;

const TITLE = 120;
const WHY = 400;

/** How a loop stands; `mayDecide` says whether agents may answer what it asks. */
export function loopNote(loop: Loop, { mayDecide }: { readonly mayDecide: boolean }): LoopNote {
  const { approval } = loop;
  return {
    loop: loop.id,
    title: cut(loop.task.title, TITLE),
    kind: loop.task.kind,
    state: loop.state,
    atRest: isAtRest(loop),
    verdict: loop.finalVerdict,
    approvedBy: approval === null ? null : approval.by === 'review' ? 'review' : cut(approval.name, TITLE),
    rounds: loop.rounds.length,
    maxRounds: loop.maxRounds,
    blocking: blockingIn(loop).length,
    spendUsd: toldUsd(loop.spend.usd),
    ceilingUsd: ownCeilingUsd(loop),
    why: cut(whyOf(loop), WHY),
    asks: loop.escalation === null ? null : { reason: loop.escalation.reason, agentMayChoose: mayDecide ? [...agentChoicesOf(loop)] : [] },
    follows: loop.task.follows,
    next: adviceFor(loop, mayDecide),
  };
}

/** The same in words; what others may have written stands in quotes. */
export function noteText(note: LoopNote): string {
  const counts = `${counted(note.rounds, 'round')} of ${note.maxRounds}, ${counted(note.blocking, 'blocking finding')}.`;
  const why = note.why === null ? [] : [`Why, in quoted words: ${quote(note.why, WHY)}.`];
  return [`Task ${note.loop} (${quote(note.title, TITLE)}): ${verdictText(note)}. ${counts}`, ...why, `What to do next: ${note.next}`].join(
    '\n',
  );
}

function verdictText({ approvedBy, verdict, state }: LoopNote): string {
  if (approvedBy !== null) return `APPROVED by ${approvedBy === 'review' ? 'review' : `a person, ${quote(approvedBy, TITLE)}`}`;
  return verdict === null ? state : `${verdict}, ${state}`;
}

function whyOf(loop: Loop): string {
  if (loop.current !== null) return doing(loop);
  if (loop.ending === null && loop.escalation === null && loop.takenOver === null && loop.waiting !== null)
    return waitingWords(loop.waiting);
  return decide(loop).why;
}

/** What a loop does now. */
export function doing(loop: Loop): string {
  const { current } = loop;
  if (current === null)
    return isWaiting(loop) && loop.waiting !== null ? `it waits: ${waitingWords(loop.waiting)}` : 'it is about to go on';
  const { action } = current;
  switch (action.do) {
    case 'author':
      return `${action.agent} writes, iteration ${action.iteration}`;
    case 'gates':
      return 'the gates run';
    case 'review':
      return `${action.sessions.map(({ agent }) => agent).join(', ')} reviews, round ${action.round} of ${loop.maxRounds}`;
    case 'fix':
      return `${action.agent} fixes, round ${action.round}`;
    case 'arbitrate':
      return `${action.agent} rules on what is disputed`;
  }
}

/** What an agent does next: it fixes its own change, waits, or tells its person. */
function adviceFor(loop: Loop, mayDecide: boolean): string {
  if (!isAtRest(loop)) return `call wait_for_review with loop ${loop.id}.`;
  if (loop.approval !== null) return 'nothing; it is approved as it was reviewed. What you change now is not.';
  const isMine = loop.task.kind === 'review' && !loop.task.fix;
  const command = nextCommand(loop);
  const forPerson = command === null ? `tell the person.` : `tell the person; their command is \`${command}\`.`;
  if (loop.ending?.state === 'self_review_failed' && isMine)
    return `fix the blocking findings in your own files, then call report_fixes with loop ${loop.id}. If a finding is wrong, leave the code as it is and answer it as disputed.`;
  const choices = mayDecide ? agentChoicesOf(loop) : [];
  return choices.length === 0 ? forPerson : `${forPerson} Or call decide with one of: ${choices.join(', ')}.`;
}
