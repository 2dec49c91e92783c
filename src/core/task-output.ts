import { z } from 'zod';
import { Action } from './action.ts';
import { dryRunSteps } from './dry-run.ts';
import { Instant } from './instant.ts';
import { LoopNumber, LoopUid } from './loop-name.ts';
import type { Loop } from './loop.ts';
import { Policy } from './policy.ts';
import { redactAll } from './redact-all.ts';
import { Billing, GateSpec, Roles } from './settings.ts';
import type { Settings } from './settings.ts';
import { Task } from './task.ts';

/** What a task was configured with, as programs see it; how agents are started is not part of it. */
export const SettingsOutput = z.object({
  policy: Policy,
  roles: Roles,
  agents: z.record(z.string(), z.object({ driver: z.string(), model: z.string().nullable(), billing: Billing.nullable() })),
  gates: z.array(GateSpec),
  /** The repository's own commit hooks, which run as a gate. */
  commitHooks: z.array(z.string()),
  review: z.object({ enabled: z.boolean(), context: z.enum(['diff', 'files']) }),
  autoReview: z.boolean(),
  autoIterate: z.boolean(),
  requireSandbox: z.boolean(),
});
export type SettingsOutput = z.infer<typeof SettingsOutput>;

/** A task with all its words and what it was configured with. */
export const TaskOutput = z.object({
  type: z.literal('task'),
  v: z.literal(1),
  id: LoopNumber,
  uid: LoopUid,
  seq: z.number(),
  state: z.string(),
  createdAt: Instant,
  task: Task,
  base: z.object({ ref: z.string(), commit: z.string() }),
  branch: z.string(),
  notes: z.array(z.string()),
  /** Who plays which role now, and the limits that hold now; both start as the settings say. */
  roles: Roles,
  maxRounds: z.number(),
  ceilingUsd: Policy.shape.ceilingUsd,
  autoReview: z.boolean(),
  /** Frozen when it was started. */
  settings: SettingsOutput,
});
export type TaskOutput = z.infer<typeof TaskOutput>;

/** What would be started, and every step of the longest path that it could take. */
export const PreviewOutput = z.object({
  type: z.literal('preview'),
  v: z.literal(1),
  task: Task,
  settings: SettingsOutput,
  notes: z.array(z.string()),
  steps: z.array(z.object({ text: z.string(), action: Action })),
});
export type PreviewOutput = z.infer<typeof PreviewOutput>;

/** A task as programs see it. */
export function taskOutput(loop: Loop): TaskOutput {
  return {
    type: 'task',
    v: 1,
    id: loop.id,
    uid: loop.uid,
    seq: loop.seq,
    state: loop.state,
    createdAt: loop.createdAt,
    task: loop.task,
    base: { ref: loop.base.ref, commit: loop.base.commit },
    branch: loop.branch,
    notes: [...loop.notes],
    roles: loop.roles,
    maxRounds: loop.maxRounds,
    ceilingUsd: loop.ceilingUsd,
    autoReview: loop.autoReview,
    settings: settingsOutput(loop.settings),
  };
}

/** What would be started, as programs see it. */
export function previewOutput({
  task,
  settings,
  notes,
}: Readonly<{ task: Task; settings: Settings; notes: readonly string[] }>): PreviewOutput {
  const steps = dryRunSteps(task, settings).map(({ action, text }) => ({ text, action }));
  return { type: 'preview', v: 1, task: redactAll(task), settings: settingsOutput(settings), notes: [...notes], steps };
}

/** A gate is a shell line, in which somebody may have written a secret. */
function settingsOutput(settings: Settings): SettingsOutput {
  const { policy, roles, review, autoReview, autoIterate } = settings;
  const agents = Object.entries(settings.agents).map(([name, { driver, model, billing }]) => [name, { driver, model, billing }] as const);
  return {
    policy,
    roles,
    agents: Object.fromEntries(agents),
    gates: redactAll(settings.gates),
    commitHooks: [...(settings.commitHooks?.names ?? [])],
    review,
    autoReview,
    autoIterate,
    requireSandbox: settings.confine.required,
  };
}
