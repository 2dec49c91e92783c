import type { Event } from './event.ts';
import type { Finding } from './finding.ts';
import { acceptGateFindings } from './gate-findings.ts';
import { mayAddRound } from './choices.ts';
import { computeVerdict, isBlocking } from './judge.ts';
import type { Loop, Round } from './loop.ts';
import { ordersReview } from './refusal.ts';
import { unreachable } from './errors.ts';

type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

/** What a person's decision changes; the counters of the reason that was open start anew. */
export function applyDecision(loop: Loop, event: EventOf<'decided'>): Loop {
  const open = adoptPush({ ...withGuidance(loop, event), escalation: null, ending: null }, event.choice === 'continue');
  switch (event.choice) {
    case 'fix-manually':
      return { ...loop, takenOver: { by: event.by, escalation: loop.escalation } };
    case 'accept':
      return { ...open, approval: { by: 'person', name: event.by, reason: event.reason }, finalVerdict: 'APPROVED' };
    case 'cancel':
      return {
        ...loop,
        approval: null,
        escalation: null,
        ending: { state: 'cancelled', why: because(`cancelled by ${event.by}`, event.reason) },
      };
    case 'one-more-round':
    case 'refine':
      return orderFix(anew(open, loop));
    case 'answer':
      return answered(open, event);
    case 'retry':
    case 'continue-without':
      return anew(open, loop);
    case 'reassign':
      return reassigned(anew(open, loop), loop, event.agent ?? '');
    case 'review-anyway':
      return loop.head === null ? open : acceptGates(open, loop.head.tree, event.by);
    case 'uphold':
      return ruled(open, 'uphold', event.reason);
    case 'refute':
      return ruled(open, 'refute', event.reason);
    case 'raise-ceiling':
      return { ...open, ceilingUsd: event.ceilingUsd, spend: { ...open.spend, warned: false } };
    case 'continue':
      return { ...anew(open, loop), resumeFrom: loop.lastFailure?.partial ?? null };
    default:
      return unreachable(event.choice);
  }
}

/** What a person's override changes. */
export function applyOverride(loop: Loop, event: EventOf<'overridden'>): Loop {
  const waiting: Loop = { ...withGuidance(loop, event), escalation: null, ending: null };
  const open = goesOn(event.override) ? adoptPush(waiting, false) : waiting;
  switch (event.override) {
    case 'cancel':
      return {
        ...loop,
        approval: null,
        escalation: null,
        takenOver: null,
        ending: { state: 'cancelled', why: because(`cancelled by ${event.by}`, event.reason) },
      };
    case 'ready':
      return {
        ...loop,
        escalation: null,
        ending: { state: 'ready_for_human_review', why: because(`marked ready by ${event.by}`, event.reason) },
      };
    case 'skip':
      return { ...open, reviewSkipped: true };
    case 'takeover':
      return { ...loop, ending: null, takenOver: { by: event.by, escalation: loop.escalation } };
    case 'handback':
      return handedBack(loop);
    case 'verdict':
      return event.verdict === 'APPROVED'
        ? { ...open, approval: { by: 'person', name: event.by, reason: event.reason }, finalVerdict: 'APPROVED' }
        : {
            ...open,
            approval: null,
            finalVerdict: 'CHANGES_REQUESTED',
            ending: { state: 'self_review_failed', why: `set by ${event.by}` },
          };
    case 'retry':
      if (open.head?.commit !== loop.head?.commit || !ordersReview(loop)) return anew(open, loop);
      return { ...withRoundLeft(open), order: 'review', attempts: [] };
    case 'refine':
      return orderFix(anew(open, loop));
    case 'improve':
      return { ...orderFix(anew(open, loop)), order: event.review ? 'improve-and-review' : 'improve' };
    default:
      return unreachable(event.override);
  }
}

/** Whether an override lets the loop work on, so that what somebody committed meanwhile is part of it. */
function goesOn(override: EventOf<'overridden'>['override']): boolean {
  return override === 'retry' || override === 'refine' || override === 'improve';
}

/** What a commit of somebody else on the loop's branch changes: a descendant is taken over, anything else is only noted. */
export function applyMove(loop: Loop, event: EventOf<'moved'>): Loop {
  const waits = loop.escalation !== null || loop.takenOver !== null || loop.ending !== null;
  if (waits || !event.descends) return { ...loop, current: null, pushed: { head: event.head, descends: event.descends } };
  return takeHead({ ...loop, current: null }, event.head);
}

