import type { EscalationReason } from './action.ts';
import { agentsOf, isEffect } from './action.ts';
import { applyComment } from './apply-comments.ts';
import { applyEdit } from './apply-edit.ts';
import { applyDecision, applyMove, applyOverride } from './apply-people.ts';
import { applyRuling } from './apply-rulings.ts';
import { applyReview } from './apply-review.ts';
import { blockingIn } from './convergence.ts';
import { settleAgain, withoutApproval, withRulings } from './disputes.ts';
import { isRed } from './event.ts';
import type { Event, JournalEntry, Session, WorkOutcome } from './event.ts';
import { isSettled } from './finding.ts';
import type { Finding, Resolution } from './finding.ts';
import { decide, gatesApply, ladder, TRIES } from './decide.ts';
import { findingsAfterGates } from './gate-findings.ts';
import type { Decision, FinalVerdict, Fix, Loop } from './loop.ts';
import { newLoop } from './new-loop.ts';
import { bookingOf, lostBookings, reservationsOf, withBookings } from './money.ts';
import { stateOf } from './state.ts';
import { withStrayed } from './stray-edits.ts';
import { isHindered, waitFor, waitForDisk, waitForMoney } from './waiting.ts';
import type { Hindrance } from './waiting.ts';

type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

/** Folds one journal entry into the loop. Entries in the journal were admitted when they were written, so nothing is refused here. */
export function applyEvent(loop: Loop | null, entry: JournalEntry): Loop {
  if (entry.event.type === 'created') return newLoop(entry.event, entry);
  if (loop === null) throw new Error(`the journal begins with ${entry.event.type}`);
  const changed = settled(change(loop, entry.event, entry));
  const endedAt = changed.ending === null ? null : changed.ending === loop.ending ? loop.endedAt : entry.at;
  const isIdle = entry.event.type === 'refused' && entry.event.session === null;
  const changedSeq = isIdle ? loop.changedSeq : entry.seq;
  const restsSince = restOf(changed) === null ? null : restOf(changed) === restOf(loop) ? loop.restsSince : entry.at;
  const next = { ...changed, endedAt, restsSince, seq: entry.seq, changedSeq, updatedAt: entry.at };
  return { ...next, state: stateOf(next) };
}

/** Why nobody but a person goes on, or nobody yet; the same for as long as it is for the same reason. */
function restOf({ takenOver, escalation, ending, waiting }: Loop): object | null {
  return takenOver ?? escalation ?? ending ?? waiting;
}

/**
 * No approval by review stands beside something that blocks. And a ruling counts at the latest when nothing runs and nothing is
 * asked: the verdict of the last round follows the findings.
 */
function settled(before: Loop): Loop {
  const blocks = blockingIn(before).length > 0;
  const isHollow = blocks && before.approval?.by === 'review';
  const loop = isHollow ? withoutApproval(before) : before;
  const isIdle = loop.current === null && loop.escalation === null && loop.takenOver === null && loop.ending === null;
  const last = loop.rounds.at(-1);
  if (!isIdle || last === undefined || loop.order !== null || loop.withheld !== null) return loop;
  return isHollow || (!blocks && last.verdict === 'changes_requested') ? settleAgain(loop) : loop;
}

function change(loop: Loop, event: Event, entry: JournalEntry): Loop {
  switch (event.type) {
    case 'created':
      return loop;
    case 'tallied':
      return withTally(loop, event);
    case 'started':
      return started(loop, event, entry);
    case 'authored':
      return authored(book(done(loop), event.session), event);
    case 'fixed':
      return fixed(book(loop, event.session), event);
    case 'gated':
      return gated(done(loop), event);
    case 'reviewed':
      return applyReview(book(loop, event.session), event, entry.at);
    case 'arbitrated':
      return arbitrated(book(loop, event.session), event);
    case 'ruled':
      return applyRuling(loop, event);
    case 'forgotten':
      return { ...loop, findings: loop.findings.map((one) => (one.id === event.findingId ? forgotten(one) : one)) };
    case 'escalated':
      return escalated(loop, event, entry.at);
    case 'finished':
      return { ...loop, order: null, ending: { state: event.state, why: event.why } };
    case 'decided':
      return noted(applyDecision(awake(done(loop)), event, entry.at), { ...event, what: event.choice, at: entry.at });
    case 'overridden':
      return noted(applyOverride(awake(done(loop)), event), { ...event, what: overrideWords(event), at: entry.at });
    case 'commented':
      return applyComment(loop, event, entry.at);
    case 'edited':
      return noted(applyEdit(loop, event.edit), { ...event, what: `changed ${Object.keys(event.edit).join(', ')}`, at: entry.at });
    case 'released':
      return { ...loop, base: event.base, start: event.start, ground: event.ground, waiting: null, notes: [...loop.notes, ...event.notes] };
    case 'dependency-lost':
      return escalated({ ...loop, waiting: null }, { type: 'escalated', reason: 'dependency', why: event.why, versions: null }, entry.at);
    case 'postponed':
      return { ...loop, waiting: event.for === 'disk' ? waitForDisk(event) : waitForMoney(event) };
    case 'woken':
      return awake(loop);
    case 'moved':
      return moved(loop, event, entry.at);
    case 'interrupted':
      return event.session === null ? lostSessions(loop) : book(done(loop), event.session);
    case 'checkout-lost':
      return escalated(done(loop), { type: 'escalated', reason: 'checkout-missing', why: event.why, versions: null }, entry.at);
    case 'landed':
      return { ...loop, landed: { onto: event.onto, commit: event.commit, at: entry.at } };
    case 'imported':
      return { ...loop, imported: { by: event.by, at: entry.at } };
    case 'warned':
      return warned(loop, event);
    case 'failed':
      return { ...done(loop), ending: { state: 'failed', why: event.message } };
    case 'refused':
      return book(loop, event.session);
  }
}

