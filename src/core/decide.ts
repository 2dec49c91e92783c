import type { Action, Effect, EscalationReason } from './action.ts';
import { isEffect } from './action.ts';
import { hasChange } from './choices.ts';
import { isRed } from './event.ts';
import type { Head } from './event.ts';
import { isClosed } from './finding.ts';
import { isBlocking } from './judge.ts';
import type { Loop, Round } from './loop.ts';
import { isPaid } from './settings.ts';

/** What the loop does next, and why. The same loop always gets the same answer. */
export function decide(loop: Loop): Action {
  if (loop.current !== null) return loop.current.action;
  const resting = restReason(loop);
  if (resting !== null) return { do: 'rest', why: resting };
  const action = decideNext(loop);
  return isEffect(action) && isOutOfMoney(loop, action) ? escalate('ceiling', moneyWhy(loop)) : action;
}

/** Whether the loop has something to do that needs a driver. */
export function wantsWork(loop: Loop): boolean {
  return decide(loop).do !== 'rest';
}

function restReason(loop: Loop): string | null {
  if (loop.ending !== null) return loop.ending.why;
  if (loop.takenOver !== null) return `${loop.takenOver.by} took it over`;
  if (loop.escalation !== null) return loop.escalation.why;
  return null;
}

function decideNext(loop: Loop): Action {
  if (loop.approval?.by === 'person') return finish('approved', `approved by ${loop.approval.name}, not by a review`);
  if (loop.pushed !== null && !loop.pushed.descends) {
    return escalate(
      'branch-moved',
      `the branch ${loop.branch} was moved to ${short(loop.pushed.head.commit)}, which does not build on our work`,
    );
  }
  if (loop.reviewSkipped) return finish('ready_for_human_review', 'the review was skipped');
  return decideWithheld(loop) ?? decideAuthor(loop) ?? decideChange(loop);
}

/** From the moment there is a change: progress, verdict, gates, review. */
function decideChange(loop: Loop): Action {
  const head = loop.head;
  if (head === null) return escalate('no-progress', 'the change is empty');
  if (isFixOrder(loop.order)) return fix(loop, 'order', 'a person asked for it');
  if (!hasChange(loop)) return escalate('no-progress', 'the change is empty');
  const last = loop.rounds.at(-1);
  const question = last === undefined || loop.order === 'review' ? null : openQuestion(loop);
  if (question !== null) return question;
  if (last !== undefined && loop.order !== 'review' && !lacksApproval(loop, last)) {
    if (last.head.tree === head.tree) return decideVerdict(loop, last);
    const before = loop.rounds.slice(0, -1).find((round) => round.head.tree === head.tree);
    if (before !== undefined) return escalate('oscillating', `the code is again as it was in round ${before.round}`);
  }
  return decideGates(loop, head) ?? decideReview(loop);
}

function isFixOrder(order: Loop['order']): boolean {
  return order === 'fix' || order === 'improve' || order === 'improve-and-review';
}

/** The same code under another commit: an approval names its commit, so that one is reviewed again. */
function lacksApproval(loop: Loop, last: Round): boolean {
  return last.verdict === 'approved' && loop.approval === null;
}

/** A dispute, or a finding that the fixer left to a person, waits for an answer before anything else. */
function openQuestion(loop: Loop): Action | null {
  const blocking = loop.findings.filter((one) => isBlocking(one, loop.settings.policy));
  const asked = blocking.filter((one) => one.resolution?.status === 'needs_person');
  if (asked.length > 0)
    return escalate(
      'needs-discussion',
      `the fixer asks about ${asked.map((one) => one.id).join(', ')}: ${asked[0]?.resolution?.note ?? ''}`,
    );
  const disputed = blocking.filter((one) => one.status === 'disputed');
  if (disputed.length === 0) return null;
  return escalate('disputed', `the fixer disputes ${disputed.map((one) => one.id).join(', ')}: ${disputed[0]?.resolution?.note ?? ''}`);
}