/** If the round under way has a verdict already, the new head is the next round's, for which there is always room. Open questions were about the old code. */
function takeHead(loop: Loop, head: { readonly commit: string; readonly tree: string }): Loop {
  const last = loop.rounds.at(-1);
  const granted = last !== undefined && last.head.tree === loop.head?.tree ? 1 : 0;
  return {
    ...loop,
    head,
    commits: [...loop.commits, head.commit],
    maxRounds: loop.maxRounds + granted,
    grantedRounds: loop.grantedRounds + granted,
    author: loop.task.kind === 'implement' ? { ...loop.author, complete: true } : loop.author,
    findings: loop.findings.map(withoutQuestion),
    finalVerdict: loop.finalVerdict === 'APPROVED' ? null : loop.finalVerdict,
    pushed: null,
    withheld: null,
    attempts: [],
    approval: null,
    order: null,
  };
}

function withoutQuestion(finding: Finding): Finding {
  const resolution = finding.resolution?.status === 'needs_person' ? null : finding.resolution;
  return finding.status === 'disputed' ? { ...finding, status: 'persisting', resolution: null } : { ...finding, resolution };
}

function adoptPush(loop: Loop, also: boolean): Loop {
  if (loop.pushed === null) return loop;
  return loop.pushed.descends || also ? takeHead(loop, loop.pushed.head) : loop;
}

function handedBack(loop: Loop): Loop {
  const held = loop.takenOver?.escalation ?? null;
  if (loop.pushed === null) return { ...loop, takenOver: null, escalation: held };
  return adoptPush({ ...loop, takenOver: null, escalation: null }, false);
}

function withGuidance(loop: Loop, event: { readonly by: string; readonly reason: string | null }): Loop {
  const text = (event.reason ?? '').trim();
  return text === '' ? loop : { ...loop, guidance: [...loop.guidance, { by: event.by, text }] };
}

/** Starts the counters of the reason that was open anew. */
function anew(loop: Loop, before: Loop): Loop {
  const fresh: Loop = { ...loop, fixer: { idle: 0, failures: 0 }, attempts: [], gates: { ...loop.gates, fixes: 0 }, lastFailure: null };
  const author = { ...loop.author, idle: 0, failures: 0 };
  const reason = before.escalation?.reason;
  if (reason === 'not-complete') return { ...fresh, author: { ...author, iterations: 0 } };
  if (reason !== 'gates-red') return { ...fresh, author };
  const findings = loop.findings.map((one) => (one.source === 'gate' ? withoutQuestion(one) : one));
  return { ...fresh, author, findings, gates: { ...fresh.gates, tree: null } };
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
  if (reason === 'no-verdict' || reason === 'tampered') return { ...loop, roles: { ...loop.roles, reviewer: [agent] } };
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
  const next: Loop = { ...loop, task, findings, attempts: [] };
  if (last === undefined) return next;
  const blocks = findings.some((one) => isBlocking(one, loop.settings.policy));
  if (!blocks) return last.verdict === 'needs_discussion' ? { ...next, rounds: loop.rounds.slice(0, -1) } : next;
  const rejected = withLast(next, { ...last, verdict: 'changes_requested' });
  return mayAddRound(loop) && loop.roles.fixer !== null ? orderFix(rejected) : rejected;
}

function acceptGates(loop: Loop, tree: string, by: string): Loop {
  return { ...loop, findings: acceptGateFindings(loop.findings), gates: { ...loop.gates, accepted: { tree, by } } };
}

/** Rulings on the disputes; where nothing blocks any more and the code is as it was reviewed, the verdict is computed again. */
function ruled(loop: Loop, ruling: 'uphold' | 'refute', note: string | null): Loop {
  const findings = loop.findings.map((one): Finding => {
    if (one.status !== 'disputed') return one;
    return ruling === 'refute' ? { ...one, status: 'refuted' } : { ...one, status: 'persisting', resolution: null };
  });
  const ruledLoop: Loop = { ...loop, findings };
  const last = loop.rounds.at(-1);
  if (last === undefined || last.head.tree !== loop.head?.tree) return ruledLoop;
  const blocking = findings.filter((one) => isBlocking(one, loop.settings.policy));
  if (blocking.length > 0) return withLast(ruledLoop, { ...last, fix: null, blockingIds: blocking.map((one) => one.id) });
  const computed = computeVerdict(last.reading, { raised: last.findingIds, blocking });
  // A channel that may not approve does not do so because of a ruling, nor does a proof of another commit: the round is taken again.
  if (computed.kind === 'no-verdict' || last.head.commit !== loop.head.commit) return { ...ruledLoop, rounds: loop.rounds.slice(0, -1) };
  const round: Round = { ...last, verdict: computed.verdict, why: because('what blocked was refuted', note), blockingIds: [] };
  if (computed.verdict !== 'approved') return withLast(ruledLoop, round);
  return { ...withLast(ruledLoop, round), approval: { by: 'review', round: last.round, proof: last.proof }, finalVerdict: 'APPROVED' };
}

function withLast(loop: Loop, round: Round): Loop {
  return { ...loop, rounds: [...loop.rounds.slice(0, -1), round] };
}

function because(text: string, reason: string | null): string {
  return reason === null || reason.trim() === '' ? text : `${text}: ${reason}`;
}
