import { applyEvent } from '../../src/core/apply.ts';
import { decide } from '../../src/core/decide.ts';
import { isEffect } from '../../src/core/action.ts';
import type { Event, Head } from '../../src/core/event.ts';
import type { RaisedFinding } from '../../src/core/finding.ts';
import type { Loop } from '../../src/core/loop.ts';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import type { Policy } from '../../src/core/policy.ts';
import type { Proof } from '../../src/core/proof.ts';
import { refusal } from '../../src/core/refusal.ts';
import type { ReviewReading } from '../../src/core/review.ts';
import { plainAgent } from '../../src/core/settings.ts';
import type { AgentSpec, Settings } from '../../src/core/settings.ts';
import type { Task } from '../../src/core/task.ts';

const AT = '2026-01-29T10:00:00.000Z';

function agentSpec(name: string): AgentSpec {
  return plainAgent({ name, driver: 'command', run: [`/agents/${name}`] });
}

/** Settings of a loop with scripted agents. */
export function makeSettings(changes: Partial<Omit<Settings, 'policy'>> & { readonly policy?: Partial<Policy> } = {}): Settings {
  const { policy, ...rest } = changes;
  return {
    policy: { ...DEFAULT_POLICY, ...policy },
    roles: { author: 'alpha', reviewer: ['beta'], fixer: 'alpha', arbiter: null, fallback: [] },
    agents: { alpha: agentSpec('alpha'), beta: agentSpec('beta'), gamma: agentSpec('gamma') },
    gates: [],
    review: { enabled: true, context: 'diff' },
    autoReview: true,
    autoIterate: true,
    commit: { message: 'fix: address code review round {n} - {summary}', sign: 'inherit' },
    commitHooks: null,
    branchPrefix: 'volley/',
    checkout: { copy: [], setup: null },
    artefactPath: '.volley/reviews/{yyyymmdd}-task-{id}-review-{n}.md',
    ...rest,
  };
}

/** A task to implement. */
export function makeTask(changes: Partial<Task> = {}): Task {
  return {
    kind: 'implement',
    title: 'Add a greeting',
    text: 'Add a greeting',
    story: null,
    plan: null,
    ref: null,
    source: { kind: 'authored' },
    fix: false,
    ...changes,
  };
}

/** A loop that has just been created. */
export function makeLoop(changes: { readonly settings?: Settings; readonly task?: Task; readonly id?: number } = {}): Loop {
  const event: Event = {
    type: 'created',
    id: changes.id ?? 29,
    uid: '01JD0000000000000000000000',
    task: changes.task ?? makeTask(),
    settings: changes.settings ?? makeSettings(),
    base: { ref: 'main', commit: 'base', mergeBase: 'base', mergeBaseTree: 'tree-base' },
    start: changes.task?.kind === 'review' ? headOf('0') : { commit: 'base', tree: 'tree-base' },
    branch: 'volley/29-add-a-greeting',
    by: 'Test Person',
    notes: [],
  };
  return applyEvent(null, { seq: 1, at: AT, event });
}

/** A commit and tree with a name. */
export function headOf(name: string): Head {
  return { commit: `commit-${name}`, tree: `tree-${name}` };
}

/** Appends an event as the store does: a refused one throws, because a test expects it to be taken. */
export function append(loop: Loop, event: Event): Loop {
  const why = refusal(loop, event);
  if (why !== null) throw new Error(`${event.type} refused: ${why}`);
  return applyEvent(loop, { seq: loop.seq + 1, at: AT, event });
}

/** Starts what the loop decides to do, or writes the escalation or ending that it decides on. */
export function step(loop: Loop): Loop {
  const action = decide(loop);
  if (isEffect(action)) return append(loop, { type: 'started', action });
  if (action.do === 'escalate') return append(loop, { type: 'escalated', reason: action.reason, why: action.why });
  if (action.do === 'finish') return append(loop, { type: 'finished', state: action.state, why: action.why });
  return loop;
}

/** The token of the action under way. */
export function tokenOf(loop: Loop): number {
  if (loop.current === null) throw new Error('no action is under way');
  return loop.current.token;
}

/** The author or fixer committed a new head. */
export function committed(name: string): Extract<Event, { type: 'authored' }>['outcome'] {
  return { kind: 'committed', head: headOf(name), commits: [`commit-${name}`], files: ['a.ts'], skipped: [] };
}