function decideVerdict(loop: Loop, last: Round): Action {
  if (last.verdict === 'approved') return finish('approved', `round ${last.round} approved it: ${last.why}`);
  if (last.verdict === 'needs_discussion') return escalate('needs-discussion', last.reading.summary ?? last.why);
  const why = `round ${last.round}: ${last.why}`;
  if (loop.task.kind === 'review' && !loop.task.fix) return finish('self_review_failed', why);
  if (!loop.settings.autoIterate || loop.order === 'review-once') return finish('self_review_failed', why);
  if (loop.rounds.length >= loop.maxRounds) return escalate('max-rounds', maxRoundsWhy(loop));
  if (last.fix !== null) return escalate('no-progress', `the fix left the code as round ${last.round} reviewed it`);
  return fix(loop, 'review', why);
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
function attemptWords({ attempts }: Loop): string {
  const counted = Map.groupBy(attempts, ({ agent, detail }) => `${agent}: ${detail}`);
  return [...counted].map(([words, { length }]) => (length === 1 ? words : `${words}, ${length} times`)).join('; ');
}

function decideReview(loop: Loop): Action {
  if (loop.order === 'rest-unreviewed') return finish('pending_self_review', 'improved, not reviewed');
  if (!loop.settings.review.enabled) return finish('ready_for_human_review', 'reviews are switched off');
  if (loop.task.kind === 'implement' && !loop.settings.autoReview && loop.order === null && loop.rounds.length === 0) {
    return finish('pending_self_review', 'implemented, not reviewed');
  }
  if (loop.rounds.length >= loop.maxRounds) return escalate('max-rounds', maxRoundsWhy(loop));
  const last = loop.attempts.at(-1);
  const agent = nextReviewer(loop);
  if (agent === null) {
    const said = attemptWords(loop);
    const reason = last?.reason === 'tampered' || (last === undefined && loop.tampered.length > 0) ? 'tampered' : 'no-verdict';
    return escalate(reason, `no reviewer gave a verdict (${said || `${loop.tampered.join(', ')} changed what was to be read`})`);
  }
  const round = loop.rounds.length + 1;
  const why = last === undefined ? `round ${round} of ${loop.maxRounds} is due` : `${last.agent} gave no verdict: ${last.detail}`;
  return { do: 'review', round, attempt: loop.attempts.length + 1, agent, why };
}

/** The reviewer, once more, then each fallback once; one that tampered never again. */
export function nextReviewer(loop: Loop): string | null {
  const first = loop.roles.reviewer[0];
  const candidates = [...(first === undefined ? [] : [first, first]), ...loop.roles.fallback.filter((name) => name !== first)];
  const tried = loop.attempts.map((attempt) => attempt.agent);
  for (const candidate of candidates) {
    const index = tried.indexOf(candidate);
    if (index >= 0) tried.splice(index, 1);
    else if (!loop.tampered.includes(candidate)) return candidate;
  }
  return null;
}

type Fix = Extract<Effect, { do: 'fix' }>;

function fix(loop: Loop, cause: Fix['cause'], why: string): Action {
  if (loop.fixer.idle >= 2) return escalate('no-progress', 'the fixer changed nothing twice');
  const agent = ladder(loop, loop.roles.fixer, loop.fixer.failures);
  if (agent === null) return loop.roles.fixer === null ? finish('self_review_failed', 'there is no fixer') : failedWork(loop, 'fixer');
  const answersReview = cause === 'review' || cause === 'order' || (cause === 'withheld' && loop.rounds.at(-1)?.fix === null);
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

/** The agent of a role after so many failures in a row: itself twice, then each fallback once. */
function ladder(loop: Loop, agent: string | null, failures: number): string | null {
  if (agent === null) return null;
  if (failures < 2) return agent;
  return loop.roles.fallback.filter((name) => name !== agent)[failures - 2] ?? null;
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

function isOutOfMoney(loop: Loop, action: Effect): boolean {
  if (loop.ceilingUsd === null || action.do === 'gates') return false;
  return costsMoney(loop, action.agent) && loop.spend.usd >= loop.ceilingUsd;
}

/** An agent that reported a cost once is not free, whatever its kind. */
function costsMoney(loop: Loop, agent: string): boolean {
  return (
    isPaid(loop.settings.agents[agent]) || loop.sessions.some((session) => session.agent === agent && (session.usage?.costUsd ?? 0) > 0)
  );
}

function moneyWhy(loop: Loop): string {
  return `$${loop.spend.usd.toFixed(2)} of $${(loop.ceilingUsd ?? 0).toFixed(2)} are spent`;
}

function maxRoundsWhy(loop: Loop): string {
  const open = loop.findings.filter((one) => isBlocking(one, loop.settings.policy));
  const named = open[0] === undefined ? '' : `, among them ${open[0].id}: ${open[0].description.split('\n')[0]}`;
  return `after ${loop.rounds.length} review round(s) ${open.length} blocking finding(s) remain${named}`;
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
