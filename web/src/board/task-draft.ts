import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Asked } from '../../../src/api/contract/client.ts';
import { agentsOf } from '../../../src/core/action.ts';
import type { Action } from '../../../src/core/action.ts';
import { dollars } from '../../../src/core/ceilings.ts';
import { MOST_ROUNDS } from '../../../src/core/policy.ts';
import { HOOKS_GATE } from '../../../src/core/settings.ts';
import { reviewersWords, stepWords } from '../../../src/core/step-words.ts';
import { TaskOrder } from '../../../src/core/task-order.ts';
import type { PreviewOutput } from '../../../src/core/task-output.ts';
import { counted, sentence, someOf } from '../../../src/core/words.ts';

/** A task that is being written: fields as they are typed. Empty ones are as the configuration says. */
export type TaskDraft = {
  readonly text: string;
  readonly what: 'implement' | 'working-tree' | 'branch';
  readonly branch: string;
  /** Whether what is built is left without a review until somebody asks for one. */
  readonly unreviewed: boolean;
  /** Whether a fixer answers what a review finds. */
  readonly fix: boolean;
  readonly author: string;
  readonly reviewers: readonly string[];
  readonly rounds: string;
  readonly ceiling: string;
  readonly group: string;
  readonly after: string;
};

/** A task about which nothing was said yet. */
export const BLANK: TaskDraft = {
  text: '',
  what: 'implement',
  branch: '',
  unreviewed: false,
  fix: false,
  author: '',
  reviewers: [],
  rounds: '',
  ceiling: '',
  group: '',
  after: '',
};

const STORED = 'volley-task';

/** What is being written on this browser; it stays until it is started. */
export const useTaskDraft = create<{ readonly draft: TaskDraft }>()(persist(() => ({ draft: BLANK }), { name: STORED }));

/** Changes some of its fields. */
export function writeDraft(change: Partial<TaskDraft>): void {
  useTaskDraft.setState(({ draft }) => ({ draft: { ...draft, ...change } }));
}

/** Forgets what was started; what somebody has written since stays. */
export function forgetStarted(started: TaskDraft): void {
  useTaskDraft.setState(({ draft }) => (JSON.stringify(draft) === JSON.stringify(started) ? { draft: { ...BLANK } } : { draft }));
}

/** Reads what is written in other tabs of this browser, so that none of them overwrites it. Returns how to stop. */
export function shareDraft(): () => void {
  // A browser that stores nothing has nothing to read.
  const { persist: stored }: Partial<typeof useTaskDraft> = useTaskDraft;
  const read = ({ key }: StorageEvent): void => {
    if (key === STORED) void stored?.rehydrate();
  };
  void stored?.rehydrate();
  addEventListener('storage', read);
  return () => removeEventListener('storage', read);
}

/** The order that a draft comes to, as a server takes it. */
export type Order = NonNullable<Asked<'previewTask'>['body']>;

/** What a draft orders; null while it says too little, or something that cannot be. */
export function orderOf(draft: TaskDraft): Order | null {
  const text = draft.text.trim();
  const branch = draft.branch.trim();
  if (draft.what === 'implement' && text === '') return null;
  if (CHECKED.some((field) => fieldMistake(field, draft[field]) !== null)) return null;
  const after = tasksIn(draft.after);
  return {
    ...(text === '' ? {} : { text }),
    ...(draft.what === 'implement' ? { kind: 'implement', autoReview: !draft.unreviewed } : { kind: 'review', fix: draft.fix }),
    ...(draft.what === 'working-tree' ? { change: { kind: 'working-tree' } } : {}),
    ...(draft.what === 'branch' ? { change: { kind: 'branch', branch: branch === '' ? 'HEAD' : branch } } : {}),
    ...(draft.author === '' || draft.what !== 'implement' ? {} : { author: draft.author }),
    ...(draft.reviewers.length === 0 ? {} : { reviewer: [...draft.reviewers] }),
    ...numberOf('maxRounds', draft.rounds),
    ...numberOf('ceilingUsd', draft.ceiling),
    ...(draft.group.trim() === '' ? {} : { group: draft.group.trim() }),
    ...(after.length === 0 ? {} : { dependsOn: [...after] }),
  };
}

