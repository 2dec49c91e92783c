import type { Choice } from './action.ts';
import { choicesOf, hasChange, mayAddRound } from './choices.ts';
import { decide } from './decide.ts';
import type { Event } from './event.ts';
import { isClosed } from './finding.ts';
import type { Loop } from './loop.ts';
import { nextSessions } from './panel.ts';

type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

/** Why the loop does not take this event now, or null if it does. */
export function refusal(loop: Loop, event: Event): string | null {
  switch (event.type) {
    case 'created':
      return 'the loop exists already';
    case 'started':
      return startedRefusal(loop, event);
    case 'authored':
    case 'fixed':
    case 'gated':
    case 'reviewed':
    case 'arbitrated':
      return resultRefusal(loop, event);
    case 'forgotten':
      return loop.findings.some(({ id, ruling }) => id === event.findingId && ruling?.remembered === true)
        ? null
        : `nothing is remembered of ${event.findingId}`;
    case 'ruled':
      return rulingRefusal(loop, event);
    case 'woken':
      return loop.waiting === null ? 'it waits for nothing' : null;
    case 'interrupted':
    case 'checkout-lost':
      return loop.current?.token === event.token ? null : 'that action is no longer under way';
    case 'escalated': {
      const action = decide(loop);
      return action.do === 'escalate' && action.reason === event.reason ? null : 'there is nothing to ask a person now';
    }
    case 'finished': {
      const action = decide(loop);
      return action.do === 'finish' && action.state === event.state ? null : `the loop does not end as ${event.state} now`;
    }
    case 'decided':
      return decisionRefusal(loop, event);
    case 'overridden':
      return overrideRefusal(loop, event);
    case 'moved':
      return event.head.commit === (loop.pushed?.head ?? loop.head)?.commit ? 'the branch is where it was' : null;
    case 'failed':
      return loop.ending === null ? null : 'the loop has ended';
    case 'landed':
      return loop.head === null ? 'there is nothing to land' : null;
    case 'warned':
    case 'refused':
      return null;
  }
}

function startedRefusal(loop: Loop, event: EventOf<'started'>): string | null {
  if (loop.current !== null) return 'another action is under way';
  return JSON.stringify(decide(loop)) === JSON.stringify(event.action) ? null : 'this is not what the loop does next';
}

const RESULT_OF = { authored: 'author', fixed: 'fix', gated: 'gates', reviewed: 'review', arbitrated: 'arbitrate' } as const;

function resultRefusal(loop: Loop, event: EventOf<keyof typeof RESULT_OF>): string | null {
  if (loop.current?.token !== event.token) return 'the action that asked for this was superseded';
  if (loop.current.action.do !== RESULT_OF[event.type]) return 'this is the result of another kind of action';
  if (event.type === 'reviewed' && !isAwaited(loop.current, event)) return 'nobody waits for this member of the panel';
  if (event.type === 'gated' && event.tree !== loop.head?.tree) return 'the gates ran on another tree';
  return null;
}

function isAwaited({ action, reported }: NonNullable<Loop['current']>, { member, agent }: EventOf<'reviewed'>): boolean {
  if (action.do !== 'review' || reported.includes(member)) return false;
  return action.sessions.some((session) => session.member === member && session.agent === agent);
}

function rulingRefusal(loop: Loop, { findingId, ruling }: EventOf<'ruled'>): string | null {
  const finding = loop.findings.find(({ id }) => id === findingId);
  if (finding === undefined) return `there is no finding ${findingId}`;
  if (loop.ending?.state === 'cancelled') return 'the loop was cancelled';
  if (finding.source === 'gate') return `${findingId} is a gate; it closes when the gate passes`;
  switch (ruling) {
    case 'refute':
      return finding.status === 'refuted' ? `${findingId} is refuted already` : null;
    case 'accept':
      return finding.status === 'accepted' ? `${findingId} is accepted already` : null;
    case 'uphold':
      if (loop.landed !== null && isClosed(finding)) return `the work has landed on ${loop.landed.onto}`;
      return finding.status === 'disputed' || finding.status === 'refuted' ? null : `nobody disputes ${findingId}`;
    case 'reopen':
      if (loop.landed !== null) return `the work has landed on ${loop.landed.onto}`;
      return isClosed(finding) ? null : `${findingId} is open`;
  }
}

