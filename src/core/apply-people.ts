import type { EscalationReason } from './action.ts';
import { concludeRound } from './apply-review.ts';
import { withCeiling } from './ceilings.ts';
import { mayAddRound } from './choices.ts';
import { ruledByPerson } from './apply-rulings.ts';
import { blockingIn, isBlocking } from './convergence.ts';
import { withLastRound } from './disputes.ts';
import { unreachable } from './errors.ts';
import type { Event, Override } from './event.ts';
import { isClosed } from './finding.ts';
import type { Finding } from './finding.ts';
import { acceptGateFindings } from './gate-findings.ts';
import { withGuidance } from './guidance.ts';
import type { Loop } from './loop.ts';
import { lostSeats } from './panel.ts';
import { retryReviews } from './refusal.ts';
import { waitForTasks } from './waiting.ts';

type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

/** What a person's decision changes; the counters of the reason that was open start anew. */
export function applyDecision(loop: Loop, event: EventOf<'decided'>, at: string): Loop {
  const asked = unstopped(withGuidance(loop, event));
  const open = adoptPush(asked, event.choice === 'continue');
  switch (event.choice) {
    case 'fix-manually':
      return { ...loop, takenOver: { by: event.by, escalation: loop.escalation, ending: null } };
    case 'accept':
      return { ...open, vetoed: false, approval: { by: 'person', name: event.by, reason: event.reason }, finalVerdict: 'APPROVED' };
    case 'cancel':
      return cancelled(loop, event);
    case 'one-more-round':
    case 'refine':
      return orderFix(anew(open, loop));
    case 'answer':
      return answered(open, event);
    case 'retry':
      return anew(open, loop);
    case 'continue-without':
      if (loop.escalation?.reason === 'dependency') return { ...open, task: { ...loop.task, dependsOn: [] }, waiting: null };
      return concludeRound({ ...open, without: [...open.without, ...lostSeats(open).map(({ member }) => member)] }, at);
    case 'reassign':
      return reassigned(anew(open, loop), loop, event.agent ?? '');
    case 'review-anyway':
      return loop.head === null ? open : acceptGates(open, loop.head.tree, event.by);
    case 'uphold':
    case 'refute':
      // The word is about what was disputed, which a commit made since then leaves behind.
      return adoptPush(ruledByPerson(asked, event.choice, event), false);
    case 'raise-ceiling':
      return { ...withCeiling(open, event.ceilingUsd), sessionsLimited: loop.overBudget === null && loop.sessionsLimited };
    case 'continue':
      return { ...anew(open, loop), resumeFrom: loop.lastFailure?.partial ?? null };
    default:
      return unreachable(event.choice);
  }
}

function cancelled(loop: Loop, { by, reason }: { readonly by: string; readonly reason: string | null }): Loop {
  const ending = { state: 'cancelled', why: because(`cancelled by ${by}`, reason) } as const;
  return { ...loop, approval: null, escalation: null, takenOver: null, waiting: null, ending };
}

/** What lets a loop go on that rested, for whatever reason. */
function unstopped(loop: Loop): Loop {
  return { ...loop, escalation: null, ending: null, overBudget: null, takeovers: 0, reviewSkipped: false };
}

/** What a person's override changes. */
export function applyOverride(loop: Loop, event: EventOf<'overridden'>): Loop {
  const waiting: Loop = unstopped(withGuidance(loop, event));
  const open = takesPush(event.override) ? adoptPush(waiting, false) : waiting;
  switch (event.override) {
    case 'cancel':
      return cancelled(loop, event);
    case 'ready':
      return {
        ...open,
        takenOver: null,
        waiting: null,
        ending: { state: 'ready_for_human_review', why: because(`marked ready by ${event.by}`, event.reason) },
      };
    case 'skip':
      return { ...open, takenOver: null, waiting: null, reviewSkipped: true };
    case 'takeover':
      return { ...loop, ending: null, takenOver: { by: event.by, escalation: loop.escalation, ending: loop.ending } };
    case 'handback':
      return handedBack(loop);
    case 'verdict':
      return withVerdict({ ...open, takenOver: null, waiting: null }, event);
    case 'retry':
      if (open.head?.commit !== loop.head?.commit || !retryReviews(loop)) return anew(open, loop);
      return { ...withRoundLeft(open), order: 'review', seats: [], without: [] };
    case 'refine':
      return { ...orderFix(anew(reopened(open), loop)), order: 'fix' };
    case 'improve':
      return { ...orderFix(anew(reopened(open), loop)), order: event.review ? 'improve-and-review' : 'improve' };
    case 'review': {
      const asked: Loop = { ...withRoundLeft(anew(reopened(open), loop)), seats: [], without: [] };
      return event.review ? { ...asked, order: 'review', autoIterate: true } : { ...asked, order: 'review-and-rest' };
    }
    default:
      return unreachable(event.override);
  }
}

