import type { Effect } from './action.ts';
import { blockingIn } from './convergence.ts';
import { decide } from './decide.ts';
import { isRed } from './event.ts';
import { isLanded } from './land-problem.ts';
import type { Loop } from './loop.ts';
import type { Waiting } from './waiting.ts';
import { counted, numberWord, someOf } from './words.ts';

/** What happens to a loop now, what it waits for, or what it came to, in a few words; null where there is nothing to say. */
export function nowWords(loop: Loop): string | null {
  if (loop.takenOver !== null) return `${loop.takenOver.by} works on it`;
  if (loop.ending !== null) return endWords(loop, loop.ending);
  if (loop.escalation !== null) return null;
  if (loop.current !== null) return workWords(loop, loop.current.action);
  return loop.waiting === null ? nextWords(loop) : waitWords(loop, loop.waiting);
}

function endWords(loop: Loop, { state, why }: NonNullable<Loop['ending']>): string | null {
  if (isLanded(loop)) return `landed on ${loop.landed?.onto ?? ''}`;
  if (state === 'approved') return loop.approval?.by === 'person' ? `accepted by ${loop.approval.name}` : 'proof complete';
  if (state === 'self_review_failed') return `${counted(blockingIn(loop).length, 'finding')} in the way`;
  return state === 'cancelled' ? null : why;
}

function workWords(loop: Loop, action: Effect): string {
  switch (action.do) {
    case 'author':
      return `${action.agent} builds · iteration ${action.iteration}`;
    case 'gates':
      return 'the gates run';
    case 'review':
      return reviewWords(loop, action);
    case 'fix':
      return fixWords(loop, action);
    case 'arbitrate':
      return `${action.agent} rules on ${counted(action.findingIds.length, 'dispute')}`;
  }
}

function reviewWords({ current, seats }: Loop, { sessions }: Extract<Effect, { do: 'review' }>): string {
  const reported = current?.reported ?? [];
  const atWork = sessions.filter(({ member }) => !reported.includes(member)).map(({ agent }) => agent);
  const answered = seats.flatMap(({ answer }) => (answer === null ? [] : [answer.agent]));
  const size = atWork.length + answered.length;
  if (size < 2) return `${someOf(atWork)} reviews`;
  const done = answered.length === 0 ? '' : `${someOf(answered)} done, `;
  return `panel of ${numberWord(size)} · ${done}${someOf(atWork)} at work`;
}

function fixWords(loop: Loop, { agent, cause }: Extract<Effect, { do: 'fix' }>): string {
  switch (cause) {
    case 'review':
    case 'order': {
      const asked = blockingIn(loop).length;
      return asked === 0 ? `${agent} improves it` : `${agent} answers ${counted(asked, 'finding')}`;
    }
    case 'gates': {
      const red = loop.gates.results.filter(isRed).map(({ name }) => name);
      return `gate ${someOf(red)} red · fix ${loop.gates.fixes + 1} of ${loop.settings.policy.maxGateFixes}`;
    }
    case 'withheld':
      return `${agent} takes out what must not be committed`;
  }
}

function waitWords({ task }: Loop, { for: what, agent, why }: Waiting): string {
  switch (what) {
    case 'dependency':
      return `waits for ${task.dependsOn.map((id) => `#${id}`).join(' and ')}`;
    case 'login':
      return `${agent ?? 'an agent'} is logged out`;
    case 'rate-limit':
      return `${agent ?? 'an agent'} has reached its limit`;
    case 'slot':
      return 'waits for money that other sessions hold';
    case 'disk':
      return why;
  }
}

/** Nobody is at it: what whoever drives it next will do. */
function nextWords(loop: Loop): string | null {
  const action = decide(loop);
  switch (action.do) {
    case 'author':
      return action.iteration === 1 ? 'not begun yet' : `iteration ${action.iteration} is next`;
    case 'gates':
      return 'the gates are next';
    case 'review':
      return `round ${action.round} is next`;
    case 'fix':
      return 'a fix is next';
    case 'arbitrate':
      return 'a ruling is next';
    case 'escalate':
    case 'finish':
    case 'wait':
    case 'rest':
      return null;
  }
}
