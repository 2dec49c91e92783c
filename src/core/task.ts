import { z } from 'zod';

/** What is under review when no author makes it. */
export const ChangeSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('authored') }),
  z.object({ kind: z.literal('branch'), branch: z.string() }),
  z.object({ kind: z.literal('range'), range: z.string() }),
  z.object({ kind: z.literal('working-tree') }),
]);
export type ChangeSource = z.infer<typeof ChangeSource>;

/** What a task is for: something is built, or a change that exists is reviewed. */
export const TaskKind = z.enum(['implement', 'review']);

/** The work that was asked for, with its acceptance criteria. */
export const Task = z.object({
  kind: TaskKind,
  title: z.string(),
  /** All the words of the request, the title included. */
  text: z.string(),
  story: z.string().nullable(),
  plan: z.string().nullable(),
  ref: z.string().nullable(),
  source: ChangeSource,
  /** A review task that is answered by a fixer. */
  fix: z.boolean(),
  /** Tasks that have to be done before this one starts, from where they ended. */
  dependsOn: z.array(z.number().int().positive()).default([]),
  /** The name under which it is worked on together with others. */
  group: z.string().nullable().default(null),
  /** The review whose findings were answered before this one looks at the same change again. No reviewer is told. */
  follows: z.number().int().positive().nullable().default(null),
  /** The work tree in which a change that exists was looked for, and the branch that was checked out there. */
  takenFrom: z.object({ workTree: z.string(), branch: z.string().nullable() }).nullable().default(null),
});
export type Task = z.infer<typeof Task>;

/** A task with nothing set but what is given; its title says it all where there are no other words. */
export function plainTask(given: Pick<Task, 'kind' | 'title' | 'source'> & Partial<Task>): Task {
  const nothing = { story: null, plan: null, ref: null, dependsOn: [], group: null, follows: null, takenFrom: null };
  return { ...nothing, text: given.title, fix: given.kind === 'implement', ...given };
}

/** The branch that a change under review is of; null where nobody knows it. */
export function branchOf({ source, takenFrom }: Pick<Task, 'source' | 'takenFrom'>): string | null {
  const named = source.kind === 'branch' ? source.branch : source.kind === 'range' ? rangeEnd(source.range) : 'HEAD';
  return named === 'HEAD' ? (takenFrom?.branch ?? null) : named.replace(/^refs\/heads\//, '');
}

/** Where a range of commits ends. */
export function rangeEnd(range: string): string {
  return range.split(/\.{2,3}/)[1] || 'HEAD';
}

/** The title of a task that was given in words: their first line. */
export function titleOf(text: string): string {
  return text.trim().split(/\r?\n/)[0] ?? '';
}

const SLUG_LENGTH = 40;

/** A short name for branches: ASCII letters, digits and single dashes, cut between words where that is possible. */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (words.length <= SLUG_LENGTH) return words === '' ? 'task' : words;
  const cut = words.slice(0, SLUG_LENGTH + 1).lastIndexOf('-');
  return words.slice(0, cut > 0 ? cut : SLUG_LENGTH);
}
