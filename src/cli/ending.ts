import type { Loop } from '../core/loop.ts';
import { choicesOf, choiceText } from '../core/choices.ts';
import { wantsWork } from '../core/decide.ts';
import { spendText } from '../core/money.ts';
import { nextCommand } from '../core/next-command.ts';
import { waitingWords } from '../core/waiting.ts';
import { writeEscalationBlock } from '../core/writers/escalation-block.ts';
import type { Io } from './command.ts';
import { clean, oneLine, paint } from './print.ts';

/** What has to be known beside a loop to tell how it stands. */
export type Known = {
  readonly document: string | null;
  /** A living process drives it. */
  readonly driven: boolean;
  /** What it asks is asked right below, so that nobody has to be told how to answer. */
  readonly asked?: boolean;
};

/** How a loop stands, for people: its question or one line on what, then where things are and what to type. */
export function printEnding(loop: Loop, known: Known, io: Io): void {
  if (isOpenQuestion(loop)) printQuestion(loop, known, io);
  else io.out(endingLine(loop, known.driven, io));
  printRows(loop, known, io);
}

/** What a loop asks, as seed 003 has it. */
export function printQuestion(loop: Loop, { document, asked = false }: Pick<Known, 'document' | 'asked'>, io: Io): void {
  const choices = asked ? null : choicesOf(loop).map((key) => ({ key, text: choiceText(loop, key) }));
  for (const line of writeEscalationBlock({ loop, document, choices }).split('\n')) io.out(paintFirst(io, line));
}

/** Where things are and what to type, a row each. */
export function printRows(loop: Loop, { document, driven, asked = false }: Known, io: Io): void {
  const rows: (readonly [string, string | null])[] = [
    ['reason', loop.approval?.by === 'person' ? loop.approval.reason : null],
    ['branch', loop.commits.length > 0 || loop.takenOver !== null ? loop.branch : null],
    ['review', loop.escalation === null ? document : null],
    ['gates', loop.gates.results.length > 0 ? gateWords(loop) : null],
    ['spend', loop.spend.usd > 0 || loop.spend.subscriptionUsd > 0 ? spendText(loop) : null],
    ['next', asked ? null : driven && wantsWork(loop) ? `volley log ${loop.id}` : nextCommand(loop)],
  ];
  for (const [name, value] of rows) if (value !== null) io.out(`  ${paint(io, 'dim', name.padEnd(7))} ${clean(value)}`);
}

/** How a loop stands, on one line. */
export function endingLine(loop: Loop, driven: boolean, io: Io): string {
  if (isOpenQuestion(loop)) return paint(io, 'yellow', `⚠ Task #${loop.id} needs you: ${questionWords(loop)}`);
  if (loop.waiting !== null && loop.takenOver === null && loop.ending === null)
    return paint(io, 'yellow', `‖ Task #${loop.id} waits: ${clean(waitingWords(loop.waiting))}`);
  return wantsWork(loop) ? underWayLine(loop, driven, io) : restLine(loop, io);
}

/** Whether a loop was handed to a person who has not answered. */
export function isOpenQuestion({ escalation, takenOver }: Loop): boolean {
  return escalation !== null && takenOver === null;
}

const WHY_WIDTH = 140;

function questionWords({ escalation }: Loop): string {
  return `${escalation?.reason ?? ''}, ${oneLine(escalation?.why ?? '', WHY_WIDTH)}`;
}

/** What came of a review that nobody keeps: nothing can be done with its task any more. */
export function printVerdict(loop: Loop, io: Io): void {
  const why = clean(loop.ending?.why ?? loop.escalation?.why ?? 'interrupted');
  if (loop.state === 'approved') io.out(paint(io, 'green', `✓ APPROVED (${why})`));
  else io.out(paint(io, 'yellow', `✗ ${loop.rounds.length === 0 ? 'no verdict' : 'CHANGES_REQUESTED'} (${why})`));
}

function gateWords(loop: Loop): string {
  const setup = loop.settings.checkout.setup === null ? '; if it needs an installation, set checkout.setup' : '';
  return loop.gates.results
    .map(
      ({ name, passed, redBefore }) =>
        `${name} ${passed ? 'passed' : redBefore ? `RED, as on the base, so it did not block${setup}` : 'RED'}`,
    )
    .join(', ');
}

function underWayLine(loop: Loop, driven: boolean, io: Io): string {
  if (driven) return `→ Task #${loop.id} is ${loop.state}; a process drives it`;
  return paint(io, 'yellow', `‖ Task #${loop.id} is stopped in ${loop.state}; what is done is kept, and nobody drives it now`);
}

function restLine(loop: Loop, io: Io): string {
  const cycles = `${loop.rounds.length} cycle${loop.rounds.length === 1 ? '' : 's'}`;
  const why = clean(loop.ending?.why ?? '');
  switch (loop.state) {
    case 'approved':
      return paint(
        io,
        'green',
        loop.approval?.by === 'person'
          ? `✓ Task #${loop.id} completed (APPROVED by ${clean(loop.approval.name)}, not by a review)`
          : `✓ Task #${loop.id} completed (APPROVED after ${cycles})`,
      );
    case 'self_review_failed':
      return paint(io, 'yellow', `✗ Task #${loop.id}: CHANGES_REQUESTED (${why})`);
    case 'cancelled':
      return `Task #${loop.id} is cancelled (${why})`;
    case 'failed':
      return paint(io, 'red', `✗ Task #${loop.id} failed: ${why}`);
    case 'blocked':
      return paint(
        io,
        'yellow',
        `Task #${loop.id} is yours (${clean(loop.takenOver?.by ?? '')} took it over); commit on its branch, then hand it back`,
      );
    case 'pending_self_review':
    case 'ready_for_human_review':
      return `✓ Task #${loop.id}: ${loop.state} (${why})`;
    case 'queued':
    case 'implementing':
    case 'self_reviewing':
    case 'self_review_passed':
    case 'refining':
    case 'pr_created':
    case 'awaiting_pr_feedback':
    case 'addressing_feedback':
    case 'merged':
    case 'needs_human':
      return `Task #${loop.id} is ${loop.state}`;
  }
}

function paintFirst(io: Io, line: string): string {
  return line.includes('⚠') ? paint(io, 'yellow', line) : line;
}
