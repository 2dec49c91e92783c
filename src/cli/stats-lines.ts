import type { Analytics } from '../core/analytics-output.ts';
import { dollars } from '../core/ceilings.ts';
import { counted } from '../core/words.ts';
import type { Io } from './command.ts';
import { cutTo, padTo } from './cut.ts';
import { paint } from './print.ts';
import { textWidth } from './report/text-width.ts';
import { elapsedWords } from './time-words.ts';

/** Where the numbers are shown, and of how many days they are; null for all. */
export type StatsView = { readonly io: Pick<Io, 'color' | 'width'>; readonly days: number | null };

/** What the loops of a project came to, on a screen; what never happened is not told. */
export function statsLines(numbers: Analytics, view: StatsView): string[] {
  const sections = [
    loopLines(numbers, view),
    findingLines(numbers, view),
    reviewerLines(numbers, view),
    spendLines(numbers, view),
    asksLine(numbers, view),
  ];
  return sections.filter((section) => section.length > 0).flatMap((section, index) => (index === 0 ? section : ['', ...section]));
}

function loopLines({ loops, firstReview }: Analytics, { io, days }: StatsView): string[] {
  const when = days === null ? 'So far' : days === 1 ? 'Today' : `Last ${days} days`;
  if (loops.total === 0) return [`${when}: no tasks were started.`];
  const approved = loops.approvedByReview + loops.approvedByPerson;
  const people = loops.approvedByPerson === 0 ? '' : `, ${loops.approvedByPerson} of them by a person`;
  const landed = loops.landed === 0 ? '' : `; ${loops.landed} landed`;
  const rounds = loops.averageRounds === null ? [] : [`${loops.averageRounds.toFixed(1)} rounds until an approval`];
  const first = firstReview.passRate === null ? [] : [`${percent(firstReview.passRate)} of first reviews passed`];
  const others = loops.byState.filter(({ state }) => state !== 'approved').map(({ state, count }) => `${count} ${state}`);
  return [
    paint(io, 'bold', `${when}: ${counted(loops.total, 'task')}`),
    ...(approved === 0 ? [] : [approvedLine(approved, `${people}${landed}`, io)]),
    ...(others.length === 0 ? [] : [`  ${paint(io, 'dim', cutTo(others.join(', '), io.width - 2))}`]),
    ...together([...rounds, ...first], io.width - 2).map((line) => `  ${cutTo(line, io.width - 2)}`),
  ];
}

function approvedLine(approved: number, rest: string, io: StatsView['io']): string {
  const head = `✓ ${approved} approved`;
  return `  ${paint(io, 'green', head)}${cutTo(rest, io.width - textWidth(head) - 2)}`;
}

/** On one line if they fit, else on a line each. */
function together(words: readonly string[], width: number): readonly string[] {
  const line = words.join('; ');
  return line === '' ? [] : textWidth(line) <= width ? [line] : words;
}

function findingLines({ findings, timeSaved }: Analytics, { io }: StatsView): string[] {
  if (findings.total === 0) return [];
  const { fixed, refuted, accepted, open } = findings;
  const fates = [told(fixed, 'fixed'), told(refuted, 'refuted'), told(accepted, 'accepted'), told(open, 'open')].flat().join(', ');
  const minutes = timeSaved.minutesPerFinding.high;
  const saved = [`About ${elapsedWords(timeSaved.minutes * MINUTE_MS)} of a person's time saved`, `assumed: ${minutes} m for a high one`];
  return [
    headed(counted(findings.total, 'finding'), `: ${fates}`, io),
    ...bars(
      findings.byCategory.map(({ category, count }) => [category, count]),
      io,
    ),
    ...(timeSaved.findings === 0 ? [] : together(saved, io.width - 2)).map((line) => `  ${paint(io, 'dim', cutTo(line, io.width - 2))}`),
  ];
}

const MINUTE_MS = 60_000;

