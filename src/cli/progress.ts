import { agentsOf } from '../core/action.ts';
import type { Action, ReviewSession } from '../core/action.ts';
import { wantsWork } from '../core/decide.ts';
import type { Event } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { spendText } from '../core/money.ts';
import { eventOutput } from '../core/project-output.ts';
import { summaryOf } from '../core/round.ts';
import { counted } from '../core/words.ts';
import type { Progress } from '../app.ts';
import type { Io } from './command.ts';
import type { Live, LiveLine } from './live.ts';
import { cutTo, lineWidth } from './cut.ts';
import { clean, oneLine, paint } from './print.ts';
import { phaseWord } from './status-lines.ts';

const VERDICT_WORD = { approved: 'APPROVED', changes_requested: 'CHANGES_REQUESTED', needs_discussion: 'NEEDS_DISCUSSION' } as const;

/** How the progress of loops is told. */
export type Telling = {
  /** Loops whose heading stands already; where it is given, each other one gets a heading before its first line. */
  readonly titled?: Set<number>;
  /** Several run at once, so that every line says whose it is. */
  readonly parallel?: boolean;
  /** Whether the line of a verdict is told here. */
  readonly verdicts?: boolean;
};

/** Tells what happens while loops run: lines as seed 004 has them and a live line for each, or events as JSON. */
export function progressPrinter(io: Io, telling: Telling = {}): (progress: Progress) => void {
  const { titled, parallel = false, verdicts = true } = telling;
  return (progress) => {
    if (progress.type === 'activity') {
      io.live?.did(progress.loopId, progress.text);
      return;
    }
    const { before, loop, entry } = progress;
    io.object(eventOutput(loop, entry));
    if (io.live !== undefined) showLive(io.live, loop, entry.event);
    if (!verdicts && entry.event.type === 'reviewed' && loop.rounds.length > (before?.rounds.length ?? 0)) return;
    // What came of an action belongs to the round in which it was started.
    const told = entry.event.type === 'started' ? loop : (before ?? loop);
    const lines = titled !== undefined && entry.event.type === 'woken' ? [] : toldLines(before, loop, entry.event);
    if (lines.length > 0 && titled?.has(loop.id) === false) {
      titled.add(loop.id);
      printHeading(loop, io);
    }
    const whose = parallel ? `#${loop.id} ` : '';
    for (const line of lines) io.out(`  ${whose}${paint(io, 'dim', count(told))} ${paintLine(io, line)}`);
    const last = lastWord(loop, entry.event);
    if (last !== null) io.out(paint(io, 'yellow', last));
  };
}

/** Says which task is driven from here on. */
export function printHeading(loop: Loop, io: Io): void {
  io.out(paint(io, 'bold', cutTo(`Running task #${loop.id}: ${loop.task.title}`, lineWidth(io))));
}

/** Seed 004's sentence for a loop that has used all its rounds. */
function lastWord({ maxRounds }: Loop, event: Event): string | null {
  const isCapped = event.type === 'escalated' && event.reason === 'max-rounds';
  return isCapped ? `Max review cycles (${maxRounds}) reached without approval` : null;
}

/** Whoever stopped a loop or brought it to rest wants to see no more of it. */
function showLive(live: Live, loop: Loop, event: Event): void {
  const line = liveLineOf(loop);
  if (line !== null) live.set(line);
  else if (event.type === 'interrupted' || !wantsWork(loop)) live.drop(loop.id);
}

function liveLineOf(loop: Loop): LiveLine | null {
  if (loop.current === null) return null;
  const { action, startedAt } = loop.current;
  return {
    id: loop.id,
    phase: phaseWord(action.do),
    round: `${Math.min(loop.rounds.length + 1, loop.maxRounds)}/${loop.maxRounds}`,
    agent: agentsOf(action).join(', ') || null,
    startedAtMs: Date.parse(startedAt),
    spend: loop.spend.usd > 0 ? spendText(loop) : null,
  };
}

function count(loop: Loop): string {
  const last = loop.rounds.at(-1);
  const judged = last !== undefined && last.head.tree === loop.head?.tree && loop.current === null;
  const round = judged && last.fix === null ? last.round : Math.min(loop.rounds.length + 1, loop.maxRounds);
  return `[${round}/${loop.maxRounds}]`;
}

