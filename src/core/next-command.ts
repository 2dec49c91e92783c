import type { Choice } from './action.ts';
import { choicesOf } from './choices.ts';
import { wantsWork } from './decide.ts';
import { isLanded } from './land-problem.ts';
import type { Loop } from './loop.ts';
import { lostSeats } from './panel.ts';
import { BUILTIN } from './settings.ts';
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
        : `volley decide ${loop.id} ${bestChoice(loop)}`;
  }
}

function afterWait({ id, settings, task }: Loop, waiting: Waiting): string {
  if (waiting.for === 'dependency') return `volley show ${task.dependsOn[0] ?? id}`;
  if (waiting.for !== 'login' || waiting.agent === null) return `volley work ${id}`;
  return `volley login ${settings.agents[waiting.agent]?.driver ?? waiting.agent} && volley work ${id}`;
}

/** What a choice cannot do without. */
const NEEDS: Partial<Record<Choice, string>> = { answer: ' --reason "…"', 'raise-ceiling': ' --ceiling N', reassign: ' --agent NAME' };

/** The choice that goes on, where there is one, with what it needs; else the first. */
function bestChoice(loop: Loop): string {
  const choices = choicesOf(loop);
  // The built-in fixer reads no answer and does the same every time.
  if (choices.includes('reassign') && loop.settings.agents[loop.roles.fixer ?? '']?.driver === BUILTIN && asksPerson(loop))
    return 'fix-manually';
  // What does not fit does not fit the second time either.
  const isPointless = (choice: Choice): boolean => choice === 'retry' && isTooLarge(loop);
  const best =
    choices.find((choice) => choice !== 'fix-manually' && choice !== 'accept' && choice !== 'cancel' && !isPointless(choice)) ??
    choices[0] ??
    'cancel';
  return `${best}${NEEDS[best] ?? ''}`;
}

function isTooLarge(loop: Loop): boolean {
  const attempts = lostSeats(loop).flatMap((seat) => seat.attempts.slice(-1));
  return attempts.length > 0 && attempts.every(({ reason }) => reason === 'too-large');
}

function asksPerson({ findings }: Loop): boolean {
  return findings.some((one) => one.resolution?.status === 'needs_person');
}
