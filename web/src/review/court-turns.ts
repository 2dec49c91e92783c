import { counted } from '../../../src/core/words.ts';
import type { LoopView, RoundSummary } from '../../../src/core/view.ts';
import type { RallyEnd, RallyTurn } from '../ui/rally-geometry.ts';
import { usd } from '../ui/usd.ts';
import { rangeText, shortId } from './range.ts';

/** One turn of the court: who had it, what it came to, in words and in a sentence, and which point of the loop's life it is. */
export type CourtTurn = RallyTurn & {
  readonly round: number;
  readonly agents: readonly string[];
  /** Whose work goes on now. */
  readonly live: boolean;
  /** "Round 1", and what is said behind it. */
  readonly head: string;
  readonly word: string;
  readonly tone: 'plain' | 'settled' | 'live';
  readonly details: readonly string[];
  readonly sentence: string;
  /** The state after it, to compare with; null while it is at work. */
  readonly point: string | null;
  /** What it did by itself. */
  readonly range: { readonly from: string; readonly to: string } | null;
};

type Given = { readonly loop: LoopView; readonly rounds: readonly RoundSummary[] };

/** The turns of a loop, oldest first, and the one that is under way. */
export function courtTurns({ loop, rounds }: Given): CourtTurn[] {
  const turns = [startTurn({ loop, rounds }), ...rounds.flatMap((round) => roundTurns(loop, round, rounds))];
  const live = liveTurn(loop, rounds);
  return live === null ? turns : [...turns, live];
}

function startTurn({ loop, rounds }: Given): CourtTurn {
  const { build, phase, roles } = loop;
  const live = phase?.do === 'author';
  const agent = build?.agent ?? roles.author;
  const point = rounds.length === 0 ? 'head' : 'round-1';
  const cost = money(build);
  const iterations = build === null || build.iterations === 0 ? [] : [`in ${counted(build.iterations, 'iteration')}`];
  const word = live ? 'implementing' : build === null ? 'given' : (iterations[0] ?? '');
  return {
    kind: 'start',
    count: 0,
    round: 0,
    agents: agent === null ? [] : [agent],
    live,
    head: live ? 'Author' : build === null ? 'The change' : 'Built',
    word,
    tone: live ? 'live' : 'plain',
    details: cost,
    sentence: live
      ? `${agent ?? 'The author'} is building it.`
      : build === null
        ? 'The change as it was given.'
        : `${build.agent} built the change ${[...iterations, ...cost].join(', ')}.`,
    point: 'base',
    range: { from: 'base', to: point },
  };
}

function roundTurns(loop: LoopView, round: RoundSummary, rounds: readonly RoundSummary[]): CourtTurn[] {
  const review = reviewTurn(loop, round);
  if (round.fix === null) return [review];
  const next = rounds.find((one) => one.round === round.round + 1);
  const last = round.fix.commits.at(-1);
  return [review, fixTurn(round, round.fix, next === undefined ? (last ?? `round-${round.round}`) : `round-${next.round}`)];
}

const VERDICTS: Readonly<Record<string, string>> = {
  approved: 'approved',
  changes_requested: 'changes requested',
  needs_discussion: 'needs discussion',
};

function reviewTurn(loop: LoopView, round: RoundSummary): CourtTurn {
  const verdict = VERDICTS[round.verdict.toLowerCase()] ?? round.verdict.toLowerCase().replaceAll('_', ' ');
  const words = raisedWords(round);
  return {
    kind: 'review',
    count: round.blocking,
    round: round.round,
    agents: round.reviewers,
    live: false,
    head: `Round ${round.round}`,
    word: verdict,
    tone: verdict === 'approved' ? 'settled' : 'plain',
    details: [round.reviewers.join(', '), words, ...money(round.review)],
    sentence: `Round ${round.round} of ${loop.maxRounds}, ${round.reviewers.join(' and ')}: ${verdict}, ${words}.`,
    point: `round-${round.round}`,
    range: { from: 'base', to: `round-${round.round}` },
  };
}