function done(loop: Loop): Loop {
  return loop.current === null ? loop : { ...loop, current: null };
}

/** Books what a session spent, whatever becomes of its result. */
function book(loop: Loop, session: Session | null): Loop {
  return session === null ? loop : { ...withBookings(loop, [bookingOf(loop, session)]), sessions: [...loop.sessions, session] };
}

/** Nobody can say what sessions spent that died with their driver. */
function lostSessions(loop: Loop): Loop {
  return done(withBookings(loop, lostBookings(loop)));
}

function started(loop: Loop, { action }: EventOf<'started'>, { seq: token, at: startedAt }: JournalEntry): Loop {
  if (!isEffect(action)) return loop;
  const isAsked = action.do === 'fix' && (action.cause === 'review' || action.cause === 'order');
  const asked = isAsked ? loop.findings.filter((one) => one.awaits === true).map(({ id }) => id) : [];
  const reservedUsd = reservationsOf(loop, agentsOf(action));
  return { ...loop, begun: true, current: { token, action, startedAt, reported: [], asked, reservedUsd } };
}

function warned(loop: Loop, event: EventOf<'warned'>): Loop {
  const notes = [...loop.notes, event.text];
  if (event.about !== 'ceiling') return { ...loop, notes };
  return { ...loop, notes, spend: { ...loop.spend, warned: [...loop.spend.warned, event.ceiling ?? 'loop'] } };
}

/** Each day has its own warning. */
function withTally(loop: Loop, { type: _type, ...tally }: EventOf<'tallied'>): Loop {
  if (loop.tally?.day === tally.day) return { ...loop, tally };
  return { ...loop, tally, spend: { ...loop.spend, warned: loop.spend.warned.filter((of) => of !== 'day') } };
}

function authored(loop: Loop, event: EventOf<'authored'>): Loop {
  const { outcome, taskComplete } = event;
  if (outcome.kind === 'failed') {
    if (outcome.reason === 'over-budget') return overBudget(loop, outcome);
    if (isHindered(outcome.reason)) return hindered(loop, 'author', { ...outcome, reason: outcome.reason });
    return { ...loop, author: { ...loop.author, failures: loop.author.failures + 1 }, lastFailure: failureOf(outcome), resumeFrom: null };
  }
  const author = { ...loop.author, iterations: loop.author.iterations + 1, failures: 0 };
  const after: Loop = { ...loop, resumeFrom: null, lastFailure: null };
  if (outcome.kind === 'committed') return { ...withHead(after, outcome), author: { ...author, idle: 0, complete: taskComplete } };
  if (outcome.kind === 'withheld') return { ...after, author: { ...author, idle: 0, complete: taskComplete }, withheld: outcome };
  return { ...after, author: { ...author, idle: author.idle + 1, complete: taskComplete && loop.head !== null } };
}

type FailedWork = Extract<WorkOutcome, { kind: 'failed' }>;

/** Stopped because its money was used up: that is nobody's failure, and a person is asked at once. */
function overBudget(loop: Loop, outcome: Pick<FailedWork, 'message'>): Loop {
  return { ...loop, overBudget: outcome.message, resumeFrom: null };
}

function failureOf(outcome: FailedWork): NonNullable<Loop['lastFailure']> {
  const reason = outcome.reason === 'timed-out' ? 'timed-out' : 'agent-failed';
  return { reason, message: outcome.message, partial: outcome.partial };
}

