import type { EscalationReason } from './action.ts';
import { ASKS } from './asks.ts';
import { dollars, tightest } from './ceilings.ts';
import { choicesOf, hasChange, mayAddRound } from './choices.ts';
import { blockingIn, isStuck, oscillates, swingingRounds } from './convergence.ts';
import { openDisputes } from './disputes.ts';
import { isRed } from './event.ts';
import type { Loop } from './loop.ts';
import { loopNeedsYou } from './loop-needs-you.ts';
import { lostSeats, seatsOf } from './panel.ts';
import { summaryOf } from './round.ts';
import { countedWords, sentence, someOf } from './words.ts';

/** What a person is asked: why, in two or three words, and as a question. */
export type Question = { readonly asks: string; readonly question: string };

/** What a loop asks a person now; null where it asks nothing. */
export function questionOf(loop: Loop): Question | null {
  if (loop.takenOver !== null) return { asks: 'Taken over', question: `${loop.takenOver.by} works on it. Hand it back when it is done?` };
  if (loop.escalation !== null) {
    const { reason } = loop.escalation;
    return { asks: ASKS[reason], question: askedFor(loop, reason) };
  }
  if (choicesOf(loop).length > 0) return { asks: 'Changes requested', question: afterReview(loop) };
  return loopNeedsYou(loop) ? atRest(loop) : null;
}

function askedFor(loop: Loop, reason: EscalationReason): string {
  switch (reason) {
    case 'tampered':
      return `${someOf(loop.tampered) || 'A reviewer'} changed what it was given to read. Who reviews instead?`;
    case 'ceiling':
      return `${moneyUsed(loop)} Let it finish ${workLeft(loop)}?`;
    case 'needs-discussion':
      return discussed(loop);
    case 'disputed':
      return `${sentence(`the fixer disputes ${countedWords(disputeCount(loop), 'finding')}`)} Who is right?`;
    case 'oscillating':
      return `${swing(loop)} ${roundOrYours(loop)}`;
    case 'stuck-finding':
      return `${stuckWords(loop)} ${roundOrYours(loop)}`;
    case 'no-progress':
      return idleWords(loop);
    case 'gates-red':
      return redWords(loop);
    case 'no-verdict':
      return `${lostWords(loop)} in round ${loop.rounds.length + 1}. Try again, or ask another agent?`;
    case 'max-rounds':
      return maxRounds(loop);
    case 'agent-failed':
      return `${worker(loop)} failed. Let it try again, or ask another agent?`;
    case 'timed-out':
      return `${worker(loop)} ran out of time. Let it continue, or ask another agent?`;
    case 'not-complete':
      return `${worker(loop)} is not done after ${countedWords(loop.author.iterations, 'iteration')}. Let it continue?`;
    case 'branch-moved':
      return `Somebody moved the branch${loop.pushed?.descends === false ? ' to other work' : ''}. Go on from what is there now?`;
    case 'checkout-missing':
      return 'Its checkout could not be made ready. Try again, or yours?';
    case 'dependency':
      return `${sentence(loop.escalation?.why ?? 'what it depends on will not be done')} Start without it, or wait for it again?`;
    case 'forge':
      return 'The forge does not answer. Try again?';
  }
}

function moneyUsed(loop: Loop): string {
  const ceiling = tightest(loop);
  if (loop.overBudget !== null && (ceiling === null || ceiling.leftUsd > 0)) return 'A session has used all that it was allowed.';
  const limit = dollars(ceiling?.limitUsd ?? loop.spend.usd);
  if (ceiling?.of === 'day') return `All loops have used the day’s ${limit}.`;
  return ceiling?.of === 'run' ? `This run has used its ${limit}.` : `This loop has used its ${limit}.`;
}

/** What the next session belongs to. */
function workLeft({ task, author, rounds }: Loop): string {
  if (task.kind === 'implement' && !author.complete) return 'the build';
  const last = rounds.at(-1);
  const isAnswered = last === undefined || last.fix !== null || last.verdict === 'approved';
  return `round ${rounds.length + (isAnswered ? 1 : 0)}`;
}

const QUESTION_CHARS = 160;

/** The words of whoever asks, as a question or with one behind them. */
function discussed(loop: Loop): string {
  const asking = blockingIn(loop).filter(({ resolution }) => resolution?.status === 'needs_person');
  const last = loop.rounds.at(-1);
  const isFixer = asking.length > 0;
  const said = isFixer ? (asking[0]?.resolution?.note ?? '') : ((last === undefined ? null : summaryOf(last)) ?? '');
  const words = firstSentence(said);
  const who = isFixer ? 'The fixer' : 'The reviewer';
  if (words === '') return `${who} does not know how to go on. What is your answer?`;
  return words.endsWith('?') ? `${who} asks: ${words}` : `${who} wants to talk about it: ${sentence(words)} What is your answer?`;
}

function firstSentence(text: string): string {
  const flat = text.trim().replaceAll(/\s+/g, ' ');
  const first = /^.*?[.?!](?= |$)/.exec(flat)?.[0] ?? flat;
  return first.length > QUESTION_CHARS ? `${first.slice(0, QUESTION_CHARS - 1).trimEnd()}…` : first;
}

