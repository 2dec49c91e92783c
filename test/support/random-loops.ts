import fc from 'fast-check';
import { isEffect } from '../../src/core/action.ts';
import type { Action } from '../../src/core/action.ts';
import { choicesOf } from '../../src/core/choices.ts';
import { decide } from '../../src/core/decide.ts';
import { NoVerdict } from '../../src/core/event.ts';
import type { Edit, Event, JournalEntry, WorkOutcome } from '../../src/core/event.ts';
import { PersonRuling } from '../../src/core/finding.ts';
import type { RaisedFinding, Resolution } from '../../src/core/finding.ts';
import type { Loop } from '../../src/core/loop.ts';
import { Memory } from '../../src/core/memory.ts';
import { refusal } from '../../src/core/refusal.ts';
import { append, headOf, makeLoop, makePanel, makeRaised, makeTask, reviewOutcome } from './loops.ts';

const GATE = { name: 'test', run: 'true', cwd: '.', paths: [], network: false };
const trees = fc.constantFrom('1', '2', '3', '4', '5');
/** Findings as reviewers raise them. */
export const findings = fc.array(
  fc.record({
    severity: fc.constantFrom('critical', 'medium', 'low'),
    category: fc.constantFrom('logic', 'logic', 'security'),
    file: fc.constantFrom('a.ts', 'b.ts', null),
    text: fc.constantFrom('x', 'y', 'z'),
    codeHash: fc.constantFrom('h1', 'h2'),
  }),
  { maxLength: 3 },
);
/** One draw answers whatever action is due; the members of a panel get different ones. */
export const draw = fc.record({
  tree: trees,
  work: fc.constantFrom('committed', 'committed', 'committed', 'unchanged', 'withheld', 'failed', 'over-budget'),
  complete: fc.boolean(),
  green: fc.boolean(),
  claim: fc.constantFrom('approved', 'changes_requested', 'needs_discussion', null),
  mayApprove: fc.boolean(),
  findings,
  lost: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom(...NoVerdict.options) }),
  damage: fc.constantFrom(null, null, null, 'tripwire', 'head', 'files', 'diff'),
  changed: fc.constantFrom<Record<string, number[]>>({}, { 'a.ts': [3] }, { 'a.ts': [30] }, { 'a.ts': [3], 'b.ts': [3] }),
  resolution: fc.constantFrom('fixed', 'fixed', 'disputed', 'needs_person', null),
  ruling: fc.constantFrom('upheld', 'refuted', 'failed', 'silent'),
  remembers: fc.boolean(),
});
type Draw = typeof draw extends fc.Arbitrary<infer T> ? T : never;

/** Loops of all kinds that have just begun. */
export const loops = fc
  .record({
    gates: fc.boolean(),
    reviewer: fc.constantFrom(['beta'], ['beta'], ['beta', 'gamma'], ['beta', 'gamma', 'builtin'], ['builtin']),
    fallback: fc.constantFrom<string[]>([], ['delta'], ['delta', 'gamma']),
    arbiter: fc.constantFrom(null, 'delta'),
    maxRounds: fc.integer({ min: 1, max: 6 }),
    quorum: fc.constantFrom('all', 'majority', 'any'),
    convergence: fc.constantFrom('ratchet', 'strict'),
    kind: fc.constantFrom('implement', 'review', 'review-fix'),
    autoIterate: fc.boolean(),
  })
  .map(({ gates, reviewer, fallback, arbiter, kind, autoIterate, ...policy }) =>
    makeLoop({
      settings: makePanel(reviewer, { gates: gates ? [GATE] : [], autoIterate, policy, roles: { arbiter, fallback } }),
      task:
        kind === 'implement'
          ? makeTask()
          : makeTask({ kind: 'review', source: { kind: 'branch', branch: 'x' }, fix: kind === 'review-fix' }),
    }),
  );

let commits = 0;

function workOutcome(one: Draw): WorkOutcome {
  switch (one.work) {
    case 'committed':
      commits += 1;
      return {
        kind: 'committed',
        head: { commit: `c${commits}`, tree: `tree-${one.tree}` },
        commits: [`c${commits}`],
        files: ['a.ts'],
        skipped: [],
      };
    case 'unchanged':
      return { kind: 'unchanged' };
    case 'withheld':
      return { kind: 'withheld', ref: 'r', tree: 'w', findings: [makeRaised({ source: 'engine' })] };
    case 'failed':
      return { kind: 'failed', reason: 'agent-failed', message: 'it broke', partial: null };
    case 'over-budget':
      return { kind: 'failed', reason: 'over-budget', message: 'its money is used up', partial: null };
  }
}

