import type { EscalationReason } from './action.ts';
import { concludeRound } from './apply-review.ts';
import { mayAddRound } from './choices.ts';
import { isBlocking } from './convergence.ts';
import { ruledOn, settleAgain, withLastRound } from './disputes.ts';
import { unreachable } from './errors.ts';
import type { Event } from './event.ts';
import type { Finding, FindingRuling, PersonRuling } from './finding.ts';
import { acceptGateFindings } from './gate-findings.ts';
import type { Loop } from './loop.ts';
import { lostSeats } from './panel.ts';
import { ordersReview } from './refusal.ts';

type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

/** What a person's decision changes; the counters of the reason that was open start anew. */
export function applyDecision(loop: Loop, event: EventOf<'decided'>, at: string): Loop {
  const asked = { ...withGuidance(loop, event), escalation: null, ending: null, overBudget: null, takeovers: 0 };
  const open = adoptPush(asked, event.choice === 'continue');
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
      return anew(open, loop);
    case 'continue-without':
      return concludeRound({ ...open, without: [...open.without, ...lostSeats(open).map(({ member }) => member)] }, at);
    case 'reassign':
      return reassigned(anew(open, loop), loop, event.agent ?? '');
    case 'review-anyway':
      return loop.head === null ? open : acceptGates(open, loop.head.tree, event.by);
    case 'uphold':
    case 'refute':
      return ruledByPerson(open, event.choice, event);
    case 'raise-ceiling':
      return {
        ...open,
        ceilingUsd: event.ceilingUsd,
        spend: { ...open.spend, warned: false },
        sessionsLimited: loop.overBudget === null && loop.sessionsLimited,
      };
    case 'continue':
      return { ...anew(open, loop), resumeFrom: loop.lastFailure?.partial ?? null };
    default:
      return unreachable(event.choice);
  }
}

/** What a person's override changes. */
export function applyOverride(loop: Loop, event: EventOf<'overridden'>): Loop {
  const waiting: Loop = { ...withGuidance(loop, event), escalation: null, ending: null, overBudget: null, takeovers: 0 };
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
      return { ...withRoundLeft(open), order: 'review', seats: [], without: [] };
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
    seats: [],
    without: [],
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

/** A person's word about one finding. It ends a fix under way that has nothing left to fix; any other action goes on. */
export function applyRuling(loop: Loop, event: EventOf<'ruled'>): Loop {
  const ruling = rulingOf(event.ruling, event);
  const findings = loop.findings.map((one) =>
    one.id === event.findingId ? ruledOn(loop, one, { ruling, deltas: event.deltas ?? [] }) : one,
  );
  const guided = event.ruling === 'uphold' || event.ruling === 'reopen' ? withGuidance(loop, event) : loop;
  const ruled: Loop = { ...guided, findings, arbiter: { failures: 0 } };
  const blocks = findings.some((one) => isBlocking(one, loop.settings.policy));
  if (loop.current !== null && (blocks || loop.current.action.do !== 'fix')) return ruled;
  if (loop.escalation !== null && !isAboutFindings(loop.escalation.reason)) return ruled;
  return released(settleAgain({ ...ruled, current: null }), { blocks, what: `${event.by} ${RULED[event.ruling]} ${event.findingId}` });
}

/** An open question, or an ending, that the ruling leaves without ground is closed. */
function released(loop: Loop, ruled: { readonly blocks: boolean; readonly what: string }): Loop {
  const ending = loop.ending?.state;
  if (ended(ending) && ruled.blocks && loop.approval === null) {
    return { ...loop, finalVerdict: 'CHANGES_REQUESTED', ending: { state: 'self_review_failed', why: ruled.what } };
  }
  const last = loop.rounds.at(-1);
  if (ending === 'self_review_failed' && last !== undefined) {
    return { ...loop, ending: ruled.blocks ? { state: ending, why: `round ${last.round}: ${last.why}` } : null };
  }
  const isDisputed = loop.findings.some((one) => one.status === 'disputed' && isBlocking(one, loop.settings.policy));
  const isOver = loop.escalation?.reason === 'disputed' ? !isDisputed : !ruled.blocks;
  if (loop.escalation === null || !isOver) return loop;
  return { ...loop, escalation: null, takenOver: loop.takenOver === null ? null : { ...loop.takenOver, escalation: null } };
}

function ended(state: NonNullable<Loop['ending']>['state'] | undefined): boolean {
  return state === 'approved' || state === 'ready_for_human_review';
}

/** Whether a question is open because something blocks; what else waits is not settled by a word about a finding. */
function isAboutFindings(reason: EscalationReason): boolean {
  return ABOUT_FINDINGS.includes(reason);
}

const ABOUT_FINDINGS: readonly EscalationReason[] = [
  'disputed',
  'max-rounds',
  'stuck-finding',
  'oscillating',
  'no-progress',
  'needs-discussion',
  'agent-failed',
  'timed-out',
  'ceiling',
];

const RULED: Record<PersonRuling, FindingRuling['ruling']> = {
  refute: 'refuted',
  uphold: 'upheld',
  accept: 'accepted',
  reopen: 'reopened',
};

function rulingOf(ruling: PersonRuling, { by, reason }: { readonly by: string; readonly reason: string | null }): FindingRuling {
  return { ruling: RULED[ruling], by, person: true, note: reason ?? '', from: null, remembered: ruling === 'refute' };
}

/** One ruling on all disputes. */
function ruledByPerson(loop: Loop, ruling: 'uphold' | 'refute', event: EventOf<'decided'>): Loop {
  const said = rulingOf(ruling, event);
  return settleAgain({
    ...loop,
    arbiter: { failures: 0 },
    findings: loop.findings.map((one) =>
      one.status === 'disputed' ? ruledOn(loop, one, { ruling: said, deltas: event.deltas ?? [] }) : one,
    ),
  });
}

function because(text: string, reason: string | null): string {
  return reason === null || reason.trim() === '' ? text : `${text}: ${reason}`;
}
