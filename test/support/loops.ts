import { isEffect } from '../../src/core/action.ts';
import { applyEvent } from '../../src/core/apply.ts';
import { decide } from '../../src/core/decide.ts';
import type { Delta } from '../../src/core/delta.ts';
import type { Event, Head, NoVerdict, ReviewOutcome, Session } from '../../src/core/event.ts';
import type { Finding, PersonRuling, RaisedFinding } from '../../src/core/finding.ts';
import type { Loop, MemberReview, Round } from '../../src/core/loop.ts';
import type { Memory } from '../../src/core/memory.ts';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import type { Policy } from '../../src/core/policy.ts';
import type { Proof } from '../../src/core/proof.ts';
import { refusal } from '../../src/core/refusal.ts';
import type { ReviewReading, Ruling } from '../../src/core/review.ts';
import { BUILTIN, plainAgent } from '../../src/core/settings.ts';
import type { AgentSpec, Roles, Settings } from '../../src/core/settings.ts';
import { plainTask } from '../../src/core/task.ts';
import type { Task } from '../../src/core/task.ts';

const AT = '2026-01-29T10:00:00.000Z';

function agentSpec(name: string): AgentSpec {
  return plainAgent(name === BUILTIN ? { name, driver: BUILTIN } : { name, driver: 'command', run: [`/agents/${name}`] });
}

type SettingsChanges = Partial<Omit<Settings, 'policy' | 'roles'>> & {
  readonly policy?: Partial<Policy>;
  readonly roles?: Partial<Roles>;
};

/** Settings of a loop with scripted agents. */
export function makeSettings(changes: SettingsChanges = {}): Settings {
  const { policy, roles, ...rest } = changes;
  return {
    policy: { ...DEFAULT_POLICY, ...policy },
    roles: { author: 'alpha', reviewer: ['beta'], fixer: 'alpha', arbiter: null, fallback: [], ...roles },
    agents: { alpha: agentSpec('alpha'), beta: agentSpec('beta'), gamma: agentSpec('gamma') },
    gates: [],
    review: { enabled: true, context: 'diff' },
    autoReview: true,
    autoIterate: true,
    commit: { message: 'fix: address code review round {n} - {summary}', sign: 'inherit' },
    commitHooks: null,
    branchPrefix: 'volley/',
    checkout: { copy: [], setup: null },
    confine: { read: [], write: [], network: null, hosts: [], projectSettings: 'none', required: false },
    improve: { fixer: null, timeoutMs: null },
    artefactPath: '.volley/reviews/{yyyymmdd}-task-{id}-review-{n}.md',
    ...rest,
  };
}

/** Settings of a loop whose changes these agents review together. */
export function makePanel(reviewer: readonly string[], changes: SettingsChanges = {}): Settings {
  const names = ['alpha', 'beta', 'gamma', ...reviewer, ...(changes.roles?.fallback ?? [])];
  const agents = Object.fromEntries(names.map((name) => [name, agentSpec(name)]));
  return makeSettings({ agents, ...changes, roles: { ...changes.roles, reviewer: [...reviewer] } });
}

