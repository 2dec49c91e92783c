import { adoptPush } from './apply-people.ts';
import type { Edit } from './event.ts';
import type { Loop } from './loop.ts';
import { waitForTasks } from './waiting.ts';

/** What a person changed of a task. */
export function applyEdit(loop: Loop, edit: Edit): Loop {
  const { task, roles } = loop;
  const dependsOn = edit.dependsOn ?? task.dependsOn;
  const waitsAnew = edit.dependsOn !== undefined && (loop.waiting === null || loop.waiting.for === 'dependency');
  const next: Loop = {
    ...loop,
    task: {
      ...task,
      title: edit.title ?? task.title,
      text: edit.text ?? task.text,
      story: edit.story === undefined ? task.story : edit.story,
      plan: edit.plan === undefined ? task.plan : edit.plan,
      ref: edit.ref === undefined ? task.ref : edit.ref,
      group: edit.group === undefined ? task.group : edit.group,
      dependsOn,
    },
    roles: { ...roles, author: edit.author ?? roles.author, reviewer: edit.reviewer ?? roles.reviewer, fixer: edit.fixer ?? roles.fixer },
    waiting: waitsAnew ? (dependsOn.length === 0 ? null : waitForTasks(dependsOn)) : loop.waiting,
    escalation: waitsAnew && loop.escalation?.reason === 'dependency' ? null : loop.escalation,
    maxRounds: edit.maxRounds ?? loop.maxRounds,
    ceilingUsd: edit.ceilingUsd === undefined ? loop.ceilingUsd : { ...loop.ceilingUsd, loop: edit.ceilingUsd },
    autoReview: edit.autoReview ?? loop.autoReview,
    autoIterate: edit.autoIterate ?? edit.autoReview ?? loop.autoIterate,
  };
  return edit.autoReview === true ? goesOnUnasked(next) : next;
}

/** What was implemented and not reviewed goes on once reviews are to follow by themselves. */
function goesOnUnasked(loop: Loop): Loop {
  const isImplemented = loop.ending?.state === 'pending_self_review' && loop.rounds.length === 0;
  return isImplemented ? adoptPush({ ...loop, ending: null }, false) : loop;
}