function disputeCount(loop: Loop): number {
  const { forArbiter, forPerson } = openDisputes(loop);
  return Math.max(1, forArbiter.length + forPerson.length);
}

function swing(loop: Loop): string {
  const back = blockingIn(loop).filter(oscillates).length;
  if (back > 0) return sentence(`${countedWords(back, 'finding')} ${back === 1 ? 'comes' : 'come'} back after every fix`);
  const rounds = swingingRounds(loop);
  return `The code is back where round ${rounds?.one.round ?? 1} had it.`;
}

function stuckWords(loop: Loop): string {
  const stuck = blockingIn(loop).filter(isStuck);
  const fixes = Math.min(...stuck.map(({ survived }) => survived));
  const outlived = Number.isFinite(fixes) ? countedWords(fixes, 'fix', 'fixes') : 'its fixes';
  return sentence(`${countedWords(Math.max(1, stuck.length), 'finding')} ${stuck.length > 1 ? 'have' : 'has'} outlived ${outlived}`);
}

function idleWords(loop: Loop): string {
  if (loop.task.kind === 'implement' && !loop.author.complete && loop.author.idle > 0)
    return `${worker(loop)} changed nothing twice. Another try, or yours?`;
  if (!hasChange(loop)) return 'There is no change to review. Another try, or yours?';
  if (loop.fixer.idle > 1) return `${worker(loop)} changed nothing twice. ${roundOrYours(loop)}`;
  return `The last fix left the code as it was. ${roundOrYours(loop)}`;
}

function redWords(loop: Loop): string {
  if (loop.withheld !== null) return 'The work holds something that must not be committed. Try again, or yours?';
  const red = loop.gates.results.filter(isRed).map(({ name }) => name);
  const what = red.length === 1 ? `the gate ${red[0] ?? ''} is` : `${countedWords(red.length, 'gate')} are`;
  const after = loop.gates.fixes === 0 ? '' : ` after ${countedWords(loop.gates.fixes, 'fix', 'fixes')}`;
  return `${sentence(`${what} ${after === '' ? 'red' : 'still red'}${after}`)} Try again, or review it as it is?`;
}

function lostWords(loop: Loop): string {
  const lost = lostSeats(loop).map(({ member }) => member);
  return lost.length === 0 || (lost.length === seatsOf(loop).length && lost.length > 1)
    ? 'No reviewer gave a verdict'
    : `${someOf(lost)} gave no verdict`;
}

function maxRounds(loop: Loop): string {
  const round = loop.rounds.length;
  const open = blockingIn(loop).length;
  if (open === 0) return `The code changed after round ${round}, and that was the last one. ${roundOrYours(loop)}`;
  return `${sentence(`${countedWords(open, 'finding')} still ${open === 1 ? 'blocks' : 'block'} after round ${round}`)} ${roundOrYours(loop)}`;
}

function roundOrYours(loop: Loop): string {
  return mayAddRound(loop) ? 'One more round, or yours?' : 'No round is left: accept it, or yours?';
}

/** Who was at work when it came to this. */
function worker({ task, author, roles }: Loop): string {
  const isAuthoring = task.kind === 'implement' && !author.complete;
  return (isAuthoring ? roles.author : roles.fixer) ?? (isAuthoring ? 'The author' : 'The fixer');
}

function afterReview(loop: Loop): string {
  const open = blockingIn(loop).length;
  const blocks =
    open === 0
      ? sentence(loop.ending?.why ?? 'changes are asked for')
      : sentence(`${countedWords(open, 'finding')} ${open === 1 ? 'blocks' : 'block'} after round ${loop.rounds.length}`);
  if (!choicesOf(loop).includes('refine')) return `${blocks} Accept it, or yours?`;
  return `${blocks} Let the fixer answer ${open === 1 ? 'it' : 'them'}?`;
}

/** What lands without an approval lands with what was found in it. */
function readyWords(loop: Loop): string {
  const open = blockingIn(loop).length;
  const blocks = open === 0 ? '' : `, and ${countedWords(open, 'finding')} still ${open === 1 ? 'blocks' : 'block'} it`;
  return `It is ready, without an approval by review${blocks}.`;
}

/** What rests without a question of its own, and goes on only when somebody does something. */
function atRest(loop: Loop): Question {
  switch (loop.ending?.state) {
    case 'failed':
      return { asks: 'Failed', question: 'Something broke, and nothing was lost. Try again?' };
    case 'pending_self_review':
      return { asks: 'Not reviewed', question: 'It is built and nobody has reviewed it. Have it reviewed?' };
    case 'ready_for_human_review':
      return { asks: 'Ready for you', question: `${readyWords(loop)} Read it, then land it?` };
    case 'self_review_failed':
    case 'approved':
    case 'cancelled':
    case undefined: {
      const agent = loop.waiting?.agent ?? 'An agent';
      return { asks: 'Logged out', question: `${agent} is logged out. Log it in, then let it go on?` };
    }
  }
}