/** What is said of an event while loops run: where all went as seed 004 has it, just its lines. */
function toldLines(before: Loop | null, loop: Loop, event: Event): string[] {
  if (event.type === 'started' && isPlainStart(loop, event.action)) return [PLAIN_START[event.action.do]];
  // What comes too late for a task that somebody ended concerns nobody.
  if (event.type === 'refused' && loop.ending?.state === 'cancelled') return [];
  if (event.type === 'authored' && event.outcome.kind === 'committed')
    return ['Implementation complete', ...skippedLines(event.outcome.skipped)];
  if (event.type === 'fixed' && event.session !== null && event.outcome.kind === 'committed') return skippedLines(event.outcome.skipped);
  return progressLines(before, loop, event);
}

const PLAIN_START = { author: 'Implementing...', review: 'Running review...', fix: 'Improving...' } as const;

/** Whether an action is the first try of whoever has the role, so that nobody has to be named. */
function isPlainStart(loop: Loop, action: Action): action is Extract<Action, { do: keyof typeof PLAIN_START }> {
  switch (action.do) {
    case 'author':
      return action.iteration === 1 && loop.author.failures === 0 && action.agent === loop.roles.author;
    case 'review':
      return loop.roles.reviewer.length === 1 && action.sessions.every(({ member, agent, attempt }) => member === agent && attempt === 1);
    case 'fix': {
      const isAnswer = action.cause === 'review' || action.cause === 'order';
      return isAnswer && !action.again && loop.fixer.failures === 0 && action.agent === loop.roles.fixer;
    }
    case 'gates':
    case 'arbitrate':
    case 'escalate':
    case 'finish':
    case 'wait':
    case 'rest':
      return false;
  }
}

/** What an event means to somebody who reads all of it; most events say nothing new. */
export function progressLines(before: Loop | null, loop: Loop, event: Event): string[] {
  switch (event.type) {
    case 'started':
      return startedLine(event);
    case 'authored':
      return workLine('Implementation', event.outcome);
    case 'fixed':
      return workLine(event.session === null ? 'Fix by the exact patches of the review' : 'Fix', event.outcome);
    case 'gated':
      return [`Gates: ${gateWords(event)}`];
    case 'reviewed':
      return reviewLine(before, loop, event);
    case 'arbitrated':
      return rulingLines(loop, event);
    case 'interrupted':
      return [`Interrupted: ${event.why}`];
    case 'checkout-lost':
      return [`Checkout: ${clean(event.why)}`];
    case 'moved':
      // Who applied a suggestion is told by the command that did it.
      return event.applied === undefined ? [`Somebody moved the branch to ${event.head.commit.slice(0, 8)}`] : [];
    case 'refused':
      // A person's own word comes back to them as an error.
      return PERSONS.includes(event.event) ? [] : [`Refused (${event.event}): ${clean(event.why)}`];
    case 'warned':
      return [clean(event.text)];
    case 'released':
      return [`Starting from ${event.base.ref} (${event.start.commit.slice(0, 8)})`];
    case 'dependency-lost':
      return [clean(event.why)];
    case 'woken':
      return ['Going on: what it waited for may be over'];
    case 'landed':
    case 'imported':
    case 'postponed':
    case 'tallied':
    case 'created':
    case 'escalated':
    case 'finished':
    case 'decided':
    case 'overridden':
    case 'ruled':
    case 'forgotten':
    case 'commented':
    case 'edited':
    case 'failed':
      return [];
  }
}

const PERSONS: readonly string[] = ['decided', 'overridden', 'ruled', 'forgotten', 'commented', 'edited'];

function startedLine(event: Extract<Event, { type: 'started' }>): string[] {
  const { action } = event;
  switch (action.do) {
    case 'author':
      return [`Implementing... (${action.agent}${action.iteration > 1 ? `, iteration ${action.iteration}` : ''})`];
    case 'review':
      return [`Running review... (${action.sessions.map(seatWords).join('; ')})`];
    case 'arbitrate':
      return [`Asking the arbiter... (${action.agent}) ${oneLine(action.why, 90)}`];
    case 'fix':
      return [
        `${action.cause === 'gates' || action.cause === 'withheld' ? 'Repairing' : 'Improving'}... (${action.agent}) ${oneLine(action.why, 90)}`,
      ];
    case 'gates':
      return ['Running gates...'];
    case 'escalate':
    case 'finish':
    case 'wait':
    case 'rest':
      return [];
  }
}

