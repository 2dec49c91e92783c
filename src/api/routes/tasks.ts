import { loopOutput } from '../../core/project-output.ts';
import { ordersOf } from '../../core/task-order.ts';
import { previewOutput, taskOutput } from '../../core/task-output.ts';
import { titleOf } from '../../core/task.ts';
import { requireDependencies } from '../../engine/commands.ts';
import type { Desk } from '../../engine/desk.ts';
import type { tasksContract } from '../contract/tasks.ts';
import { findLoop, loopNumber } from '../find-loop.ts';
import type { Handlers } from '../handlers.ts';

const NOTHING = 'Nothing to review: the change does not differ from its base.';

/** Answers about tasks. */
export function tasksRoutes(desk: Desk): Handlers<typeof tasksContract> {
  const { tasks } = desk;
  return {
    startTasks: async ({ body }, { setStatus }) => {
      const loops = await tasks.start(ordersOf(body));
      if (loops.length === 0) setStatus(200);
      return { loops: loops.map(loopOutput), note: loops.length === 0 ? NOTHING : null };
    },
    previewTask: async ({ body }) => {
      await requireDependencies(desk.engine, null, body.dependsOn);
      const preview = await tasks.preview(body);
      return preview === null ? { preview, note: NOTHING } : { preview: previewOutput(preview), note: null };
    },
    readTask: async ({ params }) => taskOutput(await findLoop(desk, params.id)),
    editTask: async ({ params, body: { reason, seq, ...edit } }) => {
      const title = edit.text === undefined ? {} : { title: titleOf(edit.text) };
      return taskOutput(await tasks.edit(await loopNumber(desk, params.id), { edit: { ...edit, ...title }, reason, seq }));
    },
  };
}