function withVerdict(loop: Loop, { by, reason, verdict }: EventOf<'overridden'>): Loop {
  if (verdict === 'APPROVED') return { ...loop, vetoed: false, approval: { by: 'person', name: by, reason }, finalVerdict: verdict };
  const ending = { state: 'self_review_failed', why: `set by ${by}` } as const;
  return { ...loop, vetoed: true, approval: null, finalVerdict: 'CHANGES_REQUESTED', ending };
}

/** Whether an override is about the work as it is now, so that what somebody committed meanwhile is part of it. */
function takesPush(override: Override): boolean {
  return TAKING_PUSH.includes(override);
}

const TAKING_PUSH: readonly Override[] = ['retry', 'refine', 'improve', 'review', 'verdict', 'skip', 'ready'];

/** What was approved is so no more while somebody works on it, or looks at it, again. */
export function reopened(loop: Loop): Loop {
  return loop.approval === null && !loop.reviewSkipped
    ? loop
    : { ...loop, approval: null, reviewSkipped: false, finalVerdict: loop.finalVerdict === 'APPROVED' ? null : loop.finalVerdict };
}

/** What a commit of somebody else on the loop's branch changes: a descendant is taken over, anything else is only noted. */
export function applyMove(loop: Loop, event: EventOf<'moved'>): Loop {
  if (event.head.commit === loop.head?.commit) return { ...loop, pushed: null };
  const waits = loop.escalation !== null || loop.takenOver !== null || loop.ending !== null;
  if (waits || !event.descends || loop.takeovers >= MOST_TAKEOVERS)
    return { ...loop, current: null, pushed: { head: event.head, descends: event.descends } };
  return takeHead({ ...loop, current: null, takeovers: loop.takeovers + 1 }, event.head);
}

/** Nobody commits so often by hand while a loop runs; an agent that found the branch may. */
const MOST_TAKEOVERS = 10;

/** If the round under way has a verdict already, the new head is the next round's, for which there is always room. Open questions were about the old code. */
function takeHead(loop: Loop, head: { readonly commit: string; readonly tree: string }): Loop {
  const last = loop.rounds.at(-1);
  const granted = last !== undefined && last.head.tree === loop.head?.tree ? 1 : 0;
  return {
    ...reopened(loop),
    head,
    commits: [...loop.commits, head.commit],
    maxRounds: loop.maxRounds + granted,
    grantedRounds: loop.grantedRounds + granted,
    author: loop.task.kind === 'implement' ? { ...loop.author, complete: true } : loop.author,
    findings: loop.findings.map(withoutQuestion),
    pushed: null,
    withheld: null,
    seats: [],
    without: [],
    vetoed: false,
    order: null,
  };
}

function withoutQuestion(finding: Finding): Finding {
  const resolution = finding.resolution?.status === 'needs_person' ? null : finding.resolution;
  return finding.status === 'disputed' ? { ...finding, status: 'persisting', resolution: null } : { ...finding, resolution };
}

/** The loop with what somebody committed on its branch meanwhile, if it builds on our work or a person takes it `also` where it does not. */
export function adoptPush(loop: Loop, also: boolean): Loop {
  if (loop.pushed === null) return loop;
  return loop.pushed.descends || also ? takeHead(loop, loop.pushed.head) : loop;
}

function handedBack(loop: Loop): Loop {
  const held = loop.takenOver?.escalation ?? null;
  if (loop.pushed === null) return withEnding({ ...loop, takenOver: null, escalation: held }, loop.takenOver?.ending ?? null);
  return adoptPush(reopened({ ...loop, takenOver: null, escalation: null }), false);
}

/** The loop as it had ended, where that still holds: a request for changes leads to a fix, and a ruling may have changed the verdict. */
function withEnding(loop: Loop, ending: Loop['ending']): Loop {
  if (ending === null || ending.state === 'cancelled' || ending.state === 'failed' || loop.escalation !== null) return { ...loop, ending };
  if (loop.findings.some((one) => one.awaits === true && !isClosed(one))) return { ...reopened(loop), order: 'fix' };
  if (loop.vetoed) return { ...loop, ending };
  if (ending.state === 'self_review_failed' && (loop.approval !== null || blockingIn(loop).length === 0)) return loop;
  if (ending.state !== 'approved' || loop.approval !== null) return { ...loop, ending };
  const last = loop.rounds.at(-1);
  const why = last === undefined ? 'a person asks for changes' : `round ${last.round}: ${last.why}`;
  return { ...loop, finalVerdict: 'CHANGES_REQUESTED', ending: { state: 'self_review_failed', why } };
}