function seatWords({ member, agent, attempt }: ReviewSession): string {
  return `${agent}${member === agent ? '' : ` for ${member}`}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
}

function workLine(what: string, outcome: Extract<Event, { type: 'authored' }>['outcome']): string[] {
  switch (outcome.kind) {
    case 'committed':
      return [`${what} complete: ${outcome.head.commit.slice(0, 8)}, ${outcome.files.length} file(s)`, ...skippedLines(outcome.skipped)];
    case 'unchanged':
      return [`${what}: nothing changed`, ...skippedLines(outcome.skipped ?? [])];
    case 'withheld':
      return [`${what} not committed: ${oneLine(outcome.findings[0]?.description ?? '', 100)}`];
    case 'failed':
      return [`${what} failed: ${oneLine(outcome.message, 120)}`];
  }
}

function skippedLines(paths: readonly string[]): string[] {
  return paths.map((path) => `Left out, because it is a git repository of its own: ${clean(path)}`);
}

function gateWords(event: Extract<Event, { type: 'gated' }>): string {
  if (event.results.length === 0) return 'none for these files';
  return event.results
    .map((one) => `${one.name} ${one.passed ? 'passed' : one.redBefore ? 'FAILED, as before the change' : 'FAILED'}`)
    .join(', ');
}

function reviewLine(before: Loop | null, loop: Loop, event: Extract<Event, { type: 'reviewed' }>): string[] {
  const last = loop.rounds.at(-1);
  if (last === undefined || loop.rounds.length === (before?.rounds.length ?? 0)) return seatLine(loop, event);
  const first = loop.findings.find((finding) => finding.id === last.blockingIds[0]);
  const note = first === undefined && last.verdict !== 'approved' ? (summaryOf(last) ?? '') : (first?.description ?? '');
  const seat = loop.roles.reviewer.length > 1 && event.outcome.kind === 'review' ? [seatWord(event)] : [];
  return [
    ...seat,
    `Review: ${VERDICT_WORD[last.verdict]}${note === '' ? '' : ` - ${oneLine(note, 100)}`}`,
    ...last.notes.map(withoutRound),
  ];
}

/** One member of a panel has answered, or gave nothing that counts. */
function seatLine(loop: Loop, { member, agent, outcome }: Extract<Event, { type: 'reviewed' }>): string[] {
  const seat = loop.seats.find((one) => one.member === member);
  if (seat?.answer?.agent === agent && outcome.kind === 'review') return [seatWord({ agent, outcome })];
  const said = outcome.kind === 'no-verdict' ? outcome.detail : (seat?.attempts.at(-1)?.detail ?? '');
  const detail = loop.overBudget ?? said;
  return [`Review: no verdict - ${loop.roles.reviewer.length > 1 ? `${agent}: ` : ''}${oneLine(detail, 100)}`];
}

function seatWord({ agent, outcome }: Pick<Extract<Event, { type: 'reviewed' }>, 'agent' | 'outcome'>): string {
  return `${agent}: ${counted(outcome.kind === 'review' ? outcome.raised.length : 0, 'finding')}`;
}

/** The round stands in front of every line already. */
function withoutRound(note: string): string {
  return clean(note.replace(/^Round \d+: /, ''));
}

function rulingLines(loop: Loop, event: Extract<Event, { type: 'arbitrated' }>): string[] {
  if (event.outcome.kind === 'failed') return [`Arbiter failed: ${oneLine(event.outcome.message, 120)}`];
  return event.outcome.rulings.map(({ findingId, ruling, note }) => {
    const refuted = ruling === 'refuted' && loop.findings.some(({ id, status }) => id === findingId && status === 'refuted');
    return `Arbiter: ${findingId} ${refuted ? 'refuted' : 'upheld'} - ${oneLine(note, 100)}`;
  });
}

function paintLine(io: Io, line: string): string {
  if (line.includes('APPROVED') && line.startsWith('Review')) return paint(io, 'green', line);
  if (/FAILED|failed|no verdict|CHANGES_REQUESTED|NEEDS_DISCUSSION|not committed/.test(line)) return paint(io, 'yellow', line);
  return line;
}
