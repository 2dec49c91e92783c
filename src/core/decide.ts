import type { Action, Effect, EscalationReason } from './action.ts';
import { agentsOf, isEffect } from './action.ts';
import { moneyWhy } from './ceilings.ts';
import { hasChange } from './choices.ts';
import { blockingIn, isStuck, oscillates, troubleWords } from './convergence.ts';
import { arbiterFallback, arbiterOf, openDisputes } from './disputes.ts';
import { isRed } from './event.ts';
import type { Head } from './event.ts';
import { isClosed } from './finding.ts';
import type { Finding } from './finding.ts';
import type { Loop, Round } from './loop.ts';
import { isMoneyHeld, isOutOfMoney } from './money.ts';
import { fixerOf } from './ordered-fix.ts';
import { lostSeats, nextSessions, seatsOf } from './panel.ts';
import { summaryOf } from './round.ts';
import { waitingWords } from './waiting.ts';
import { counted } from './words.ts';

/** What the loop does next, and why. The same loop always gets the same answer. */
export function decide(loop: Loop): Action {
  if (loop.current !== null) return loop.current.action;
  const resting = restReason(loop);
  if (resting !== null) return { do: 'rest', why: resting };
  const action = decideNext(loop);
  if (!isEffect(action)) return action;
  if (loop.overBudget !== null) return escalate('ceiling', loop.overBudget);
  if (!isOutOfMoney(loop, agentsOf(action))) return action;
  return isMoneyHeld(loop, agentsOf(action)) ? { do: 'wait', why: moneyWhy(loop) } : escalate('ceiling', moneyWhy(loop));
}

/** Whether the loop has something to do that needs a driver. */
export function wantsWork(loop: Loop): boolean {
  return decide(loop).do !== 'rest';
}

function restReason(loop: Loop): string | null {
  if (loop.ending !== null) return loop.ending.why;
  if (loop.takenOver !== null) return `${loop.takenOver.by} took it over`;
  if (loop.escalation !== null) return loop.escalation.why;
  if (loop.waiting !== null) return waitingWords(loop.waiting);
  return null;
}

function decideNext(loop: Loop): Action {
  if (loop.approval?.by === 'person') return finish('approved', `approved by ${loop.approval.name}, not by a review`);
  if (loop.pushed !== null) {
    const how = loop.pushed.descends ? `again and again, last to` : 'to';
    const ground = loop.pushed.descends ? '' : ', which does not build on our work';
    return escalate('branch-moved', `the branch ${loop.branch} was moved ${how} ${short(loop.pushed.head.commit)}${ground}`);
  }
  if (loop.reviewSkipped) return finish('ready_for_human_review', 'the review was skipped');
  return decideWithheld(loop) ?? decideAuthor(loop) ?? decideChange(loop);
}

/** From the moment there is a change: progress, verdict, gates, review. */
function decideChange(loop: Loop): Action {
  const head = loop.head;
  if (head === null) return escalate('no-progress', 'the change is empty');
  if (isFixOrder(loop.order)) return fix(loop, 'order', askedWords(loop));
  if (!hasChange(loop)) return escalate('no-progress', 'the change is empty');
  const last = loop.rounds.at(-1);
  const question = last === undefined || isReviewOrder(loop.order) ? null : openQuestion(loop);
  if (question !== null) return question;
  if (last !== undefined && !isReviewOrder(loop.order) && !lacksApproval(loop, last)) {
    if (last.head.tree === head.tree) return decideVerdict(loop, last);
    const before = loop.rounds.slice(0, -1).find((round) => round.head.tree === head.tree);
    if (before !== undefined) {
      const now = `as round ${before.round} reviewed it (${short(before.head.commit)}), not as round ${last.round} did (${short(last.head.commit)})`;
      return escalate('oscillating', `the fix brought the code back: it is again ${now}`);
    }
  }
  return decideGates(loop, head) ?? decideReview(loop);
}

function isFixOrder(order: Loop['order']): boolean {
  return order === 'fix' || order === 'improve' || order === 'improve-and-review';
}

/** Whether a person asked for a review, whatever was said of this code before. */
function isReviewOrder(order: Loop['order']): boolean {
  return order === 'review' || order === 'review-and-rest';
}