/** The fields in which something can be written that no server takes. */
const CHECKED = ['rounds', 'ceiling', 'after'] as const;
export type CheckedField = (typeof CHECKED)[number];

const RULES: Readonly<Record<CheckedField, string>> = {
  rounds: `A whole number from 1 to ${MOST_ROUNDS}.`,
  ceiling: 'An amount of dollars, 0 or more.',
  after: 'Numbers of tasks, like #219, #220.',
};

/** What is wrong with a field as it is typed, in words; null where nothing is. */
export function fieldMistake(field: CheckedField, text: string): string | null {
  return text.trim() === '' || isTaken(field, text) ? null : RULES[field];
}

function isTaken(field: CheckedField, text: string): boolean {
  const { maxRounds, ceilingUsd, dependsOn } = TaskOrder.shape;
  switch (field) {
    case 'rounds':
      return maxRounds.safeParse(Number(text)).success;
    case 'ceiling':
      return ceilingUsd.safeParse(Number(text)).success;
    case 'after':
      return dependsOn.safeParse(tasksIn(text)).success;
  }
}

/** The tasks that are named, each once; what is no number of one is not a number. */
function tasksIn(text: string): readonly number[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  return [...new Set(names.map((name) => (/^#?\d+$/.test(name) ? Number(name.replace('#', '')) : Number.NaN)))];
}

function numberOf<K extends string>(name: K, text: string): { [N in K]?: number } {
  const number = Number(text);
  // A computed name makes a type that says less than what is there.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (text.trim() === '' || !Number.isFinite(number) ? {} : { [name]: number }) as { [N in K]?: number };
}

/** What happens to a task as it is being written, in general. */
export function leadWords({ what, unreviewed, fix }: Pick<TaskDraft, 'what' | 'unreviewed' | 'fix'>): string {
  const settles = 'You are asked when they cannot settle it.';
  if (what !== 'implement') return fix ? `It is reviewed, and a fixer answers. ${settles}` : 'It is reviewed once, and nothing is changed.';
  return unreviewed
    ? 'An agent builds it. Nobody reviews it until you ask for that.'
    : `One agent builds it, another reviews it. ${settles}`;
}

/** What a task would do, in a sentence or two: by its longest path, so that nothing is promised that does not happen. */
export function previewWords({ task, settings, steps }: Pick<PreviewOutput, 'task' | 'settings' | 'steps'>): string {
  const actions = steps.map(({ action }) => action);
  const gates = actions.some(({ do: what }) => what === 'gates') ? gateNames(settings) : [];
  const gated = gates.length === 0 ? '' : ` ${gates.length === 1 ? 'Gate' : 'Gates'}: ${someOf(gates)}.`;
  const { loop } = settings.policy.ceilingUsd;
  const limit = loop === null ? ' No ceiling.' : ` At most ${dollars(loop)}.`;
  const waits =
    task.dependsOn.length === 0
      ? ''
      : ` It begins once ${task.dependsOn.map((id) => `#${id}`).join(' and ')} ${task.dependsOn.length === 1 ? 'is' : 'are'} done.`;
  return `${sentence([...builtWords(actions), reviewedWords(settings, actions)].join(', '))}${waits}${gated}${limit}`;
}

function builtWords(actions: readonly Action[]): readonly string[] {
  const author = actions.find((action) => action.do === 'author');
  return author === undefined ? [] : [stepWords(author, [])];
}

function reviewedWords({ review }: PreviewOutput['settings'], actions: readonly Action[]): string {
  const reviews = actions.filter((action) => action.do === 'review');
  const [first] = reviews;
  if (first === undefined)
    return review.enabled ? 'nobody reviews it until you ask for that' : 'nobody reviews it: reviews are switched off';
  const by = reviewersWords(agentsOf(first));
  const fix = actions.find((action) => action.do === 'fix' && action.cause === 'review');
  return fix?.do === 'fix' ? `${by}, ${fix.agent} answers, up to ${counted(reviews.length, 'round')}` : `${by} once`;
}

/** The names of all gates that run, the repository's own hooks among them. */
export function gateNames({ gates, commitHooks }: Pick<PreviewOutput['settings'], 'gates' | 'commitHooks'>): readonly string[] {
  return [...gates.map(({ name }) => name), ...(commitHooks.length === 0 ? [] : [HOOKS_GATE])];
}