function decisionRefusal(loop: Loop, event: EventOf<'decided'>): string | null {
  const choices = choicesOf(loop);
  if (choices.length === 0) return 'nothing waits for a decision';
  if (!choices.includes(event.choice)) return `the choices are ${choices.join(', ')}`;
  return missingArgument(loop, event.choice, event);
}

function missingArgument(loop: Loop, choice: Choice, event: EventOf<'decided'>): string | null {
  if (choice === 'reassign') {
    if (event.agent === null) return 'reassign needs the name of an agent';
    if (loop.settings.agents[event.agent] === undefined) return `${event.agent} is not an agent of this loop`;
    if (reviews(loop) && loop.roles.reviewer.includes(event.agent) && loop.roles.reviewer.length > 1) {
      return `${event.agent} sits on the panel already`;
    }
    if (reviews(loop) && loop.tampered.includes(event.agent))
      return `${event.agent} changed what it was given to read and reviews no more here`;
  }
  if (choice === 'answer' && (event.reason ?? '').trim() === '') return 'an answer needs words';
  if (choice === 'raise-ceiling' && (event.ceilingUsd ?? 0) <= loop.spend.usd) {
    return `the new ceiling must be above $${loop.spend.usd.toFixed(2)}, which are spent already`;
  }
  return null;
}

/** Whether the open question is about the reviewer. */
function reviews(loop: Loop): boolean {
  return loop.escalation?.reason === 'tampered' || loop.escalation?.reason === 'no-verdict';
}

function overrideRefusal(loop: Loop, event: EventOf<'overridden'>): string | null {
  const ended = loop.ending?.state;
  if (ended === 'cancelled') return 'the loop was cancelled';
  if (ended === 'approved' && event.override !== 'takeover' && event.override !== 'verdict') return 'the loop is approved already';
  switch (event.override) {
    case 'cancel':
    case 'ready':
    case 'skip':
      return null;
    case 'takeover':
      return loop.takenOver === null ? null : `${loop.takenOver.by} took it over already`;
    case 'handback':
      return loop.takenOver === null ? 'nobody took it over' : null;
    case 'verdict':
      return event.verdict === null ? 'a verdict is missing' : hasChange(loop) ? null : 'there is no change yet';
    case 'retry':
      return retryRefusal(loop);
    case 'refine':
      return refineRefusal(loop);
    case 'improve': {
      const words = (event.reason ?? '').trim() !== '' || loop.findings.some((one) => !isClosed(one));
      return words ? refineRefusal(loop) : 'there is neither an open finding nor guidance to improve by';
    }
  }
}

function retryRefusal(loop: Loop): string | null {
  if (loop.takenOver !== null) return `${loop.takenOver.by} took it over; hand it back first`;
  if (reviews(loop) && nextSessions({ ...loop, seats: [] }).length === 0)
    return 'nobody is left to review it; decide reassign names another agent';
  return ordersReview(loop) && !mayAddRound(loop) ? `${loop.rounds.length} rounds are the hard total` : null;
}

function refineRefusal(loop: Loop): string | null {
  if (!hasChange(loop)) return 'there is no change yet';
  if (loop.roles.fixer === null) return 'the loop has no fixer';
  return mayAddRound(loop) ? null : `${loop.rounds.length} rounds are the hard total`;
}

/** Whether `retry` means another review of the same tree, a round of its own. */
export function ordersReview(loop: Loop): boolean {
  const reason = loop.escalation?.reason;
  if (reason === undefined) return loop.ending?.state === 'self_review_failed' || loop.ending?.state === 'pending_self_review';
  return reason === 'max-rounds' || reason === 'needs-discussion' || reason === 'oscillating' || reason === 'disputed';
}
