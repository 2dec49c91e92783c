import { z } from 'zod';
import { ChangeRequest } from './change-request.ts';
import { VolleyError } from './errors.ts';
import { Severity } from './finding.ts';
import { Effort, MOST_ROUNDS } from './policy.ts';
import { readTaskList } from './task-list.ts';
import { TaskKind } from './task.ts';

const words = z.string().trim().min(1).max(200_000);
const name = z.string().trim().min(1).max(200);

/** A task as a program orders it. What is left out is as the configuration says. */
export const TaskOrder = z.strictObject({
  kind: TaskKind.default('implement'),
  /** What is to be done; the first line is its title. A review needs no words. */
  text: words.optional(),
  /** The story with its acceptance criteria, as text. */
  story: words.nullable().default(null),
  /** The document that says how it is to be done, as text. */
  plan: words.nullable().default(null),
  ref: name.nullable().default(null),
  group: name.nullable().default(null),
  dependsOn: z.array(z.number().int().positive()).max(100).default([]),
  /** What is reviewed, or what an author starts from; left out: the current branch. */
  change: ChangeRequest.optional(),
  /** With `review`: a fixer answers the findings. */
  fix: z.boolean().default(false),
  /** With `implement`: whether it is reviewed and fixed by itself. */
  autoReview: z.boolean().optional(),
  author: name.optional(),
  reviewer: z.array(name).min(1).max(20).optional(),
  fixer: name.optional(),
  maxRounds: z.number().int().positive().max(MOST_ROUNDS).optional(),
  effort: Effort.optional(),
  /** Null for no ceiling. */
  ceilingUsd: z.number().nonnegative().nullable().optional(),
  blockAt: Severity.optional(),
  /** Commands in place of the configured gates. */
  gates: z.array(z.string().min(1).max(10_000)).max(50).optional(),
  requireSandbox: z.boolean().optional(),
});
export type TaskOrder = z.infer<typeof TaskOrder>;

/** The most tasks that are ordered at once. */
const MOST_TASKS = 100;

/** One task, several, or a Markdown document in which every heading is a task and to all of which the rest of the order applies. */
export const TasksOrder = z.union([
  z.strictObject({ tasks: z.array(TaskOrder).min(1).max(MOST_TASKS) }),
  // That it has no list is said, so that what is wrong within a list is told and not that there is one.
  TaskOrder.extend({ from: z.string().trim().min(1).max(500_000).optional(), tasks: z.never().optional() }),
]);
export type TasksOrder = z.infer<typeof TasksOrder>;

/** Each task of an order. */
export function ordersOf(order: TasksOrder): readonly TaskOrder[] {
  if (order.tasks !== undefined) return order.tasks;
  const { from, tasks: _none, ...rest } = order;
  if (from === undefined) return [rest];
  if (rest.text !== undefined || rest.kind === 'review')
    throw new VolleyError('bad-usage', '`from` names the tasks to implement.', 'Leave out `text`, and `kind` if it is review.');
  const listed = readTaskList(from);
  if (listed.length === 0)
    throw new VolleyError('bad-usage', '`from` holds no heading, so it names no task.', 'Write each task below a heading of its own.');
  if (listed.length > MOST_TASKS)
    throw new VolleyError('too-large', `\`from\` names ${listed.length} tasks.`, `Order at most ${MOST_TASKS} of them at once.`);
  return listed.map(({ text }) => ({ ...rest, text }));
}