type Hindered = Pick<FailedWork, 'message' | 'until' | 'partial'> & { readonly reason: Hindrance };

/** An agent that was limited or is not logged in is not tried again at once: a fallback steps in, or the loop waits. */
function hindered(loop: Loop, role: 'author' | 'fixer', outcome: Hindered): Loop {
  const failures = Math.max(loop[role].failures + 1, TRIES);
  const lastFailure = { reason: 'agent-failed' as const, message: outcome.message, partial: outcome.partial };
  const next: Loop = { ...loop, lastFailure, resumeFrom: null, [role]: { ...loop[role], failures } };
  if (ladder(next, loop.roles[role], failures) !== null) return next;
  const agent = loop.sessions.at(-1)?.agent ?? loop.roles[role] ?? role;
  const waiting = waitFor(outcome.reason, { agent, until: outcome.until ?? null, message: outcome.message });
  // Whoever failed before it is not asked again: only the agent that was hindered.
  return { ...loop, waiting, resumeFrom: null };
}

/** No word of a person makes other tasks done: a wait for them goes on. */
function awake(loop: Loop): Loop {
  return loop.waiting === null || loop.waiting.for === 'dependency' ? loop : { ...loop, waiting: null };
}

/** What a person did stays with the loop, for its documents and for whoever comes later. */
function noted(loop: Loop, { at, by, what, reason }: Omit<Decision, 'round'>): Loop {
  return { ...loop, decisions: [...loop.decisions, { at, by, what, reason, round: loop.rounds.length }] };
}

function moved(loop: Loop, event: EventOf<'moved'>, at: string): Loop {
  const { applied } = event;
  if (applied === undefined) return applyMove(loop, event);
  const isKnown = [...loop.commits, loop.pushed?.head.commit].includes(event.head.commit);
  return noted(isKnown ? loop : applyMove(loop, event), { ...applied, what: `apply the suggestion of ${applied.findingId}`, at });
}

function overrideWords({ override, verdict, review }: EventOf<'overridden'>): string {
  if (override === 'verdict') return `set the verdict ${verdict ?? ''}`;
  if (override === 'improve') return review ? 'improve and review' : 'improve';
  return override === 'review' && review ? 'review and fix' : override;
}

function withHead(loop: Loop, outcome: Extract<WorkOutcome, { kind: 'committed' }>): Loop {
  return {
    ...loop,
    head: outcome.head,
    commits: [...loop.commits, ...outcome.commits],
    withheld: null,
    seats: [],
    without: [],
    approval: null,
    vetoed: false,
  };
}

function fixed(before: Loop, event: EventOf<'fixed'>): Loop {
  const { outcome } = event;
  const action = before.current?.action;
  const isGateFix = action?.do === 'fix' && (action.cause === 'gates' || action.cause === 'withheld');
  const loop = done(before);
  if (outcome.kind === 'failed') {
    if (outcome.reason === 'over-budget') return overBudget(loop, outcome);
    if (isHindered(outcome.reason)) return hindered(loop, 'fixer', { ...outcome, reason: outcome.reason });
    return { ...loop, fixer: { ...loop.fixer, failures: loop.fixer.failures + 1 }, lastFailure: failureOf(outcome), resumeFrom: null };
  }
  const idle = outcome.kind === 'unchanged' && !answersBlocking(loop, event.resolutions);
  if (idle) return { ...loop, fixer: { idle: loop.fixer.idle + 1, failures: 0 }, lastFailure: null, resumeFrom: null };
  const gates = { ...loop.gates, fixes: gateFixes(loop, outcome, isGateFix) };
  const answered: Loop = {
    ...heard(answer(loop, event.resolutions), before.current?.asked ?? []),
    gates,
    lastFailure: null,
    resumeFrom: null,
    fixer: { idle: 0, failures: 0 },
  };
  if (outcome.kind === 'withheld') return { ...answered, withheld: outcome };
  const after = outcome.kind === 'committed' ? withStrayed(withHead(answered, outcome), event.strayed) : answered;
  return { ...recordFix(after, event, isGateFix), order: nextOrder(loop) };
}

/** A fixer who answers has heard what people asked for until it began; what they said since then waits for the next one. */
function heard(loop: Loop, asked: readonly string[]): Loop {
  if (asked.length === 0) return loop;
  return { ...loop, findings: loop.findings.map((one) => (asked.includes(one.id) ? { ...one, awaits: false } : one)) };
}

/** Whether a fixer that changed nothing has at least said something about what blocks. */
function answersBlocking(loop: Loop, resolutions: readonly Resolution[]): boolean {
  const said = resolutions.filter(({ status }) => status !== 'fixed').map(({ findingId }) => findingId);
  const isGateDispute = (one: Finding): boolean =>
    one.source === 'gate' && resolutions.some(({ findingId, status }) => findingId === one.id && status === 'disputed');
  return blockingIn(loop).some((one) => said.includes(one.id) && !isGateDispute(one));
}