/** The events that answer the action under way, one for every member of a panel. */
export function answersTo(loop: Loop, token: number, draws: readonly [Draw, ...Draw[]]): Event[] {
  const action = decide(loop);
  const [one] = draws;
  switch (action.do) {
    case 'author':
      return [{ type: 'authored', token, outcome: workOutcome(one), summary: null, taskComplete: one.complete, session: null }];
    case 'fix': {
      const strayed = one.remembers ? [makeRaised({ source: 'engine', tag: 'stray-edit', file: 'c.ts', severity: 'medium' })] : [];
      return [
        { type: 'fixed', token, outcome: workOutcome(one), summary: null, resolutions: resolutionsOf(loop, one), strayed, session: null },
      ];
    }
    case 'gates':
      return [{ type: 'gated', token, tree: loop.head?.tree ?? '', results: [gateResult(one.green)] }];
    case 'arbitrate':
      return [{ type: 'arbitrated', token, outcome: rulingsOf(action.findingIds, one), session: null }];
    case 'review':
      return action.sessions.map(({ member, agent }, index) => ({
        type: 'reviewed',
        token,
        member,
        agent,
        outcome: answerOf(loop, agent, draws[index % draws.length] ?? one),
        session: null,
      }));
    case 'escalate':
    case 'finish':
    case 'wait':
    case 'rest':
      throw new Error(`nothing answers ${action.do}`);
  }
}

function resolutionsOf(loop: Loop, { resolution: status }: Draw): Resolution[] {
  return status === null ? [] : loop.findings.slice(0, 2).map(({ id }) => ({ findingId: id, status, note: 'so it is', places: [] }));
}

function gateResult(passed: boolean): Extract<Event, { type: 'gated' }>['results'][number] {
  return { name: 'test', passed, exitCode: 0, timedOut: false, output: '', reran: false, redBefore: false, durationMs: 1 };
}

function rulingsOf(ids: readonly string[], { ruling }: Draw): Extract<Event, { type: 'arbitrated' }>['outcome'] {
  if (ruling === 'failed') return { kind: 'failed', reason: 'agent-failed', message: 'it broke' };
  return { kind: 'rulings', rulings: ruling === 'silent' ? [] : ids.map((findingId) => ({ findingId, ruling, note: 'I looked' })) };
}

function answerOf(loop: Loop, agent: string, one: Draw): Extract<Event, { type: 'reviewed' }>['outcome'] {
  if (one.lost !== null) return { kind: 'no-verdict', reason: one.lost, detail: one.lost, answer: one.green ? 'noise' : null };
  const raised = one.findings.map((finding) => raisedBy(agent, finding));
  const proof = {
    ...(one.damage === 'tripwire' ? { tripwire: { before: 'a', after: 'b' } } : {}),
    ...(one.damage === 'head' ? { head: headOf('other').commit } : {}),
    ...(one.damage === 'files' ? { filesMissing: ['b.ts'] } : {}),
    ...(one.damage === 'diff' ? { diffSha256: '' } : {}),
  };
  const [first] = raised;
  const memories = first === undefined || !one.remembers ? [] : [Memory.parse({ ...MEMORY, ...first })];
  const reading = { claim: one.claim, mayApprove: one.mayApprove };
  return reviewOutcome(loop, agent, { raised, reading, proof, changed: one.changed, memories });
}

const MEMORY = { findingId: '7.1', by: 'delta', person: false, note: 'it is not so', at: 'then' };

/** One of them. */
export type Raised = typeof findings extends fc.Arbitrary<readonly (infer T)[]> ? T : never;

/** A finding as this agent raises it. */
export function raisedBy(agent: string, { text, ...finding }: Raised): RaisedFinding {
  return makeRaised({ ...finding, place: finding.file === null ? 'unplaced' : 'changed', description: text, raisedBy: [agent] });
}

/** A loop on its way: as it was at first and after each entry of the journal that led there. */
export type Driven = { readonly loops: readonly Loop[]; readonly journal: readonly JournalEntry[]; readonly end: Loop };

