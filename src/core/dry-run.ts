import type { Action } from './action.ts';
import { agentsOf, isEffect } from './action.ts';
import { applyEvent } from './apply.ts';
import { decide } from './decide.ts';
import type { Event, Head } from './event.ts';
import type { RaisedFinding } from './finding.ts';
import type { Loop } from './loop.ts';
import type { Proof } from './proof.ts';
import { HOOKS_GATE } from './settings.ts';
import type { Settings } from './settings.ts';
import type { Task } from './task.ts';

type Created = Extract<Event, { type: 'created' }>;

const NOTHING_KNOWN = '(dry run)';
const NO_HASH = '0'.repeat(64);

const UNKNOWN = { commit: 'unknown', tree: 'unknown' };

/** Every step of the longest path of a task that nobody started yet, in seed 003's words too. */
export function dryRunSteps(task: Task, settings: Settings): readonly { readonly action: Action; readonly text: string }[] {
  const actions = dryRun({
    type: 'created',
    id: 1,
    uid: 'NEW',
    // It is told what happens once whatever it waits for is done.
    task: { ...task, dependsOn: [] },
    settings,
    base: { ref: 'base', commit: 'base', mergeBase: 'base', mergeBaseTree: 'base' },
    start: UNKNOWN,
    branch: 'NEW',
    by: 'nobody',
    notes: [],
  });
  const gates = [...settings.gates.map((gate) => gate.name), ...(settings.commitHooks === null ? [] : [HOOKS_GATE])];
  const lines = dryRunLines(actions, gates);
  return actions.map((action, index) => ({ action, text: lines[index] ?? '' }));
}

/** The longest path that a loop can take without a person: every round blocks, every fix changes something. */
function dryRun(created: Created): readonly Action[] {
  let loop = applyEvent(null, { seq: 1, at: NOTHING_KNOWN, event: created });
  const actions: Action[] = [];
  for (;;) {
    const action = decide(loop);
    if (action.do === 'rest') return actions;
    actions.push(action);
    if (!isEffect(action)) return actions;
    loop = add(loop, { type: 'started', action });
    const token = loop.seq;
    while (loop.current?.token === token) loop = add(loop, imagine(loop, token));
  }
}

/** One line per step, in seed 003's words. */
function dryRunLines(actions: readonly Action[], gates: readonly string[]): string[] {
  return actions.map((action) => `[DRY-RUN] Would ${describe(action, gates)}`);
}

function describe(action: Action, gates: readonly string[]): string {
  switch (action.do) {
    case 'author':
      return `spawn author ${action.agent} for task NEW`;
    case 'review':
      return `spawn ${action.sessions.length === 1 ? 'reviewer' : 'reviewers'} ${agentsOf(action).join(', ')} for task NEW round ${action.round}`;
    case 'arbitrate':
      return `spawn arbiter ${action.agent} for task NEW round ${action.round}`;
    case 'fix':
      return `spawn fixer ${action.agent} for task NEW round ${action.round}`;
    case 'gates':
      return `run ${gates.length === 1 ? 'gate' : 'gates'} ${gates.join(', ')} for task NEW`;
    case 'escalate':
      return `ask a person (${action.reason}) about task NEW`;
    case 'finish':
      return `end task NEW as ${action.state}`;
    case 'wait':
    case 'rest':
      return action.do;
  }
}

function add(loop: Loop, event: Event): Loop {
  return applyEvent(loop, { seq: loop.seq + 1, at: NOTHING_KNOWN, event });
}

function imagine(loop: Loop, token: number): Event {
  const action = loop.current?.action;
  const head: Head = { commit: `imagined-${token}`, tree: `imagined-${token}` };
  const outcome = { kind: 'committed' as const, head, commits: [head.commit], files: [], skipped: [] };
  switch (action?.do) {
    case 'author':
      return { type: 'authored', token, outcome, summary: null, taskComplete: true, session: null };
    case 'fix':
      return { type: 'fixed', token, outcome, summary: null, resolutions: [], strayed: [], session: null };
    case 'gates':
      return { type: 'gated', token, tree: loop.head?.tree ?? '', results: [] };
    case 'arbitrate':
      return { type: 'arbitrated', token, outcome: { kind: 'rulings', rulings: [] }, session: null };
    case 'review':
    case undefined:
      return imagineReview(loop, token);
  }
}

/** The next member of the panel that has not answered yet. */
function imagineReview(loop: Loop, token: number): Event {
  const { current } = loop;
  const waiting =
    current?.action.do === 'review' ? current.action.sessions.find(({ member }) => !current.reported.includes(member)) : undefined;
  const { member = '', agent = '' } = waiting ?? {};
  return { type: 'reviewed', token, member, agent, outcome: blockingReview(loop, token), session: null };
}

function blockingReview(loop: Loop, token: number): Extract<Extract<Event, { type: 'reviewed' }>['outcome'], { kind: 'review' }> {
  const finding: RaisedFinding = {
    source: 'reviewer',
    severity: 'critical',
    category: 'logic',
    tag: null,
    file: null,
    line: null,
    lineEnd: null,
    place: 'unplaced',
    // No two of them sound alike, so that each is a finding of its own.
    description: String.fromCharCode('a'.charCodeAt(0) + (token % 26)).repeat(6),
    impact: null,
    suggestion: null,
    patch: null,
    snippet: null,
    flags: [],
    raisedBy: [],
    codeHash: null,
  };
  return {
    kind: 'review',
    reading: {
      channel: 'result-file',
      claim: 'changes_requested',
      mayApprove: true,
      summary: null,
      interpretedIntent: null,
      intentSatisfied: null,
      issues: [],
      evidence: [],
      usage: null,
      head: null,
    },
    raised: [finding],
    proof: imaginedProof(loop.head ?? loop.start),
    deltas: loop.rounds.map(({ head }) => ({
      from: head.commit,
      files: [{ path: NOTHING_KNOWN, oldPath: null, status: 'modified' as const, hunks: null }],
    })),
    memories: [],
    answer: null,
  };
}

function imaginedProof(head: Head): Proof {
  return {
    base: NOTHING_KNOWN,
    mergeBase: NOTHING_KNOWN,
    head: head.commit,
    tree: head.tree,
    diffSha256: NO_HASH,
    filesDelivered: [NOTHING_KNOWN],
    filesNamed: [],
    filesMissing: [],
    promptSha256: NO_HASH,
    agent: NOTHING_KNOWN,
    driver: NOTHING_KNOWN,
    agentVersion: null,
    model: null,
    sameVendor: null,
    billing: null,
    tokens: null,
    costUsd: null,
    costBasis: null,
    startedAt: NOTHING_KNOWN,
    endedAt: NOTHING_KNOWN,
    exitState: 'completed',
    channel: 'result-file',
    witness: null,
    confinement: 'copy',
    network: null,
    tripwire: { before: NOTHING_KNOWN, after: NOTHING_KNOWN },
    gates: null,
    absent: {},
  };
}
