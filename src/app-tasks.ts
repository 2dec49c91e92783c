import { editTask } from './app-edit.ts';
import type { App, TaskRequest, TasksRequest } from './app.ts';
import type { Called } from './config/called.ts';
import type { Flags } from './config/value-layers.ts';
import { describeChange, sourceOf } from './core/change-request.ts';
import type { ChangeRequest } from './core/change-request.ts';
import { VolleyError } from './core/errors.ts';
import type { TaskOrder } from './core/task-order.ts';
import { plainTask, titleOf } from './core/task.ts';
import type { TaskDesk } from './engine/task-desk.ts';

/** What can be done about the tasks of an open project; `stir` wakes whoever drives loops here. */
export function taskDesk(app: App, stir: () => void): TaskDesk {
  return {
    start: async (orders) => {
      const loops = await app.startAll(together(orders.map(requestOf)));
      if (loops.length > 0) stir();
      return loops;
    },
    preview: async (order) => await app.preview(requestOf(order)),
    edit: async (id, change) => {
      const loop = await editTask(app, id, change);
      stir();
      return loop;
    },
  };
}

/** Tasks that follow each other and differ in their words alone are prepared as one, because looking at a repository takes its time. */
function together(requests: readonly TaskRequest[]): readonly TasksRequest[] {
  const groups: { readonly key: string; readonly request: TasksRequest }[] = [];
  for (const { task, ...rest } of requests) {
    const key = JSON.stringify([rest, task.kind, task.fix, task.source]);
    const last = groups.at(-1);
    if (last?.key === key) groups[groups.length - 1] = { key, request: { ...last.request, tasks: [...last.request.tasks, task] } };
    else groups.push({ key, request: { ...rest, tasks: [task] } });
  }
  return groups.map(({ request }) => request);
}

/** An order as the command line would give it. */
function requestOf(order: TaskOrder): TaskRequest {
  const { text, story, plan, ref, group, dependsOn } = order;
  const more = { story, plan, ref, group, dependsOn };
  const words = text === undefined ? {} : { title: titleOf(text), text };
  if (order.kind === 'review') {
    if (order.autoReview !== undefined)
      throw new VolleyError('bad-usage', '`autoReview` is of tasks to implement.', 'Leave it out; with `fix` a fixer answers the review.');
    const change: ChangeRequest = order.change ?? { kind: 'branch', branch: 'HEAD', base: null };
    if (change.kind === 'authored')
      throw new VolleyError(
        'bad-usage',
        'A review is about a change that exists.',
        'Name a branch, a range or the working tree in `change`.',
      );
    const title = `Review ${describeChange(change)}`;
    return {
      change,
      task: plainTask({ kind: 'review', title, source: sourceOf(change), fix: order.fix, ...words, ...more }),
      flags: flagsOf(order),
    };
  }
  if (text === undefined) throw new VolleyError('bad-usage', 'A task needs words.', 'Say in `text` what is to be done.');
  if (order.fix)
    throw new VolleyError('bad-usage', '`fix` is of reviews.', 'Leave it out; with `autoReview` a task is reviewed and fixed by itself.');
  const change = order.change ?? { kind: 'authored', base: null };
  if (change.kind !== 'authored')
    throw new VolleyError('bad-usage', 'A task to implement starts from a commit.', 'Name its base as {"kind":"authored","base":REF}.');
  const task = plainTask({ kind: 'implement', title: text, source: { kind: 'authored' }, ...words, ...more });
  return { change, task, flags: flagsOf(order), autoReview: order.autoReview };
}

/** As an order calls what the command line has flags for. */
const AS_FIELDS: Called = {
  author: '`author`',
  reviewer: '`reviewer`',
  fixer: '`fixer`',
  maxRounds: '`maxRounds`',
  effort: '`effort`',
  ceiling: '`ceilingUsd`',
  blockAt: '`blockAt`',
  requireSandbox: '`requireSandbox`',
  gates: '`gates`',
};

function flagsOf(order: TaskOrder): Flags {
  const { author, fixer, effort, blockAt, gates, reviewer, maxRounds, ceilingUsd, requireSandbox } = order;
  return {
    author,
    fixer,
    effort,
    blockAt,
    gates,
    reviewer: reviewer?.join(','),
    maxRounds: maxRounds?.toString(),
    ceiling: ceilingUsd === null ? 'none' : ceilingUsd?.toString(),
    requireSandbox: requireSandbox?.toString(),
    called: AS_FIELDS,
  };
}