/** Drives until the loop rests. */
export function drive(start: Loop, draws: readonly Draw[], limit: number): Driven {
  const loopsSeen = [start];
  const journal: JournalEntry[] = [];
  let loop = start;
  const take = (event: Event): void => {
    loop = append(loop, event);
    journal.push({ seq: loop.seq, at: loop.updatedAt, event });
    loopsSeen.push(loop);
  };
  for (let count = 0; count < limit; count += 1) {
    const action = decide(loop);
    if (action.do === 'rest') return { loops: loopsSeen, journal, end: loop };
    if (isEffect(action)) {
      take({ type: 'started', action });
      for (const event of answersTo(loop, loop.seq, turned(draws, count))) take(event);
    } else take(writtenOf(action));
  }
  throw new Error(`still going after ${limit} steps: ${JSON.stringify(decide(loop))}`);
}

/** What the journal says of a question or an ending. */
function writtenOf(action: Extract<Action, { do: 'escalate' | 'finish' | 'wait' }>): Event {
  if (action.do === 'wait') return { type: 'postponed', until: 'then', why: action.why };
  if (action.do === 'finish') return { type: 'finished', state: action.state, why: action.why };
  return { type: 'escalated', reason: action.reason, why: action.why, versions: null };
}

/** The draws, from another one on. */
export function turned(draws: readonly Draw[], by: number): readonly [Draw, ...Draw[]] {
  const at = by % draws.length;
  return [draws[at] ?? QUIET, ...draws.slice(at + 1), ...draws.slice(0, at)];
}

/** The longest a loop can take by its own limits: each bounded thing in its worst case. */
export function bound(loop: Loop): number {
  const { policy } = loop.settings;
  const perFix = 4 * (policy.maxGateFixes + 2) * 3;
  return policy.maxAuthorIterations * perFix + (loop.maxRounds + 2) * (perFix + 12) + 10;
}

/** What the agents of a loop do, in turn. */
export const manyDraws = fc.array(draw, { minLength: 1, maxLength: 40 });

const people = fc.constantFrom(
  'decided',
  'retry',
  'refine',
  'skip',
  'ready',
  'cancel',
  'takeover',
  'handback',
  'improve',
  'review',
  'review',
  'verdict',
  'asked',
  'asked',
  'commented',
  'edited',
  'moved',
  'rewritten',
  'put-back',
  'ruled',
  'ruled',
  'forgotten',
  'killed',
);

/** What people do while a loop rests. */
export function acts(): fc.Arbitrary<[string, number][]> {
  return fc.array(fc.tuple(people, fc.nat()), { maxLength: 12 });
}

/** Drives a loop to its rest, lets a person do something, and so on. */
export function live(start: Loop, draws: readonly Draw[], acted: readonly [string, number][]): Driven {
  const journal: JournalEntry[] = [];
  const seen: Loop[] = [];
  let loop = start;
  const go = (): void => {
    const driven = drive(loop, draws, bound(loop));
    journal.push(...driven.journal);
    seen.push(...driven.loops);
    loop = driven.end;
  };
  for (const [act, pick] of acted) {
    go();
    const event = personEvent(loop, act, pick);
    if (refusal(loop, event) !== null) continue;
    loop = append(loop, event);
    journal.push({ seq: loop.seq, at: loop.updatedAt, event });
    seen.push(loop);
  }
  go();
  return { journal, loops: seen, end: loop };
}

/** Something that a person does, a number to choose by, and how many moments they let pass before it. */
type Act = readonly [act: string, pick: number, patience: number];

