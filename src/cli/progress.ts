import type { ReviewSession } from '../core/action.ts';
import type { Event } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { eventOutput } from '../core/project-output.ts';
import { summaryOf } from '../core/round.ts';
import { counted } from '../core/words.ts';
import type { Progress } from '../app.ts';
import type { Io } from './command.ts';
import { clean, oneLine, paint } from './print.ts';

const VERDICT_WORD = { approved: 'APPROVED', changes_requested: 'CHANGES_REQUESTED', needs_discussion: 'NEEDS_DISCUSSION' } as const;

/** Tells what happens while loops run: lines as seed 004 has them, or events as JSON; `titled` says whose they are, `verdicts` whether the line of a verdict is told here. */
export function progressPrinter(io: Io, { titled = false, verdicts = true } = {}): (progress: Progress) => void {
  let titledId = 0;
  return (progress) => {
    if (progress.type !== 'journal') return;
    const { before, loop, entry } = progress;
    io.object(eventOutput(loop, entry));
    if (titled && titledId !== loop.id) io.out(paint(io, 'bold', `Task ${loop.id}: ${clean(loop.task.title)}`));
    titledId = loop.id;
    if (!verdicts && entry.event.type === 'reviewed' && loop.rounds.length > (before?.rounds.length ?? 0)) return;
    // What came of an action belongs to the round in which it was started.
    const told = entry.event.type === 'started' ? loop : (before ?? loop);
    for (const line of progressLines(before, loop, entry.event)) io.out(`  ${paint(io, 'dim', count(told))} ${paintLine(io, line)}`);
  };
}

function count(loop: Loop): string {
  const last = loop.rounds.at(-1);
  const judged = last !== undefined && last.head.tree === loop.head?.tree && loop.current === null;
  const round = judged && last.fix === null ? last.round : Math.min(loop.rounds.length + 1, loop.maxRounds);
  return `[${round}/${loop.maxRounds}]`;
}

/** What an event means to somebody who watches; most events say nothing new. */
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
      return [`Somebody moved the branch to ${event.head.commit.slice(0, 8)}`];
    case 'refused':
      // A person's own word comes back to them as an error.
      return event.event === 'decided' || event.event === 'overridden' || event.event === 'ruled' || event.event === 'forgotten'
        ? []
        : [`Refused (${event.event}): ${clean(event.why)}`];
    case 'warned':
      return [clean(event.text)];
    case 'woken':
      return ['Going on: what it waited for may be over'];
    case 'landed':
    case 'created':
    case 'escalated':
    case 'finished':
    case 'decided':
    case 'overridden':
    case 'ruled':
    case 'forgotten':
    case 'failed':
      return [];
  }
}

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
  const note = first === undefined ? (summaryOf(last) ?? '') : first.description;
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