/** "6 raised, 5 block": what blocks may have been raised in a round before, so neither is a part of the other; where more block, that is said. */
export function raisedWords({ findings, blocking }: Pick<RoundSummary, 'findings' | 'blocking'>): string {
  if (findings + blocking === 0) return 'nothing found';
  const raised = findings === 0 ? 'nothing new' : `${findings} raised`;
  const blocks = blocking === 0 ? 'none blocks' : blocking === 1 ? '1 blocks' : `${blocking} block`;
  return `${raised}, ${blocks}${findings > 0 && blocking > findings ? ' in all' : ''}`;
}

function fixTurn(round: RoundSummary, fix: NonNullable<RoundSummary['fix']>, to: string): CourtTurn {
  const commit = fix.commits.at(-1);
  const answers = [
    ...(fix.fixed === 0 ? [] : [`${fix.fixed} fixed`]),
    ...(fix.disputed === 0 ? [] : [`${fix.disputed} disputed`]),
    ...(fix.needsPerson === 0 ? [] : [`${fix.needsPerson} left to you`]),
  ].join(', ');
  const word = answers === '' ? 'answered' : answers;
  return {
    kind: 'fix',
    count: fix.fixed + fix.disputed + fix.needsPerson,
    round: round.round,
    agents: fix.agent === null ? [] : [fix.agent],
    live: false,
    head: '',
    word,
    tone: 'plain',
    details: [...(commit === undefined ? ['no commit'] : [shortId(commit)]), ...money(fix)],
    sentence: `Fix of round ${round.round} by ${fix.agent ?? 'a person'}: ${word}${commit === undefined ? '' : `, commit ${shortId(commit)}`}.`,
    point: to,
    range: commit === undefined ? null : { from: `round-${round.round}`, to },
  };
}

function liveTurn({ phase, maxRounds }: LoopView, rounds: readonly RoundSummary[]): CourtTurn | null {
  if (phase === null || (phase.do !== 'review' && phase.do !== 'fix' && phase.do !== 'arbitrate')) return null;
  const reviews = phase.do === 'review';
  const round = rounds.length + (reviews ? 1 : 0);
  const word = reviews ? 'reviewing' : phase.do === 'fix' ? 'addressing feedback' : 'ruling';
  return {
    kind: phase.do === 'fix' ? 'fix' : 'review',
    count: 0,
    round,
    agents: phase.agents,
    live: true,
    head: reviews ? `Round ${round}` : '',
    word,
    tone: 'live',
    details: [phase.agents.join(', ')],
    sentence: `Round ${round} of ${maxRounds}: ${phase.agents.join(' and ')} ${phase.agents.length > 1 ? 'are' : 'is'} ${word} now.`,
    point: null,
    range: null,
  };
}

function money(turn: { readonly spendUsd: number | null; readonly estimated: boolean } | null): string[] {
  return turn === null || turn.spendUsd === null || turn.spendUsd === 0 ? [] : [usd(turn.spendUsd, turn.estimated)];
}

/** What the line of the court runs into. */
export function courtEnd({ state, phase, needsYou, approval, landed, takenOverBy }: LoopView): RallyEnd | null {
  if (phase !== null)
    return phase.do === 'fix' ? 'live-fix' : phase.do === 'review' || phase.do === 'arbitrate' ? 'live-review' : 'live-author';
  if (state === 'failed') return 'failed';
  if (approval !== null || landed !== null || state === 'merged') return 'ok';
  return needsYou || takenOverBy !== null ? 'you' : 'wait';
}

/** From where to where two turns lie apart, whichever was chosen first; null where one is still at work. */
export function between(a: CourtTurn, b: CourtTurn, turns: readonly CourtTurn[]): { readonly from: string; readonly to: string } | null {
  const [first, second] = turns.indexOf(a) <= turns.indexOf(b) ? [a, b] : [b, a];
  return first.point === null || second.point === null || first.point === second.point ? null : { from: first.point, to: second.point };
}

/**
 * The turn that a range is about. Some turns are about the same, such as the build and its first review: then it is the one that was
 * chosen last, or else the newest.
 */
export function turnOf(range: string | undefined, turns: readonly CourtTurn[], last: string | null): CourtTurn | undefined {
  const about = turns.filter((turn) => turn.range !== null && range !== undefined && rangeText(turn.range) === range);
  return about.find(({ sentence }) => sentence === last) ?? about.at(-1);
}
