import type { Choice } from './action.ts';
import { dollars, tooLow } from './ceilings.ts';
import { choiceNeeds, choicesOf, hasChange, mayAddRound } from './choices.ts';
import { decide, wantsWork } from './decide.ts';
import type { Edit, Event, Override } from './event.ts';
import { isClosed } from './finding.ts';
import { isLanded } from './land-problem.ts';
import type { Loop } from './loop.ts';
import { nextSessions } from './panel.ts';
import { hardTotal } from './policy.ts';
import { waitsForTasks } from './waiting.ts';

type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

/** Why the loop does not take this event now, or null if it does. */
export function refusal(loop: Loop, event: Event): string | null {
  switch (event.type) {
    case 'created':
      return 'the loop exists already';
    case 'tallied':
      return loop.current === null && loop.ceilingUsd.day !== null ? null : 'no paid action begins now';
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
    case 'postponed':
      return postponedRefusal(loop, event);
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
    case 'commented':
      return commentRefusal(loop, event);
    case 'edited':
      return editRefusal(loop, event.edit);
    case 'released':
    case 'dependency-lost':
      return waitsForTasks(loop) ? null : 'it waits for no other task';
    case 'decided':
      return decisionRefusal(loop, event);
    case 'overridden':
      return overrideRefusal(loop, event);
    case 'moved':
      // Who applied a suggestion is told also where whoever drives the loop saw the commit first.
      return event.applied === undefined && isNewest(loop, event.head.commit) ? 'the branch is where it was' : null;
    case 'failed':
      return loop.ending === null ? null : 'the loop has ended';
    case 'landed':
      return loop.head === null ? 'there is nothing to land' : null;
    case 'imported':
    case 'warned':
    case 'refused':
      return null;
  }
}

/** A disk may be full at any moment at which something is about to be done; money is missed only where some is needed. */
function postponedRefusal(loop: Loop, { for: what = 'slot' }: EventOf<'postponed'>): string | null {
  if (what === 'disk') return loop.current === null && wantsWork(loop) ? null : 'nothing is about to be done';
  return decide(loop.waiting?.for === 'slot' ? { ...loop, waiting: null } : loop).do === 'wait' ? null : 'nothing holds it up now';
}

function isNewest(loop: Loop, commit: string): boolean {
  return commit === (loop.pushed?.head ?? loop.head)?.commit;
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
      if (isLanded(loop) && isClosed(finding)) return landedWords(loop);
      return finding.status === 'disputed' || finding.status === 'refuted' ? null : `nobody disputes ${findingId}`;
    case 'reopen':
      if (isLanded(loop)) return landedWords(loop);
      return isClosed(finding) ? null : `${findingId} is open`;
  }
}

function commentRefusal(loop: Loop, { text, raised }: EventOf<'commented'>): string | null {
  if (loop.ending?.state === 'cancelled') return 'the loop was cancelled';
  if (text.trim() === '') return 'a comment needs words';
  if (raised === null) return null;
  if (isLanded(loop)) return landedWords(loop);
  return hasChange(loop) ? null : 'there is no change yet';
}

const BEFORE_WORK: readonly (keyof Edit)[] = ['title', 'text', 'story', 'plan', 'ref', 'group', 'dependsOn', 'author'];

function editRefusal(loop: Loop, edit: Edit): string | null {
  const keys = Object.keys(edit);
  if (keys.length === 0) return 'nothing is changed';
  if (loop.ending?.state === 'cancelled') return 'the loop was cancelled';
  const late = BEFORE_WORK.filter((key) => keys.includes(key));
  if (late.length > 0 && hasBegun(loop)) return `work has begun, so ${late.join(' and ')} can be changed no more`;
  if (edit.title?.trim() === '') return 'a task needs words';
  if (edit.dependsOn?.includes(loop.id) === true) return 'a task cannot depend on itself';
  const stranger = [edit.author, edit.fixer, ...(edit.reviewer ?? [])].find(
    (name) => name !== undefined && loop.settings.agents[name] === undefined,
  );
  if (stranger !== undefined) return `${stranger} is not an agent of this loop`;
  const panel = edit.reviewer === undefined ? null : panelRefusal(loop, edit.reviewer);
  if (panel !== null) return panel;
  if (edit.ceilingUsd !== undefined && edit.ceilingUsd !== null && edit.ceilingUsd < loop.spend.usd)
    return `${dollars(loop.spend.usd)} are spent already`;
  return edit.maxRounds === undefined ? null : roundsRefusal(loop, edit.maxRounds);
}

/** An answer counts in the round in which it was given, so the panel changes between rounds. */
function panelRefusal(loop: Loop, reviewer: readonly string[]): string | null {
  if (new Set(reviewer).size < reviewer.length) return 'every member of a panel has one seat';
  const tampered = reviewer.find((name) => loop.tampered.includes(name));
  if (tampered !== undefined) return `${tampered} changed what it was given to read and reviews no more here`;
  const isUnderWay = loop.current?.action.do === 'review' || loop.seats.some(({ answer }) => answer !== null);
  return isUnderWay ? 'a review is under way; the panel can be changed when it is over' : null;
}

