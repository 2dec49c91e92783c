import type { Asked } from '../../../src/api/contract/client.ts';
import { MOST_ROUNDS } from '../../../src/core/policy.ts';
import { TaskOrder } from '../../../src/core/task-order.ts';
import type { TaskDraft } from './task-draft.ts';

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
