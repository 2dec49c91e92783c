import type { EscalationReason } from './action.ts';
import { isBlocking } from './convergence.ts';
import { ruledOn, settleAgain } from './disputes.ts';
import type { Event } from './event.ts';
import type { FindingRuling, PersonRuling } from './finding.ts';
import { withGuidance } from './guidance.ts';
import type { Loop } from './loop.ts';

type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

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
  // What a person rejected, or took as it is, does not become another thing by a word that settles a finding.
  const settles = event.ruling === 'refute' || event.ruling === 'accept';
  if (loop.vetoed || (settles && ended(loop.ending?.state))) return ruled;
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
export function ruledByPerson(loop: Loop, ruling: 'uphold' | 'refute', event: EventOf<'decided'>): Loop {
  const said = rulingOf(ruling, event);
  return settleAgain({
    ...loop,
    arbiter: { failures: 0 },
    findings: loop.findings.map((one) =>
      one.status === 'disputed' ? ruledOn(loop, one, { ruling: said, deltas: event.deltas ?? [] }) : one,
    ),
  });
}
