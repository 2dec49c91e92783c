import type { FindingOutput, LoopOutput } from '../../../src/core/output.ts';
import type { FindingStep } from '../../../src/core/view.ts';
import { answerOf } from './story.ts';

/** What somebody said about a finding after it was raised. */
export type ThreadEntry = {
  readonly by: string;
  readonly is: 'fixer' | 'arbiter' | 'person';
  /** What was done by saying it: "disputes this"; empty where it was only said. */
  readonly does: string;
  readonly at: string | null;
  readonly round: number | null;
  readonly text: string;
  readonly places: readonly { readonly file: string; readonly line: number | null }[];
};

type About = Pick<FindingOutput, 'id' | 'resolution' | 'ruling'>;
type Around = {
  readonly history: readonly FindingStep[];
  readonly comments: LoopOutput['comments'];
  /** The names of agents, by which they are told from people. */
  readonly agents: readonly string[];
};

/** Answers, rulings and comments about a finding, oldest first. */
export function threadOf(finding: About, { history, comments, agents }: Around): readonly ThreadEntry[] {
  const answers = history.filter(({ what }) => what === 'answered');
  const rulings = history.filter(({ what }) => what === 'ruled');
  const said = [
    ...(answers.length === 0 ? lastAnswer(finding) : answers.map((step) => answer(step, step === answers.at(-1) ? finding : null))),
    ...(rulings.length === 0 ? lastRuling(finding) : rulings.map((step) => ruling(step, agents))),
    ...comments.filter(({ findingId }) => findingId === finding.id).map(comment),
  ];
  return said.toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? ''));
}

const ANSWERS = { fixed: '', disputed: 'disputes this', needs_person: 'leaves this to a person' } as const;
const RULINGS = { refuted: 'refuted this', upheld: 'upheld this', accepted: 'accepted this', reopened: 'reopened this' } as const;

function answer(step: FindingStep, finding: About | null): ThreadEntry {
  const status = answerOf(step);
  const resolution = finding?.resolution ?? null;
  return {
    by: step.by.join(' and ') || 'fixer',
    is: 'fixer',
    does: ANSWERS[status],
    at: step.at,
    round: step.round,
    // The list of findings cuts long words; the finding itself has its last answer whole.
    text: resolution?.note ?? afterColon(step.note),
    places: resolution?.places ?? [],
  };
}

function lastAnswer({ resolution }: About): readonly ThreadEntry[] {
  if (resolution === null) return [];
  const { status, note, places } = resolution;
  return [{ by: 'fixer', is: 'fixer', does: ANSWERS[status], at: null, round: null, text: note, places }];
}

function ruling(step: FindingStep, agents: readonly string[]): ThreadEntry {
  const by = step.by.join(' and ');
  const word = /^\w+/.exec(step.note)?.[0] ?? '';
  return {
    by,
    is: agents.includes(by) ? 'arbiter' : 'person',
    does: isRuling(word) ? RULINGS[word] : 'ruled on this',
    at: step.at,
    round: step.round,
    text: afterColon(step.note),
    places: [],
  };
}

function lastRuling({ ruling: last }: About): readonly ThreadEntry[] {
  if (last === null) return [];
  return [
    { by: last.by, is: last.person ? 'person' : 'arbiter', does: RULINGS[last.ruling], at: null, round: null, text: last.note, places: [] },
  ];
}

function comment({ by, at, text }: LoopOutput['comments'][number]): ThreadEntry {
  return { by, is: 'person', does: '', at, round: null, text, places: [] };
}

function isRuling(word: string): word is keyof typeof RULINGS {
  return Object.hasOwn(RULINGS, word);
}

/** The reason behind the word that the core writes before it. */
function afterColon(note: string): string {
  const colon = note.indexOf(': ');
  return colon < 0 ? '' : note.slice(colon + 2);
}
