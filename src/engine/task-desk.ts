import type { Edit } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import type { Settings } from '../core/settings.ts';
import type { TaskOrder } from '../core/task-order.ts';
import type { Task } from '../core/task.ts';
import type { Seen } from './take.ts';

/** What can be done about tasks, with the configuration and the agents of this machine. */
export type TaskDesk = {
  /** Writes new loops, all of them or none; an order without anything to review makes none. */
  start(orders: readonly TaskOrder[]): Promise<readonly Loop[]>;
  /** What would be started, without writing anything; null if there is nothing to review. */
  preview(order: TaskOrder): Promise<{ readonly task: Task; readonly settings: Settings; readonly notes: readonly string[] } | null>;
  /** Changes a task that waits, or the limits of one that runs. */
  edit(id: number, change: Seen & { readonly edit: Edit; readonly reason: string | null }): Promise<Loop>;
};