function told(count: number, word: string): string[] {
  return count === 0 ? [] : [`${count} ${word}`];
}

/** A bar is as long as the room beside its words allows, and the longest one fills it. */
function bars(rows: readonly (readonly [string, number])[], io: StatsView['io']): string[] {
  const nameWidth = widest(rows.map(([name]) => name));
  const numberWidth = widest(rows.map(([, count]) => String(count)));
  const room = Math.max(4, Math.min(MOST_BAR, io.width - nameWidth - numberWidth - 6));
  const most = rows.reduce((top, [, count]) => Math.max(top, count), 1);
  return rows.map(([name, count]) => {
    const bar = '█'.repeat(Math.max(1, Math.round((count / most) * room)));
    return `  ${padTo(name, nameWidth)}  ${String(count).padStart(numberWidth)}  ${paint(io, 'cyan', bar)}`;
  });
}

const MOST_BAR = 40;

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text)), 0);
}

function reviewerLines({ reviewers }: Analytics, { io }: StatsView): string[] {
  if (reviewers.length === 0) return [];
  const shown = reviewers.map((one) => ({ ...one, name: cutTo(one.agent, MOST_NAME) }));
  const width = widest(shown.map(({ name }) => name));
  const lines = shown.map(({ name, reviews, noVerdictShare, findings, refutedShare }) => {
    const parts = [
      counted(reviews, 'review'),
      counted(findings, 'finding'),
      ...(refutedShare === null || refutedShare === 0 ? [] : [`${percent(refutedShare)} refuted`]),
      ...(noVerdictShare === null || noVerdictShare === 0 ? [] : [`${percent(noVerdictShare)} without a verdict`]),
    ];
    return `  ${padTo(name, width)}  ${cutTo(parts.join(', '), io.width - width - 4)}`;
  });
  return [paint(io, 'bold', 'Reviewers'), ...lines];
}

const MOST_NAME = 20;

function spendLines({ spend, tokens, sessions }: Analytics, { io }: StatsView): string[] {
  if (sessions.total === 0) return [];
  const guessed = spend.estimatedUsd === 0 ? '' : `, ${dollars(spend.estimatedUsd)} of it estimated`;
  const beside = spend.subscriptionUsd === 0 ? '' : `, and about ${dollars(spend.subscriptionUsd)} on a subscription`;
  const used = tokens.input + tokens.output === 0 ? '' : `, ${short(tokens.input + tokens.output)} tokens`;
  const average = sessions.averageMs === null ? '' : `, ${elapsedWords(sessions.averageMs)} each`;
  const head = `${dollars(spend.usd)} spent`;
  const paid = spend.perAgent.filter(({ usd }) => usd > 0);
  const agents = paid.map(({ agent, usd }) => `${cutTo(agent, MOST_NAME)} ${dollars(usd)}`).join(', ');
  return [
    headed(head, `${guessed}${beside}`, io),
    `  ${cutTo(`${counted(sessions.total, 'session')}${average}${used}`, io.width - 2)}`,
    ...(paid.length < 2 ? [] : [`  ${paint(io, 'dim', cutTo(agents, io.width - 2))}`]),
  ];
}

function asksLine({ escalations }: Analytics, { io }: StatsView): string[] {
  if (escalations.length === 0) return [];
  const times = escalations.reduce((sum, { count }) => sum + count, 0);
  const head = times === 1 ? 'A person was asked once' : `A person was asked ${times} times`;
  const reasons = escalations.map(({ reason, count }) => `${reason} ${count}`).join(', ');
  return [headed(head, `: ${reasons}`, io)];
}

function headed(head: string, rest: string, io: StatsView['io']): string {
  return `${paint(io, 'bold', head)}${cutTo(rest, io.width - textWidth(head))}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** A large number as people say it. */
function short(number: number): string {
  if (number < 10_000) return String(number);
  return number < 1_000_000 ? `${Math.round(number / 1000)} k` : `${(number / 1_000_000).toFixed(1)} M`;
}