/** A task to implement. */
export function makeTask(changes: Partial<Task> = {}): Task {
  return plainTask({ kind: 'implement', title: 'Add a greeting', source: { kind: 'authored' }, fix: false, ...changes });
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
  if (action.do === 'escalate') return append(loop, { type: 'escalated', reason: action.reason, why: action.why, versions: null });
  if (action.do === 'finish') return append(loop, { type: 'finished', state: action.state, why: action.why });
  if (action.do === 'wait') return append(loop, { type: 'postponed', until: AT, why: action.why });
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

type Fixed = Extract<Event, { type: 'fixed' }>;

/** Runs the fixer's action and gives it this outcome. */
export function fix(loop: Loop, outcome: Fixed['outcome'], resolutions: Fixed['resolutions'] = []): Loop {
  const started = loop.current === null ? step(loop) : loop;
  return append(started, { type: 'fixed', token: tokenOf(started), outcome, summary: 'mended', resolutions, strayed: [], session: null });
}

/** Runs the fixer's action and lets it commit more than it was asked for. */
export function strayFix(loop: Loop, head: string, strayed: Fixed['strayed']): Loop {
  const started = step(loop);
  const outcome = committed(head);
  return append(started, { type: 'fixed', token: tokenOf(started), outcome, summary: null, resolutions: [], strayed, session: null });
}

/** Runs the fixer's action and lets it dispute these findings, with a commit of this name or without one. */
export function dispute(loop: Loop, ids: readonly string[], head: string | null = null): Loop {
  const resolutions = ids.map((findingId) => ({ findingId, status: 'disputed' as const, note: 'line 3 is never empty', places: [] }));
  return fix(loop, head === null ? { kind: 'unchanged' } : committed(head), resolutions);
}

/** Runs the arbiter's action and lets it rule so on each of these findings. */
export function arbitrate(loop: Loop, said: Readonly<Record<string, Ruling['ruling']>>): Loop {
  const started = step(loop);
  const rulings = Object.entries(said).map(([findingId, ruling]) => ({ findingId, ruling, note: `it is ${ruling}` }));
  return append(started, { type: 'arbitrated', token: tokenOf(started), outcome: { kind: 'rulings', rulings }, session: null });
}

/** A person's word about one finding. */
export function rule(loop: Loop, findingId: string, ruling: PersonRuling): Loop {
  return append(loop, { type: 'ruled', findingId, ruling, by: 'Test Person', reason: null });
}

/** A proof of a review of this head that nothing is wrong with. */
export function makeProof(head: Head, changes: Partial<Proof> = {}): Proof {
  return {
    base: 'base',
    mergeBase: 'base',
    head: head.commit,
    tree: head.tree,
    diffSha256: 'd'.repeat(64),
    filesDelivered: ['a.ts'],
    filesNamed: [],
    filesMissing: [],
    promptSha256: 'f'.repeat(64),
    agent: 'beta',
    driver: 'command',
    agentVersion: null,
    model: null,
    sameVendor: null,
    billing: null,
    tokens: null,
    costUsd: null,
    costBasis: 'free',
    startedAt: AT,
    endedAt: AT,
    exitState: 'completed',
    channel: 'result-file',
    witness: null,
    confinement: 'copy',
    network: null,
    tripwire: { before: 't', after: 't' },
    gates: null,
    absent: {},
    ...changes,
  };
}

/** A session that ended well. */
export function makeSession(agent: string, changes: Partial<Session> = {}): Session {
  return {
    agent,
    role: 'reviewer',
    startedAt: AT,
    endedAt: AT,
    exit: 'completed',
    exitCode: 0,
    usage: null,
    reservedUsd: null,
    costBasis: null,
    transcript: null,
    model: null,
    billing: null,
    resumeId: null,
    confinement: null,
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
    head: null,
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
    codeHash: 'hash-of-the-code',
    ...changes,
  };
}

/** A finding of round 1 that nothing has happened to since. */
export function makeFinding(id: string, changes: Partial<Finding> = {}): Finding {
  const { file, line, lineEnd } = { ...makeRaised(), ...changes };
  return {
    ...makeRaised(),
    id,
    status: 'open',
    provenance: 'original',
    firstRound: 1,
    lastRound: 1,
    anchor: file === null ? 'unplaced' : 'exact',
    origin: { commit: headOf('1').commit, file, line, lineEnd },
    also: [],
    reopenings: 0,
    survived: 0,
    firm: false,
    resolution: null,
    ruling: null,
    ...changes,
  };
}

/** What one member of a panel answered about a head. */
export function makeMemberReview(head: Head, changes: Partial<MemberReview> = {}): MemberReview {
  return {
    member: 'beta',
    agent: 'beta',
    stance: 'changes_requested',
    reading: makeReading(),
    proof: makeProof(head),
    findingIds: [],
    session: null,
    ...changes,
  };
}

/** A round that one reviewer approved. */
export function makeRound(changes: Partial<Round> = {}): Round {
  const head = changes.head ?? headOf('1');
  return {
    round: 1,
    at: AT,
    head,
    verdict: 'approved',
    why: 'nothing blocks',
    notes: [],
    reviews: [makeMemberReview(head, { stance: 'approved' })],
    lost: [],
    without: [],
    seats: [],
    findingIds: [],
    blockingIds: [],
    held: [],
    fix: null,
    ...changes,
  };
}

/** Which lines of which files changed, each line for one other; null stands for all of a file, and an empty record for nothing. */
type Changed = Readonly<Record<string, readonly number[] | null>>;

/** What changed since a commit. */
export function makeDelta(from: string, changed: Changed): Delta {
  const hunk = (line: number): NonNullable<Delta['files'][number]['hunks']>[number] => ({
    oldStart: line,
    oldCount: 1,
    newStart: line,
    newCount: 1,
  });
  const files = Object.entries(changed).map(([path, lines]) => ({
    path,
    oldPath: null,
    status: 'modified' as const,
    hunks: lines === null ? null : lines.map(hunk),
  }));
  return { from, files };
}

/** What a reviewer answers; `changed` is what changed since every head that was reviewed before, unless `deltas` say it. */
export type GivenReview = {
  readonly raised?: readonly RaisedFinding[];
  readonly reading?: Partial<ReviewReading>;
  readonly proof?: Partial<Proof>;
  readonly changed?: Changed;
  readonly deltas?: readonly Delta[];
  readonly memories?: readonly Memory[];
};

/** The outcome of a review session of this agent on the loop's head. */
export function reviewOutcome(loop: Loop, agent: string, given: GivenReview = {}): Extract<ReviewOutcome, { kind: 'review' }> {
  const raised = [...(given.raised ?? [])];
  const changed = given.changed ?? { 'a.ts': [3] };
  const earlier = [...loop.rounds.map(({ head }) => head.commit), ...loop.findings.flatMap(({ origin }) => origin?.commit ?? [])];
  return {
    kind: 'review',
    reading: makeReading({ claim: raised.length > 0 ? 'changes_requested' : 'approved', ...given.reading }),
    raised,
    proof: makeProof(loop.head ?? headOf('none'), { agent, ...given.proof }),
    deltas: [...(given.deltas ?? [...new Set(earlier)].map((from) => makeDelta(from, changed)))],
    memories: [...(given.memories ?? [])],
    answer: 'what it said',
  };
}

/** Runs the review action and gives every session of it this answer. */
export function review(loop: Loop, given: GivenReview = {}): Loop {
  const started = loop.current === null ? step(loop) : loop;
  return awaited(started).reduce((next, member) => reviewOf(next, member, given), started);
}

/** Runs the review action and gives the sessions of these members their answers, in this order; a reason means no verdict. */
export function reviewPanel(loop: Loop, given: Readonly<Record<string, GivenReview | NoVerdict>>): Loop {
  const started = loop.current === null ? step(loop) : loop;
  return Object.entries(given).reduce(
    (next, [member, said]) =>
      typeof said === 'string' ? loseSeat(next, member, { reason: said }) : reviewOf(next, member, own(next, member, said)),
    started,
  );
}

/** Runs the review action and lets every session of it come to nothing. */
export function loseReview(loop: Loop, reason: NoVerdict, answer: string | null = null): Loop {
  const started = loop.current === null ? step(loop) : loop;
  return awaited(started).reduce((next, member) => loseSeat(next, member, { reason, answer }), started);
}

function reviewOf(loop: Loop, member: string, given: GivenReview): Loop {
  const agent = agentOf(loop, member);
  return append(loop, { type: 'reviewed', token: tokenOf(loop), member, agent, outcome: reviewOutcome(loop, agent, given), session: null });
}

function loseSeat(loop: Loop, member: string, lost: { readonly reason: NoVerdict; readonly answer?: string | null }): Loop {
  const agent = agentOf(loop, member);
  const outcome = { kind: 'no-verdict' as const, reason: lost.reason, detail: lost.reason, answer: lost.answer ?? null };
  return append(loop, { type: 'reviewed', token: tokenOf(loop), member, agent, outcome, session: makeSession(agent) });
}

/** In a panel everyone raises findings in their own name. */
function own(loop: Loop, member: string, given: GivenReview): GivenReview {
  const raisedBy = [agentOf(loop, member)];
  return given.raised === undefined ? given : { ...given, raised: given.raised.map((one) => ({ ...one, raisedBy })) };
}

function agentOf(loop: Loop, member: string): string {
  const action = loop.current?.action;
  const session = action?.do === 'review' ? action.sessions.find((one) => one.member === member) : undefined;
  if (session === undefined)
    throw new Error(`nobody reviews for ${member} now, but the loop does ${JSON.stringify(action ?? decide(loop))}`);
  return session.agent;
}

/** The members of the panel whose sessions are under way. */
export function awaited(loop: Loop): readonly string[] {
  const { current } = loop;
  if (current?.action.do !== 'review') throw new Error(`no review is due, but ${JSON.stringify(current?.action ?? decide(loop))}`);
  return current.action.sessions.map(({ member }) => member).filter((member) => !current.reported.includes(member));
}

/** Runs the gates and gives them this result. */
export function gate(loop: Loop, passed: boolean, redBefore = false): Loop {
  const started = step(loop);
  const result = { name: 'test', passed, exitCode: passed ? 0 : 1, timedOut: false, output: '', reran: !passed, redBefore, durationMs: 1 };
  return append(started, { type: 'gated', token: tokenOf(started), tree: started.head?.tree ?? '', results: [result] });
}