/** Starts the counters of the reason that was open anew; answers that count are kept. */
function anew(loop: Loop, before: Loop): Loop {
  const reason = before.escalation?.reason;
  const fresh: Loop = {
    ...loop,
    author: { ...loop.author, idle: 0, failures: 0, ...(reason === 'not-complete' ? { iterations: 0 } : {}) },
    fixer: { idle: 0, failures: 0 },
    arbiter: { failures: 0 },
    seats: loop.seats.map((seat) => ({ ...seat, attempts: [] })),
    gates: { ...loop.gates, fixes: 0, ...(reason === 'gates-red' ? { tree: null } : {}) },
    lastFailure: null,
    waiting: reason === 'dependency' ? waitForTasks(loop.task.dependsOn) : loop.waiting,
  };
  return { ...fresh, findings: findingsAnew(loop.findings, reason) };
}

/** Whatever the question was about is counted anew. */
function findingsAnew(findings: readonly Finding[], reason: EscalationReason | undefined): readonly Finding[] {
  if (reason === 'gates-red') return findings.map((one) => (one.source === 'gate' ? withoutQuestion(one) : one));
  if (reason === 'stuck-finding') return findings.map((one) => ({ ...one, survived: 0 }));
  return reason === 'oscillating' ? findings.map((one) => ({ ...one, reopenings: 0 })) : findings;
}

/** The fixer goes on from the last review, and there is room for the review of what it does. */
function orderFix(loop: Loop): Loop {
  return loop.head === null || loop.rounds.length === 0 ? loop : { ...withRoundLeft(loop), order: 'fix' };
}

function withRoundLeft(loop: Loop): Loop {
  return { ...loop, maxRounds: Math.max(loop.maxRounds, loop.rounds.length + 1) };
}

function reassigned(loop: Loop, before: Loop, agent: string): Loop {
  const reason = before.escalation?.reason;
  if (reason === 'no-verdict' || reason === 'tampered') {
    // One agent takes one seat; whoever else was lost is asked again.
    const lost = lostSeats(before)[0]?.member ?? loop.roles.reviewer[0];
    return { ...loop, roles: { ...loop.roles, reviewer: loop.roles.reviewer.map((member) => (member === lost ? agent : member)) } };
  }
  const authoring = loop.task.kind === 'implement' && !loop.author.complete && loop.withheld === null;
  if (authoring) return { ...loop, roles: { ...loop.roles, author: agent } };
  const withFixer: Loop = { ...loop, roles: { ...loop.roles, fixer: agent }, findings: loop.findings.map(withoutQuestion) };
  return reason === 'agent-failed' || reason === 'timed-out' ? withFixer : orderFix(withFixer);
}

/** The words join the task; blocking findings go to the fixer, else the same round is reviewed again. */
function answered(loop: Loop, event: EventOf<'decided'>): Loop {
  const task = { ...loop.task, text: `${loop.task.text}\n\nAnswer by ${event.by}: ${event.reason ?? ''}` };
  const findings = loop.findings.map((one): Finding => (one.resolution?.status === 'needs_person' ? { ...one, resolution: null } : one));
  const last = loop.rounds.at(-1);
  const next: Loop = { ...loop, task, findings, seats: [], without: [] };
  if (last === undefined) return next;
  const blocks = findings.some((one) => isBlocking(one, loop.settings.policy));
  if (!blocks) return last.verdict === 'needs_discussion' ? { ...next, rounds: loop.rounds.slice(0, -1), order: 'review' } : next;
  const rejected = withLastRound(next, { ...last, verdict: 'changes_requested' });
  return mayAddRound(loop) && loop.roles.fixer !== null ? orderFix(rejected) : rejected;
}

function acceptGates(loop: Loop, tree: string, by: string): Loop {
  return { ...loop, findings: acceptGateFindings(loop.findings), gates: { ...loop.gates, accepted: { tree, by } } };
}

function because(text: string, reason: string | null): string {
  return reason === null || reason.trim() === '' ? text : `${text}: ${reason}`;
}
