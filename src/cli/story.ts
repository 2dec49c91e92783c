import { isBlocking, trendOf } from '../core/convergence.ts';
import { bySeverity, isClosed } from '../core/finding.ts';
import type { Finding } from '../core/finding.ts';
import { NOTHING_BLOCKS } from '../core/judge.ts';
import type { Loop, Round } from '../core/loop.ts';
import { shownPlace } from '../core/prompts/sections.ts';
import { confinementOf, reviewersOf } from '../core/round.ts';
import { counted } from '../core/words.ts';
import type { Io } from './command.ts';
import { clean, columns, oneLine, paint } from './print.ts';

const SHOWN_FINDINGS = 6;
const DESCRIPTION_WIDTH = 64;
const PLACE_WIDTH = 34;

/** The story of a loop for people: each round with what it raised, what became of that, what the rules made of it, and the fix. */
export function storyLines(loop: Loop, io: Io): string[] {
  const told = new Set<string>();
  const rounds = loop.rounds.map((round) => {
    const fresh = loop.findings.filter(({ id }) => !told.has(id) && round.findingIds.includes(id)).toSorted(bySeverity);
    for (const { id } of fresh) told.add(id);
    return { round, fresh };
  });
  const own = loop.findings.filter(({ id, source }) => !told.has(id) && source !== 'gate').toSorted(bySeverity);
  // Cells of all rounds line up, so that the eye can run down the fates.
  const cells = [...rounds.flatMap(({ fresh }) => fresh.slice(0, SHOWN_FINDINGS)), ...own].map((finding) =>
    findingCells(loop, finding, io),
  );
  const lines = new Map(columns(cells).map((line, index) => [cells[index]?.[0] ?? '', line]));
  const lineOf = (finding: Finding): string => lines.get(idCell(loop, finding, io)) ?? '';
  return [
    ...rounds.flatMap(({ round, fresh }) => [
      roundLine(loop, round, io),
      ...fresh.slice(0, SHOWN_FINDINGS).map(lineOf),
      ...againLine(round, fresh, io),
      ...(fresh.length > SHOWN_FINDINGS ? [`    and ${fresh.length - SHOWN_FINDINGS} more: volley findings ${loop.id}`] : []),
      ...round.notes.map((note) => `    ${paint(io, 'dim', clean(note.replace(/^Round \d+: /, '')))}`),
      ...round.without.map((member) => `    a person went on without ${clean(member)}`),
      ...fixLines(round, io),
      // What the engine found in a fix stands with that fix.
      ...own.filter(({ firstRound }) => firstRound === round.round).map(lineOf),
    ]),
    ...own.filter(({ firstRound }) => firstRound > loop.rounds.length).map(lineOf),
    ...underWay(loop, io),
    ...trendLine(loop, io),
    ...peopleLines(loop, io),
  ];
}

/** What was raised before and is raised again stands where it was raised first. */
function againLine({ findingIds, blockingIds }: Round, fresh: readonly Finding[], io: Io): string[] {
  const again = findingIds.filter((id) => !fresh.some((finding) => finding.id === id));
  const silent = blockingIds.filter((id) => !findingIds.includes(id));
  return [
    ...(again.length === 0 ? [] : [`    ${paint(io, 'dim', 'raised again:')} ${again.join(', ')}`]),
    ...(silent.length === 0 ? [] : [`    ${paint(io, 'dim', 'still blocking:')} ${silent.join(', ')}`]),
  ];
}

function roundLine(loop: Loop, round: Round, io: Io): string {
  const who = reviewersOf(round).map(clean).join(' and ');
  const raised = counted(round.findingIds.length, 'finding');
  const verdict = round.verdict.toUpperCase();
  const colour = round.verdict === 'approved' ? 'green' : 'yellow';
  const blocking = round.blockingIds.length === 0 ? 'none blocks' : `${round.blockingIds.length} blocking`;
  const why = round.verdict === 'approved' && round.why !== NOTHING_BLOCKS ? ` (${clean(round.why)})` : '';
  return `  ${paint(io, 'bold', `round ${round.round}/${loop.maxRounds}`)}  ${paint(io, colour, verdict)}, reviewed by ${who} (confinement ${confinementOf(round)}): ${raised}, ${blocking}${why}`;
}

function findingCells(loop: Loop, finding: Finding, io: Io): string[] {
  const { file, line } = finding;
  const place = shownPlace({ file, line }) ?? '';
  const fate = fateOf(loop, finding);
  return [
    idCell(loop, finding, io),
    finding.severity,
    shortPlace(clean(place)),
    oneLine(finding.description, DESCRIPTION_WIDTH),
    paint(io, isClosed(finding) ? 'green' : isBlocking(finding, loop.settings.policy) ? 'yellow' : 'dim', `→ ${fate}`),
  ];
}

