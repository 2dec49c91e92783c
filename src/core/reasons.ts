import { agentsOf } from './action.ts';
import type { JournalEntry } from './event.ts';
import type { Loop } from './loop.ts';
import type { Reason } from './view.ts';
import { waitingWords } from './waiting.ts';
import { appliedWords } from './suggestion.ts';

/** The reason of every step of a loop, and what it waits for now. */
export function reasonsOf(loop: Loop, journal: readonly JournalEntry[]): readonly Reason[] {
  return [...journal.flatMap(reasonOf), ...waitOf(loop)].filter(isNews);
}

/** Somebody who looks again and again whether there is money finds the same for a while. */
function isNews({ step }: Reason, index: number, steps: readonly Reason[]): boolean {
  return step !== 'wait' || steps[index - 1]?.step !== 'wait';
}

/** A wait for an agent or for other tasks is no event of its own: it follows from what happened before. */
function waitOf({ seq, waiting, ending, escalation }: Loop): Reason[] {
  const isEvent = waiting?.for === 'slot' || waiting?.for === 'disk';
  return waiting === null || isEvent || ending !== null || escalation !== null ? [] : [{ seq, step: 'waits', why: waitingWords(waiting) }];
}

function reasonOf({ seq, event }: JournalEntry): Reason[] {
  switch (event.type) {
    case 'created':
      return [{ seq, step: 'created', why: `${event.by} asked for it` }];
    case 'started':
      return [{ seq, step: event.action.do === 'rest' ? 'rest' : stepName(event.action), why: event.action.why }];
    case 'escalated':
      return [{ seq, step: `ask: ${event.reason}`, why: event.why }];
    case 'finished':
      return [{ seq, step: `end: ${event.state}`, why: event.why }];
    case 'decided':
      return [{ seq, step: `decided: ${event.choice}`, why: `${event.by}${event.reason === null ? '' : `: ${event.reason}`}` }];
    case 'overridden':
      return [{ seq, step: event.override, why: `${event.by}${event.reason === null ? '' : `: ${event.reason}`}` }];
    case 'edited':
      return [
        { seq, step: `edit ${Object.keys(event.edit).join(', ')}`, why: `${event.by}${event.reason === null ? '' : `: ${event.reason}`}` },
      ];
    case 'commented':
      return [{ seq, step: event.raised === null ? 'comment' : 'ask for changes', why: `${event.by}: ${event.text}` }];
    case 'released':
      return [{ seq, step: 'released', why: `what it depends on is done, so it starts from ${event.start.commit.slice(0, 8)}` }];
    case 'dependency-lost':
      return [{ seq, step: 'ask: dependency', why: event.why }];
    case 'interrupted':
    case 'checkout-lost':
    case 'refused':
      return [{ seq, step: event.type, why: event.why }];
    case 'imported':
      return [{ seq, step: 'imported', why: `${event.by} took it over from a file` }];
    case 'landed':
      return [{ seq, step: 'landed', why: `${event.by} brought it to ${event.onto}` }];
    case 'moved':
      if (event.applied !== undefined) return [{ seq, step: 'apply', why: appliedWords(event.applied) }];
      return [{ seq, step: 'moved', why: `somebody moved the branch to ${event.head.commit.slice(0, 8)}` }];
    case 'postponed':
      return [{ seq, step: 'wait', why: event.why }];
    case 'woken':
      return [{ seq, step: 'go on', why: 'what it waited for may be over' }];
    case 'failed':
      return [{ seq, step: 'failed', why: event.message }];
    case 'ruled':
      return [{ seq, step: `${event.ruling} ${event.findingId}`, why: `${event.by}${event.reason === null ? '' : `: ${event.reason}`}` }];
    case 'forgotten':
      return [{ seq, step: `forget ${event.findingId}`, why: event.by }];
    case 'authored':
    case 'fixed':
    case 'gated':
    case 'reviewed':
    case 'arbitrated':
    case 'warned':
    case 'tallied':
      return [];
  }
}

function stepName(action: Extract<JournalEntry['event'], { type: 'started' }>['action']): string {
  if (action.do === 'review') return `review ${action.round}, ${agentsOf(action).join(' and ')}`;
  if (action.do === 'arbitrate') return `arbitrate ${action.findingIds.join(', ')}, ${action.agent}`;
  if (action.do === 'fix') return `fix ${action.round} (${action.cause}), ${action.agent}`;
  return action.do === 'author' ? `author ${action.iteration}, ${action.agent}` : action.do;
}
