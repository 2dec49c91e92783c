import type { GateRunView, LoopView, RoundSummary, SessionView } from '../../../src/core/view.ts';
import { counted } from '../../../src/core/words.ts';
import { usd } from '../ui/usd.ts';
import { raisedWords } from './court-turns.ts';
import { shortId } from './range.ts';
import { sessionDrawer } from './session-name.ts';

/** One link of a step: to a diff, or to something that opens in the drawer. */
export type StepLink = { readonly label: string; readonly range?: string; readonly drawer?: string };

/** One step of a loop's life: what happened, who did it, what changed, and where to look. */
export type HistoryStep = {
  readonly key: string;
  readonly at: string;
  readonly who: 'author' | 'reviewer' | 'you' | 'settled' | 'failed' | 'waiting';
  readonly title: string;
  readonly agents: readonly string[];
  /** Quiet facts in a line: counts, commits, cost. */
  readonly facts: readonly string[];
  /** What they wrote about it. */
  readonly text: string | null;
  readonly answers: readonly { readonly id: string; readonly status: string; readonly note: string }[];
  readonly links: readonly StepLink[];
};

type Given = {
  readonly loop: LoopView;
  readonly rounds: readonly RoundSummary[];
  readonly sessions: readonly SessionView[];
  readonly gates: readonly GateRunView[];
};

/** Everything that happened to a loop, oldest first. */
export function historySteps(given: Given): HistoryStep[] {
  const { loop } = given;
  const steps = [
    ...buildSteps(given),
    ...given.gates.map(gateStep),
    ...given.rounds.flatMap((round) => roundSteps(round, given)),
    ...loop.decisions.map(decisionStep),
    ...endSteps(loop),
  ];
  return steps.toSorted((a, b) => a.at.localeCompare(b.at));
}

const plain = { agents: [], facts: [], text: null, answers: [], links: [] } as const;

/** The links to what agents were told and said, by the names of their transcripts. */
function sessionLinks(transcripts: readonly string[], sessions: readonly SessionView[]): StepLink[] {
  const found = transcripts.flatMap((name) => {
    const session = sessions.find(({ transcript }) => transcript === name);
    return session === undefined ? [] : [session];
  });
  return found.map((session, index) => {
    const { agent } = session;
    const twice = found.filter((one) => one.agent === agent).length > 1;
    const turn = found.slice(0, index + 1).filter((one) => one.agent === agent).length;
    return { label: found.length === 1 ? 'Session' : `${agent}${twice ? ` ${turn}` : ''}`, drawer: sessionDrawer(session) };
  });
}

function took(turn: { readonly spendUsd: number | null; readonly estimated: boolean }): string[] {
  return turn.spendUsd === null || turn.spendUsd === 0 ? [] : [usd(turn.spendUsd, turn.estimated)];
}

function buildSteps({ loop, rounds, sessions }: Given): HistoryStep[] {
  const { build } = loop;
  const authored = sessions.filter(({ role }) => role === 'author');
  const iterations = authored.map((session, index): HistoryStep => {
    const working = session.endedAt === null;
    return {
      ...plain,
      key: `iteration-${index}`,
      at: session.startedAt,
      who: session.exit === 'completed' || working ? 'author' : 'failed',
      title: `Iteration ${index + 1}${working ? ' is under way' : session.exit === 'completed' ? '' : `: ${session.exit ?? ''}`}`,
      agents: [session.agent],
      facts: sessionCost(session),
      links: [{ label: 'Session', drawer: sessionDrawer(session) }],
    };
  });
  const [first] = rounds;
  if (build === null || build.endedAt === null || authored.length === 0) return iterations;
  const built: HistoryStep = {
    ...plain,
    key: 'built',
    at: build.endedAt,
    who: 'author',
    title: `Built in ${counted(build.iterations, 'iteration')}`,
    agents: [build.agent],
    facts: [...took(build), ...(first === undefined ? [] : [shortId(first.head.commit)])],
    links: [{ label: 'Diff', range: first === undefined ? 'base..head' : 'base..round-1' }],
  };
  return [...iterations, built];
}