/** The same code under another commit: an approval names its commit, so that one is reviewed again. */
function lacksApproval(loop: Loop, last: Round): boolean {
  return last.verdict === 'approved' && loop.approval === null;
}

/** A dispute, or a finding that the fixer left to a person, waits for an answer before anything else. */
function openQuestion(loop: Loop): Action | null {
  const asked = blockingIn(loop).filter((one) => one.resolution?.status === 'needs_person');
  if (asked.length > 0) return escalate('needs-discussion', `the fixer asks about ${named(asked)}`);
  const { forArbiter: disputes, forPerson } = openDisputes(loop);
  if (disputes.length === 0) return forPerson.length === 0 ? null : escalate('disputed', disputeWhy(forPerson));
  const agent = ladder({ ...loop, roles: { ...loop.roles, fallback: [...arbiterFallback(loop)] } }, arbiterOf(loop), loop.arbiter.failures);
  if (agent === null) return escalate('disputed', `the fixer disputes ${named(disputes)}, and no arbiter gave a ruling`);
  const findingIds = disputes.map(({ id }) => id);
  const why = `the fixer disputes ${findingIds.join(', ')}`;
  return { do: 'arbitrate', round: loop.rounds.length, findingIds, agent, why: loop.arbiter.failures > 0 ? retryWhy(loop) : why };
}

function disputeWhy(forPerson: readonly Finding[]): string {
  const first = forPerson[0];
  const ids = forPerson.map(({ id }) => id).join(', ');
  const ground =
    first?.ruling?.ruling === 'upheld' || first?.ruling?.ruling === 'reopened'
      ? `, which was ${first.ruling.ruling} before`
      : first?.source === 'person'
        ? ', which a person raised'
        : ', which is about security';
  const note = first?.resolution?.note ?? '';
  return `the fixer disputes ${ids}${forPerson.length === 1 ? ground : ''}${note === '' ? '' : `: ${note}`}`;
}

/** The findings by id, with the first one's question or evidence. */
function named(findings: readonly Finding[]): string {
  const note = findings[0]?.resolution?.note ?? '';
  return `${findings.map(({ id }) => id).join(', ')}${note === '' ? '' : `: ${note}`}`;
}

function decideVerdict(loop: Loop, last: Round): Action {
  if (last.verdict === 'approved') return finish('approved', `round ${last.round} approved it: ${last.why}`);
  if (last.verdict === 'needs_discussion') return escalate('needs-discussion', summaryOf(last) ?? last.why);
  const why = `round ${last.round}: ${last.why}`;
  const goesOn = loop.autoIterate && loop.order !== 'review-once' && (loop.task.kind === 'implement' || loop.task.fix);
  if (!goesOn && !isAsked(loop)) return finish('self_review_failed', why);
  if (loop.rounds.length >= loop.maxRounds) return escalate('max-rounds', maxRoundsWhy(loop));
  const blocking = blockingIn(loop);
  const swinging = blocking.filter(oscillates);
  if (swinging.length > 0) return escalate('oscillating', `${troubleWords(swinging)}; ${firstWords(swinging)}`);
  const stuck = blocking.filter(isStuck);
  if (stuck.length > 0) return escalate('stuck-finding', `${troubleWords(stuck)}; ${firstWords(stuck)}`);
  if (last.fix !== null && !last.fix.sentBack) return escalate('no-progress', `the fix left the code as round ${last.round} reviewed it`);
  return fix(loop, 'review', why);
}

/** Whether a person asked for a change that no fixer heard of yet: that leads to a fix, also where the loop would rest. */
function isAsked(loop: Loop): boolean {
  return loop.roles.fixer !== null && blockingIn(loop).some(({ awaits }) => awaits === true);
}

/** Who asked for a step that is not due by itself: whoever decided or asked for changes last, which may be an agent that the user lets decide. */
function askedWords({ decisions, comments }: Loop): string {
  const asked = [decisions.at(-1), comments.findLast(({ findingId }) => findingId !== null)].filter((one) => one !== undefined);
  const last = asked.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1);
  return `${last?.by ?? 'a person'} asked for it`;
}