/** Drives a loop to its rest while people act at any moment: before an action, while it runs, between two answers of a panel. */
export function disturb(start: Loop, draws: readonly Draw[], acted: readonly Act[]): Driven {
  const seen: Loop[] = [start];
  const journal: JournalEntry[] = [];
  const left = [...acted];
  let passed = 0;
  const now = (): Loop => seen.at(-1) ?? start;
  const take = (event: Event): void => {
    if (refusal(now(), event) !== null) return;
    const loop = append(now(), event);
    seen.push(loop);
    journal.push({ seq: loop.seq, at: loop.updatedAt, event });
  };
  const letPeopleAct = (atOnce: boolean): void => {
    const [act, pick, patience] = left[0] ?? [];
    if (act === undefined || pick === undefined || patience === undefined) return;
    passed += 1;
    if (!atOnce && passed <= patience) return;
    passed = 0;
    left.shift();
    take(personEvent(now(), act, pick));
  };
  const limit = bound(start) * (acted.length + 2);
  for (let count = 0; count < limit; count += 1) {
    letPeopleAct(false);
    const action = decide(now());
    if (action.do === 'rest' && left.length === 0) return { loops: seen, journal, end: now() };
    if (action.do === 'rest') letPeopleAct(true);
    else if (!isEffect(action)) take(writtenOf(action));
    else {
      take({ type: 'started', action });
      for (const answer of answersTo(now(), now().seq, turned(draws, count))) {
        letPeopleAct(false);
        take(answer);
      }
    }
  }
  throw new Error(`still going after ${limit} steps: ${JSON.stringify(decide(now()))}`);
}

/** Agents that do their work get further. */
export const ableDraws = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: draw },
    {
      weight: 2,
      arbitrary: draw.map((one): Draw => ({
        ...one,
        work: 'committed',
        complete: true,
        green: true,
        mayApprove: true,
        lost: null,
        damage: null,
      })),
    },
  ),
  { minLength: 1, maxLength: 20 },
);
/** What is hard are rulings between orders. */
export const disturbances = fc.array(
  fc.tuple(fc.oneof(people, fc.constantFrom('ruled', 'refine', 'decided'), fc.constant('ruled')), fc.nat({ max: 100 }), fc.nat({ max: 4 })),
  { maxLength: 12 },
);

function personEvent(loop: Loop, act: string, pick: number): Event {
  const by = 'P';
  if (act === 'decided') {
    const choices = choicesOf(loop);
    const choice = choices[pick % Math.max(1, choices.length)] ?? 'accept';
    return { type: 'decided', choice, by, reason: 'because', agent: pick % 2 === 0 ? 'gamma' : 'delta', ceilingUsd: 100 };
  }
  if (act === 'moved' || act === 'rewritten') {
    // Half of them repeat a tree that the loop may have seen, under a commit of its own.
    const tree = pick % 2 === 0 ? `tree-${(pick % 5) + 1}` : `tree-person-${pick % 3}`;
    return { type: 'moved', head: { commit: `person-${pick}`, tree }, descends: act === 'moved' };
  }
  if (act === 'put-back') return { type: 'moved', head: loop.head ?? headOf('none'), descends: true };
  if (act === 'killed') return { type: 'interrupted', token: loop.current?.token ?? 0, why: 'gone', session: null };
  if (act === 'asked' || act === 'commented') {
    const raised = act === 'asked' ? makeRaised({ source: 'person', severity: 'high', file: 'a.ts', line: (pick % 40) + 1 }) : null;
    return { type: 'commented', by, text: `words ${pick}`, file: 'a.ts', line: 3, raised };
  }
  if (act === 'edited') {
    const edits: Edit[] = [{ maxRounds: (pick % 6) + 1 }, { autoReview: pick % 2 === 0 }, { fixer: 'gamma' }, { reviewer: ['gamma'] }];
    return { type: 'edited', by, reason: null, edit: edits[pick % edits.length] ?? {} };
  }
  const findingId = loop.findings[pick % Math.max(1, loop.findings.length)]?.id ?? '29.1';
  if (act === 'ruled')
    return { type: 'ruled', findingId, ruling: PersonRuling.options[Math.floor(pick / 7) % 4] ?? 'refute', by, reason: null };
  if (act === 'forgotten') return { type: 'forgotten', findingId, by, reason: null };
  const override = act as Extract<Event, { type: 'overridden' }>['override'];
  const verdict = act !== 'verdict' ? null : pick % 4 === 0 ? 'APPROVED' : 'CHANGES_REQUESTED';
  return { type: 'overridden', override, by, reason: null, verdict, review: pick % 2 === 0 };
}

const QUIET: Draw = {
  tree: '1',
  work: 'committed',
  complete: true,
  green: true,
  claim: 'approved',
  mayApprove: true,
  findings: [],
  lost: null,
  damage: null,
  changed: {},
  resolution: null,
  ruling: 'upheld',
  remembers: false,
};