function sessionCost({ usage, costBasis }: SessionView): string[] {
  const cost = usage?.costUsd ?? null;
  return cost === null || cost === 0 ? [] : [usd(cost, costBasis !== 'reported')];
}

function gateStep({ seq, at, results }: GateRunView): HistoryStep {
  const red = results.filter(({ passed, redBefore }) => !passed && !redBefore);
  const seconds = Math.round(results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000);
  return {
    ...plain,
    key: `gates-${seq}`,
    at,
    who: red.length === 0 ? 'settled' : 'failed',
    title: red.length === 0 ? `Gates ${results.length} of ${results.length}` : `Gates red: ${red.map(({ name }) => name).join(', ')}`,
    facts: [`${seconds} s`],
    links: [{ label: 'Output', drawer: `gates:${seq}` }],
  };
}

function roundSteps(round: RoundSummary, { rounds, sessions }: Given): HistoryStep[] {
  const verdict = round.verdict.toLowerCase().replaceAll('_', ' ');
  const review: HistoryStep = {
    ...plain,
    key: `round-${round.round}`,
    at: round.at,
    who: verdict === 'approved' ? 'settled' : 'reviewer',
    title: `Round ${round.round}: ${verdict}`,
    agents: round.reviewers,
    facts: [raisedWords(round), shortId(round.head.commit), ...took(round.review)],
    text: [round.why, ...round.notes].filter((words) => words !== '').join('. ') || null,
    links: [
      { label: 'Diff', range: `base..round-${round.round}` },
      { label: 'Proof', drawer: `proof:${round.round}` },
      ...sessionLinks(round.review.transcripts, sessions),
    ],
  };
  return round.fix === null ? [review] : [review, fixStep(round, round.fix, { rounds, sessions })];
}

function fixStep(
  round: RoundSummary,
  fix: NonNullable<RoundSummary['fix']>,
  { rounds, sessions }: Pick<Given, 'rounds' | 'sessions'>,
): HistoryStep {
  const next = rounds.find((one) => one.round === round.round + 1);
  const last = fix.commits.at(-1);
  const answers = [
    ...(fix.fixed === 0 ? [] : [`${fix.fixed} fixed`]),
    ...(fix.disputed === 0 ? [] : [`${fix.disputed} disputed`]),
    ...(fix.needsPerson === 0 ? [] : [`${fix.needsPerson} left to a person`]),
  ];
  return {
    ...plain,
    key: `fix-${round.round}`,
    at: fix.endedAt ?? round.at,
    who: 'author',
    title: `Fix of round ${round.round}${fix.sentBack ? ', sent back' : ''}`,
    agents: fix.agent === null ? [] : [fix.agent],
    facts: [...answers, ...(last === undefined ? ['no commit'] : fix.commits.map(shortId)), ...took(fix)],
    text: fix.summary,
    answers: fix.resolutions.map(({ findingId, status, note }) => ({ id: findingId, status: status.replaceAll('_', ' '), note })),
    links: [
      ...(last === undefined
        ? []
        : [{ label: 'Diff', range: `round-${round.round}..${next === undefined ? last : `round-${next.round}`}` }]),
      ...sessionLinks(fix.transcripts, sessions),
    ],
  };
}

function decisionStep({ at, by, what, reason }: LoopView['decisions'][number], index: number): HistoryStep {
  return { ...plain, key: `decision-${index}`, at, who: 'you', title: `${by}: ${what}`, text: reason };
}

function endSteps({ ending, endedAt, landed, state }: LoopView): HistoryStep[] {
  const steps: HistoryStep[] = [];
  if (ending !== null && endedAt !== null) {
    const who = state === 'failed' ? 'failed' : state === 'approved' ? 'settled' : 'waiting';
    steps.push({ ...plain, key: 'end', at: endedAt, who, title: ending.state.replaceAll('_', ' '), text: ending.why });
  }
  if (landed !== null) {
    const { onto, commit, at } = landed;
    steps.push({ ...plain, key: 'landed', at, who: 'settled', title: `Landed on ${onto}`, facts: [shortId(commit)] });
  }
  return steps;
}
