import type { Choice } from './action.ts';
import { bestChoice } from './best-choice.ts';
import { choicesOf } from './choices.ts';
import { wantsWork } from './decide.ts';
import { isLanded } from './land-problem.ts';
import type { Loop } from './loop.ts';
import type { Waiting } from './waiting.ts';

/** The command that a person would type next, or null if there is nothing to do. */
export function nextCommand(loop: Loop): string | null {
  if (loop.takenOver !== null) return `volley handback ${loop.id}`;
  switch (loop.ending?.state) {
    case 'approved':
      if (loop.pushed !== null) return `volley takeover ${loop.id}`;
      return loop.commits.length > 0 && !isLanded(loop) ? `volley land ${loop.id}` : null;
    case 'failed':
      return `volley retry ${loop.id}`;
    case 'pending_self_review':
      return `volley review ${loop.id}`;
    case 'ready_for_human_review':
      return isLanded(loop) ? null : `volley diff ${loop.id}`;
    case 'cancelled':
      return null;
    case 'self_review_failed':
      return choicesOf(loop).includes('refine') ? `volley decide ${loop.id} refine` : `volley findings ${loop.id}`;
    case undefined:
      if (loop.escalation === null && loop.waiting !== null) return afterWait(loop, loop.waiting);
      return loop.escalation === null
        ? wantsWork(loop)
          ? `volley work ${loop.id}`
          : null
        : `volley decide ${loop.id} ${withNeed(bestChoice(loop))}`;
  }
}

function afterWait({ id, settings, task }: Loop, waiting: Waiting): string {
  if (waiting.for === 'dependency') return `volley show ${task.dependsOn[0] ?? id}`;
  if (waiting.for !== 'login' || waiting.agent === null) return `volley work ${id}`;
  return `volley login ${settings.agents[waiting.agent]?.driver ?? waiting.agent} && volley work ${id}`;
}

/** What a choice cannot do without. */
const NEEDS: Partial<Record<Choice, string>> = { answer: ' --reason "…"', 'raise-ceiling': ' --ceiling N', reassign: ' --agent NAME' };

function withNeed(choice: Choice): string {
  return `${choice}${NEEDS[choice] ?? ''}`;
}