function idCell(loop: Loop, finding: Finding, io: Io): string {
  return `    ${paint(io, isBlocking(finding, loop.settings.policy) ? 'yellow' : 'dim', finding.id)}`;
}

/** The end of a path says more than its beginning. */
function shortPlace(place: string): string {
  return place.length <= PLACE_WIDTH ? place : `…${place.slice(-(PLACE_WIDTH - 1))}`;
}

/** What became of a finding, in a few words. */
export function fateOf(loop: Loop, finding: Finding): string {
  const by = finding.ruling === null ? '' : ` by ${clean(finding.ruling.by)}`;
  const from = finding.ruling?.from === null || finding.ruling?.from === undefined ? '' : ` (as ${finding.ruling.from})`;
  switch (finding.status) {
    case 'fixed':
      return 'fixed';
    case 'refuted':
      return `refuted${by}${from}`;
    case 'accepted':
      return `accepted${by}`;
    case 'disputed':
      return 'disputed by the fixer';
    case 'open':
    case 'persisting':
    case 'reopened':
      return openFate(loop, finding);
  }
}

function openFate(loop: Loop, finding: Finding): string {
  if (!isBlocking(finding, loop.settings.policy)) return finding.provenance === 'late' ? 'follow-up (late)' : 'follow-up';
  const parts = [
    finding.reopenings > 0 ? `came back ${finding.reopenings === 1 ? 'after a fix' : `${finding.reopenings} times`}` : 'open, blocks',
    ...(finding.survived > 0 ? [`outlived ${counted(finding.survived, 'fix', 'fixes')}`] : []),
    ...(finding.ruling === null ? [] : [rulingWords(finding.ruling)]),
    ...(finding.anchor === 'outdated' ? ['its lines have changed'] : []),
  ];
  return parts.join(', ');
}

function rulingWords({ ruling, by, note }: NonNullable<Finding['ruling']>): string {
  return `${ruling} by ${clean(by)}${note === '' ? '' : ` (${oneLine(note, DESCRIPTION_WIDTH)})`}`;
}

function fixLines({ fix }: Round, io: Io): string[] {
  if (fix === null) return [];
  const commits = fix.commits.map((commit) => commit.slice(0, 8)).join(' ');
  const who = fix.agent === null ? 'exact fixes of the review' : clean(fix.agent);
  const answers = Map.groupBy(fix.resolutions, ({ status }) => status);
  const said = [...answers].map(([status, some]) => `${status.replace('_', ' a ')}: ${some.map(({ findingId }) => findingId).join(', ')}`);
  const words = [
    commits === '' ? 'no commit' : commits,
    ...said,
    ...(fix.summary === null ? [] : [oneLine(fix.summary, DESCRIPTION_WIDTH)]),
  ];
  return [`    ${paint(io, 'cyan', 'fix')} by ${who}: ${words.join('; ')}`];
}

/** What is known of a panel that has not come to an end. */
function underWay(loop: Loop, io: Io): string[] {
  if (loop.seats.length === 0) return [];
  const seats = loop.seats.map(({ member, answer, attempts }) => {
    if (answer !== null) return `${clean(answer.agent)} has answered (${counted(answer.outcome.raised.length, 'finding')})`;
    return `${clean(member)} gave no verdict: ${oneLine(attempts.at(-1)?.detail ?? '', DESCRIPTION_WIDTH)}`;
  });
  return [`  ${paint(io, 'bold', `round ${loop.rounds.length + 1}/${loop.maxRounds}`)}  under way: ${seats.join('; ')}`];
}

function trendLine(loop: Loop, io: Io): string[] {
  const trend = trendOf(loop.rounds);
  if (trend === null) return [];
  return [`  ${paint(io, 'dim', 'blocking per round')} ${loop.rounds.map(({ blockingIds }) => blockingIds.length).join(' → ')} (${trend})`];
}

const WORDS_WIDTH = 100;

/** What people decided and said about it, oldest first. */
function peopleLines({ decisions, comments }: Loop, io: Io): string[] {
  const lines = [
    ...decisions.map(({ at, by, what, reason }) => ({
      at,
      name: 'decided',
      text: `${what} by ${by}${reason === null ? '' : `: ${reason}`}`,
    })),
    ...comments.map(({ at, by, text, file, line, lineEnd, findingId }) => {
      const place = file === null ? '' : ` on ${shownPlace({ file, line, lineEnd })}`;
      return { at, name: 'comment', text: `${findingId === null ? '' : `${findingId} `}${by}${place}: ${text}` };
    }),
  ];
  return lines
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .map(({ name, text }) => `  ${paint(io, 'dim', name)} ${oneLine(text.replaceAll('\n', ' '), WORDS_WIDTH)}`);
}