function decideWithheld(loop: Loop): Action | null {
  if (loop.withheld === null) return null;
  const what = loop.withheld.findings[0]?.description ?? 'something that must not be committed';
  if (loop.gates.fixes >= loop.settings.policy.maxGateFixes) return escalate('gates-red', `still not fit to be committed: ${what}`);
  return fix(loop, 'withheld', `not committed: ${what}`);
}

function decideAuthor(loop: Loop): Action | null {
  if (loop.task.kind !== 'implement' || loop.author.complete) return null;
  const { iterations, idle, failures } = loop.author;
  if (idle >= 2) return escalate('no-progress', 'the author changed nothing twice');
  const agent = ladder(loop, loop.roles.author, failures);
  if (agent === null) return failedWork(loop, 'author');
  if (iterations >= loop.settings.policy.maxAuthorIterations) {
    return escalate('not-complete', `the author has not finished after ${iterations} iterations`);
  }
  const why = iterations === 0 ? 'the task begins' : 'the author has not said that the task is complete';
  return {
    do: 'author',
    iteration: iterations + 1,
    agent,
    why: failures > 0 ? retryWhy(loop) : idle > 0 ? 'the author changed nothing' : why,
  };
}

function decideGates(loop: Loop, head: Head): Action | null {
  if (!gatesApply(loop)) return null;
  if (loop.gates.tree !== head.tree) return { do: 'gates', why: `${gateCount(loop)} gate(s) must pass on this code` };
  const red = loop.gates.results.filter(isRed);
  if (red.length === 0 || loop.gates.accepted?.tree === head.tree) return null;
  const names = red.map((result) => result.name).join(', ');
  const left = loop.findings.find((one) => one.source === 'gate' && !isClosed(one) && one.resolution?.status === 'needs_person');
  if (left !== undefined)
    return escalate('gates-red', `${names} failed, and the fixer leaves it to a person: ${left.resolution?.note ?? ''}`);
  if (loop.roles.fixer === null || loop.gates.fixes >= loop.settings.policy.maxGateFixes) {
    return escalate('gates-red', `${names} failed${loop.gates.fixes > 0 ? ` after ${loop.gates.fixes} fix(es)` : ''}`);
  }
  return fix(loop, 'gates', `${names} failed`);
}

/** Whether gates are run at all: a plain review takes the change as it is, until somebody fixes it. */
export function gatesApply(loop: Loop): boolean {
  const { gates, commitHooks } = loop.settings;
  return (gates.length > 0 || commitHooks !== null) && (loop.task.kind === 'implement' || loop.task.fix || loop.commits.length > 0);
}

function gateCount({ settings }: Loop): number {
  return settings.gates.length + (settings.commitHooks === null ? 0 : 1);
}

/** What each attempt came to; the same answer twice is told once. */
function attemptWords(loop: Loop): string {
  const attempts = seatsOf(loop).flatMap((seat) => (seat.answer === null ? seat.attempts : []));
  const tally = Map.groupBy(attempts, ({ agent, detail }) => `${agent}: ${detail}`);
  return [...tally].map(([words, { length }]) => (length === 1 ? words : `${words} (${length} times)`)).join('; ');
}

/** How a loop ends that is not to be reviewed now; null where it is. */
function restUnreviewed(loop: Loop): Action | null {
  if (loop.order === 'rest-unreviewed') return finish('pending_self_review', 'improved, not reviewed');
  if (!loop.settings.review.enabled) return finish('ready_for_human_review', 'reviews are switched off');
  const isManual = loop.task.kind === 'implement' && !loop.autoReview && loop.order === null && loop.rounds.length === 0;
  return isManual ? finish('pending_self_review', 'implemented, not reviewed') : null;
}

function decideReview(loop: Loop): Action {
  const rest = restUnreviewed(loop);
  if (rest !== null) return isAsked(loop) ? fix(loop, 'order', askedWords(loop)) : rest;
  if (loop.rounds.length >= loop.maxRounds) return escalate('max-rounds', maxRoundsWhy(loop));
  const sessions = nextSessions(loop);
  if (sessions.length === 0) return unreviewed(loop);
  const round = loop.rounds.length + 1;
  const again = seatsOf(loop).flatMap(({ answer, attempts }) => (answer === null ? attempts.slice(-1) : []))[0];
  const why = again === undefined ? `round ${round} of ${loop.maxRounds} is due` : `${again.agent} gave no verdict: ${again.detail}`;
  return { do: 'review', round, sessions: [...sessions], why };
}