/** Gate fixes in a row: green gates end the row, and so does a commit where there are none. */
function gateFixes(loop: Loop, outcome: WorkOutcome, isGateFix: boolean): number {
  if (outcome.kind === 'committed' && !gatesApply(loop)) return 0;
  return isGateFix ? loop.gates.fixes + 1 : loop.gates.fixes;
}

function nextOrder(loop: Loop): Loop['order'] {
  if (loop.order === 'improve') return 'rest-unreviewed';
  if (loop.order === 'improve-and-review') return 'review-once';
  return loop.order === 'fix' ? null : loop.order;
}

function answer(loop: Loop, resolutions: readonly Resolution[]): Loop {
  if (resolutions.length === 0) return loop;
  const findings = loop.findings.map((finding): Finding => {
    const resolution = resolutions.find((one) => one.findingId === finding.id);
    if (resolution === undefined) return finding;
    // A gate is closed by passing, not by words.
    const disputed = resolution.status === 'disputed' && finding.source !== 'gate' && !isSettled(finding);
    return { ...finding, resolution, status: disputed ? 'disputed' : finding.status };
  });
  return { ...loop, findings };
}

/** Notes the fix with the round that it answers; gate fixes of the same round add their commits. */
function recordFix(loop: Loop, event: EventOf<'fixed'>, isGateFix: boolean): Loop {
  const last = loop.rounds.at(-1);
  if (last === undefined) return loop;
  const commits = event.outcome.kind === 'committed' ? event.outcome.commits : [];
  const before = last.fix;
  const fix: Fix = {
    agent: isGateFix && before !== null ? before.agent : (event.session?.agent ?? null),
    summary: isGateFix && before !== null ? before.summary : event.summary,
    sentBack: false,
    commits: [...(before?.commits ?? []), ...commits],
    resolutions: [...(before?.resolutions ?? []), ...event.resolutions],
  };
  return { ...loop, rounds: [...loop.rounds.slice(0, -1), { ...last, fix }] };
}

function gated(loop: Loop, event: EventOf<'gated'>): Loop {
  const fixes = event.results.some(isRed) ? loop.gates.fixes : 0;
  const tried = event.results
    .filter((result) => !result.passed)
    .map((result) => [result.name, result.redBefore ? 'red' : 'green'] as const);
  const baseline = { ...loop.gates.baseline, ...Object.fromEntries(tried) };
  return {
    ...loop,
    findings: findingsAfterGates(loop, event.results),
    gates: { ...loop.gates, tree: event.tree, results: event.results, fixes, baseline },
  };
}

function arbitrated(before: Loop, event: EventOf<'arbitrated'>): Loop {
  const loop = done(before);
  const { outcome } = event;
  const by = before.current?.action.do === 'arbitrate' ? before.current.action.agent : '';
  if (outcome.kind === 'rulings')
    return { ...withRulings(loop, { rulings: outcome.rulings, by, deltas: event.deltas ?? [] }), lastFailure: null };
  if (outcome.reason === 'over-budget') return overBudget(loop, outcome);
  const lastFailure = failureOf({ ...outcome, partial: null });
  const next = { ...loop, arbiter: { failures: loop.arbiter.failures + 1 }, lastFailure };
  if (!isHindered(outcome.reason)) return next;
  const later = { ...next, arbiter: { failures: Math.max(next.arbiter.failures, TRIES) } };
  if (decide(later).do === 'arbitrate') return later;
  return { ...loop, waiting: waitFor(outcome.reason, { agent: by, until: outcome.until ?? null, message: outcome.message }) };
}

function forgotten(finding: Finding): Finding {
  return finding.ruling === null ? finding : { ...finding, ruling: { ...finding.ruling, remembered: false } };
}

function escalated(loop: Loop, event: EventOf<'escalated'>, at: string): Loop {
  const escalation = { reason: event.reason, why: event.why, at, versions: event.versions };
  return { ...loop, escalation, approval: null, finalVerdict: verdictWhileAsking(loop, event.reason) };
}

/** Seed 004's words for a loop that stopped on its way. */
function verdictWhileAsking(loop: Loop, reason: EscalationReason): FinalVerdict | null {
  if (reason === 'max-rounds') return 'MAX_CYCLES_REACHED';
  if (reason === 'needs-discussion') return 'NEEDS_DISCUSSION';
  return loop.rounds.length === 0 ? null : 'CHANGES_REQUESTED';
}
