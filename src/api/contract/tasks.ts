import { z } from 'zod';
import { Edit } from '../../core/event.ts';
import { LoopOutput } from '../../core/output.ts';
import { TaskOrder, TasksOrder } from '../../core/task-order.ts';
import { PreviewOutput, TaskOutput } from '../../core/task-output.ts';
import { Reason, Seq } from './people.ts';
import { LoopParams, route } from './route.ts';

/** What was started; `note` says why nothing was. */
export const Started = z.object({ loops: z.array(LoopOutput), note: z.string().nullable() });
export type Started = z.infer<typeof Started>;

/** The routes about tasks. */
export const tasksContract = {
  startTasks: route({
    method: 'POST',
    path: '/api/tasks',
    tag: 'tasks',
    summary: 'Starts a task, several, or those of a Markdown document: all of them or none. Whoever works drives them.',
    body: TasksOrder,
    reply: Started,
    status: 201,
    orStatus: 200,
  }),
  previewTask: route({
    method: 'POST',
    path: '/api/tasks/preview',
    tag: 'tasks',
    summary: 'What a task would be started with, and every step of the longest path that it could take; nothing is written.',
    body: TaskOrder,
    reply: z.object({ preview: PreviewOutput.nullable(), note: z.string().nullable() }),
  }),
  readTask: route({
    method: 'GET',
    path: '/api/tasks/:id',
    tag: 'tasks',
    summary: 'A task with all its words and what it was configured with.',
    params: LoopParams,
    reply: TaskOutput,
  }),
  editTask: route({
    method: 'PATCH',
    path: '/api/tasks/:id',
    tag: 'tasks',
    summary: 'Changes the words of a task before work begins, or its limits at any time; the first line of its text is its title.',
    params: LoopParams,
    body: Edit.omit({ title: true, autoIterate: true }).extend({ reason: Reason, seq: Seq }),
    reply: TaskOutput,
  }),
};