function roundsRefusal(loop: Loop, maxRounds: number): string | null {
  if (maxRounds < loop.rounds.length) return `${loop.rounds.length} rounds were reviewed already`;
  const most = hardTotal(loop.settings.policy) + loop.grantedRounds;
  return maxRounds > most ? `${most} rounds are the hard total` : null;
}

/** Whether anything was done for the task. */
function hasBegun(loop: Loop): boolean {
  return loop.begun || loop.commits.length > 0;
}

function decisionRefusal(loop: Loop, event: EventOf<'decided'>): string | null {
  const choices = choicesOf(loop);
  if (choices.length === 0) return 'nothing waits for a decision';
  if (!choices.includes(event.choice)) return `the choices are ${choices.join(', ')}`;
  return missingArgument(loop, event.choice, event);
}

function missingArgument(loop: Loop, choice: Choice, event: EventOf<'decided'>): string | null {
  const need = choiceNeeds(choice);
  if (need === 'agent') {
    if (event.agent === null) return 'reassign needs the name of an agent';
    if (loop.settings.agents[event.agent] === undefined) return `${event.agent} is not an agent of this loop`;
    if (reviews(loop) && loop.roles.reviewer.includes(event.agent) && loop.roles.reviewer.length > 1) {
      return `${event.agent} sits on the panel already`;
    }
    if (reviews(loop) && loop.tampered.includes(event.agent))
      return `${event.agent} changed what it was given to read and reviews no more here`;
  }
  if (need === 'reason' && (event.reason ?? '').trim() === '') return 'an answer needs words';
  return need === 'ceilingUsd' ? tooLow(loop, event.ceilingUsd) : null;
}

/** Whether the open question is about the reviewer. */
function reviews(loop: Loop): boolean {
  return loop.escalation?.reason === 'tampered' || loop.escalation?.reason === 'no-verdict';
}

function overrideRefusal(loop: Loop, event: EventOf<'overridden'>): string | null {
  const ended = loop.ending?.state;
  if (ended === 'cancelled') return 'the loop was cancelled';
  if (ended === 'approved' && !REOPENING.includes(event.override)) return 'the loop is approved already';
  if (isLanded(loop) && event.override !== 'takeover' && event.override !== 'handback') return landedWords(loop);
  if (loop.takenOver !== null && AT_WORK.includes(event.override)) return `${loop.takenOver.by} took it over; hand it back first`;
  switch (event.override) {
    case 'cancel':
      return null;
    case 'skip':
      if (ended === 'ready_for_human_review') return 'it is ready for a person already';
      return hasChange(loop) ? null : 'there is no change yet';
    case 'ready':
      return hasChange(loop) ? null : 'there is no change yet';
    case 'takeover':
      return loop.takenOver === null ? null : `${loop.takenOver.by} took it over already`;
    case 'handback':
      return loop.takenOver === null ? 'nobody took it over' : null;
    case 'verdict':
      return verdictRefusal(loop, event.verdict);
    case 'retry':
      return retryRefusal(loop);
    case 'review':
      return reviewRefusal(loop);
    case 'refine':
    case 'improve': {
      const words = (event.reason ?? '').trim() !== '' || loop.findings.some((one) => !isClosed(one));
      return words ? fixRefusal(loop) : 'there is neither an open finding nor guidance to go by';
    }
  }
}

/** What sets agents to work, which nobody does while a person is at it. */
const AT_WORK: readonly Override[] = ['retry', 'refine', 'improve', 'review'];

/** What a person may still do to a loop that is approved. */
const REOPENING: readonly Override[] = ['takeover', 'verdict', 'improve', 'review'];

function landedWords({ landed }: Loop): string {
  return `the work has landed on ${landed?.onto ?? ''}`;
}

/** An approval by review says more than a person's word, which would take its place. */
function verdictRefusal(loop: Loop, verdict: EventOf<'overridden'>['verdict']): string | null {
  if (verdict === null) return 'a verdict is missing';
  if (!hasChange(loop)) return 'there is no change yet';
  if (isLanded(loop)) return landedWords(loop);
  return verdict === 'APPROVED' && loop.ending?.state === 'approved' ? 'the loop is approved already' : null;
}

function reviewRefusal(loop: Loop): string | null {
  if (!hasChange(loop)) return 'there is no change yet';
  return mayAddRound(loop) ? null : `${loop.rounds.length} rounds are the hard total`;
}

function retryRefusal(loop: Loop): string | null {
  if (reviews(loop) && nextSessions({ ...loop, seats: [] }).length === 0)
    return 'nobody is left to review it; decide reassign names another agent';
  return retryReviews(loop) && !mayAddRound(loop) ? `${loop.rounds.length} rounds are the hard total` : null;
}

function fixRefusal(loop: Loop): string | null {
  if (!hasChange(loop)) return 'there is no change yet';
  if (loop.roles.fixer === null) return 'the loop has no fixer';
  return mayAddRound(loop) ? null : `${loop.rounds.length} rounds are the hard total`;
}

/** Whether `retry` means another review of the same tree, a round of its own. */
export function retryReviews(loop: Loop): boolean {
  const reason = loop.escalation?.reason;
  if (reason === undefined) return loop.ending?.state === 'self_review_failed' || loop.ending?.state === 'pending_self_review';
  return reason === 'max-rounds' || reason === 'needs-discussion' || reason === 'oscillating' || reason === 'disputed';
}