/** Nobody is left to take a seat, and too few answers count. */
function unreviewed(loop: Loop): Action {
  const lost = lostSeats(loop);
  const last = lost.flatMap(({ attempts }) => attempts.slice(-1));
  const tampered = last.some(({ reason }) => reason === 'tampered') || (last.length === 0 && loop.tampered.length > 0);
  const changed = loop.tampered.length === 0 ? 'nobody is left to ask' : `${loop.tampered.join(', ')} changed what was to be read`;
  const said = attemptWords(loop) || changed;
  const who = lost.length === seatsOf(loop).length ? 'no reviewer' : lost.map(({ member }) => member).join(' and ') || 'the panel';
  const gave = who === 'no reviewer' ? `${who} gave a verdict` : `${who} gave no verdict`;
  return escalate(tampered ? 'tampered' : 'no-verdict', `${gave} (${said})`);
}

type Fix = Extract<Effect, { do: 'fix' }>;

function fix(loop: Loop, cause: Fix['cause'], why: string): Action {
  if (loop.fixer.idle >= 2) return escalate('no-progress', 'the fixer changed nothing twice');
  const agent = ladder(loop, fixerOf(loop, cause), loop.fixer.failures);
  if (agent === null) return loop.roles.fixer === null ? finish('self_review_failed', 'there is no fixer') : failedWork(loop, 'fixer');
  const answersReview = cause === 'review' || cause === 'order' || (cause === 'withheld' && isUnanswered(loop.rounds.at(-1)));
  const round = Math.max(1, answersReview ? loop.rounds.length : loop.rounds.length + 1);
  const again = loop.fixer.idle > 0;
  return {
    do: 'fix',
    round,
    cause,
    agent,
    again,
    why: loop.fixer.failures > 0 ? retryWhy(loop) : again ? 'the fixer changed nothing' : why,
  };
}

function isUnanswered(round: Round | undefined): boolean {
  return round !== undefined && (round.fix === null || round.fix.sentBack);
}

/** How often the agent of a role itself is tried. */
export const TRIES = 2;

/** The agent of a role after so many failures in a row: itself twice, then each fallback once. */
export function ladder(loop: Loop, agent: string | null, failures: number): string | null {
  if (agent === null) return null;
  if (failures < TRIES) return agent;
  return loop.roles.fallback.filter((name) => name !== agent)[failures - TRIES] ?? null;
}

function failedWork(loop: Loop, role: string): Action {
  return escalate(
    loop.lastFailure?.reason ?? 'agent-failed',
    `the ${role} failed: ${loop.lastFailure?.message ?? 'no agent plays this role'}`,
  );
}

function retryWhy(loop: Loop): string {
  return `the session before failed: ${loop.lastFailure?.message ?? 'unknown reason'}`;
}

function maxRoundsWhy(loop: Loop): string {
  const open = blockingIn(loop);
  const first = open[0] === undefined ? '' : `${open.length === 1 ? ', ' : ', among them '}${firstWords(open)}`;
  const remain = `${counted(open.length, 'blocking finding')} ${open.length === 1 ? 'remains' : 'remain'}`;
  const trouble = troubleWords(open);
  return `after ${counted(loop.rounds.length, 'review round')} ${remain}${first}${trouble === '' ? '' : `; ${trouble}`}`;
}

function firstWords(findings: readonly Finding[]): string {
  const first = findings[0];
  return first === undefined ? '' : `${first.id}: ${first.description.split('\n')[0]}`;
}

function escalate(reason: EscalationReason, why: string): Action {
  return { do: 'escalate', reason, why };
}

function finish(state: Extract<Action, { do: 'finish' }>['state'], why: string): Action {
  return { do: 'finish', state, why };
}

function short(commit: string): string {
  return commit.slice(0, 8);
}