/** Runs the author's action and gives it this outcome. */
export function author(loop: Loop, outcome: Extract<Event, { type: 'authored' }>['outcome'], taskComplete = true): Loop {
  const started = step(loop);
  return append(started, { type: 'authored', token: tokenOf(started), outcome, summary: 'done', taskComplete, session: null });
}

/** Runs the fixer's action and gives it this outcome. */
export function fix(
  loop: Loop,
  outcome: Extract<Event, { type: 'fixed' }>['outcome'],
  resolutions: Extract<Event, { type: 'fixed' }>['resolutions'] = [],
): Loop {
  const started = step(loop);
  return append(started, { type: 'fixed', token: tokenOf(started), outcome, summary: 'mended', resolutions, session: null });
}

/** A proof of a review of this head that nothing is wrong with. */
export function makeProof(head: Head, changes: Partial<Proof> = {}): Proof {
  return {
    base: 'base',
    mergeBase: 'base',
    head: head.commit,
    tree: head.tree,
    diffSha256: 'd',
    promptSha256: 'p',
    agent: 'beta',
    channel: 'result-file',
    exitState: 'completed',
    startedAt: AT,
    endedAt: AT,
    confinement: 'copy',
    tripwire: { before: 't', after: 't' },
    gates: null,
    filesDelivered: null,
    agentVersion: null,
    model: null,
    billing: null,
    tokens: null,
    costUsd: null,
    network: null,
    ...changes,
  };
}

/** A reading of a reviewer's answer. */
export function makeReading(changes: Partial<ReviewReading> = {}): ReviewReading {
  return {
    channel: 'result-file',
    claim: 'approved',
    mayApprove: true,
    summary: null,
    interpretedIntent: null,
    intentSatisfied: null,
    issues: [],
    evidence: [],
    usage: null,
    ...changes,
  };
}

/** A finding as a reviewer raises it. */
export function makeRaised(changes: Partial<RaisedFinding> = {}): RaisedFinding {
  return {
    source: 'reviewer',
    severity: 'high',
    category: 'logic',
    tag: null,
    file: 'a.ts',
    line: 3,
    lineEnd: null,
    place: 'changed',
    description: 'The greeting is empty.',
    impact: null,
    suggestion: null,
    patch: null,
    snippet: null,
    flags: [],
    raisedBy: ['beta'],
    ...changes,
  };
}

/** Runs the review action and gives it this outcome. */
export function review(
  loop: Loop,
  given: {
    readonly raised?: readonly RaisedFinding[];
    readonly reading?: Partial<ReviewReading>;
    readonly proof?: Partial<Proof>;
    readonly touched?: readonly string[];
  } = {},
): Loop {
  const started = step(loop);
  const raised = [...(given.raised ?? [])];
  const reading = makeReading({ claim: raised.length > 0 ? 'changes_requested' : 'approved', ...given.reading });
  const proof = makeProof(started.head ?? headOf('none'), given.proof);
  const touched = started.rounds.length === 0 ? null : [...(given.touched ?? ['a.ts'])];
  const outcome = { kind: 'review' as const, reading, raised, proof, touched };
  return append(started, { type: 'reviewed', token: tokenOf(started), outcome, session: null });
}

/** Runs the review action and lets it come to nothing. */
export function loseReview(loop: Loop, reason: 'unreadable' | 'tampered' | 'crashed', agent: string): Loop {
  const started = step(loop);
  const session = {
    agent,
    role: 'reviewer' as const,
    startedAt: AT,
    endedAt: AT,
    exit: 'completed' as const,
    exitCode: 0,
    usage: null,
    transcript: null,
  };
  const outcome = { kind: 'no-verdict' as const, reason, detail: reason };
  return append(started, { type: 'reviewed', token: tokenOf(started), outcome, session });
}

/** Runs the gates and gives them this result. */
export function gate(loop: Loop, passed: boolean, redBefore = false): Loop {
  const started = step(loop);
  const result = { name: 'test', passed, exitCode: passed ? 0 : 1, timedOut: false, output: '', reran: !passed, redBefore, durationMs: 1 };
  return append(started, { type: 'gated', token: tokenOf(started), tree: started.head?.tree ?? '', results: [result] });
}
