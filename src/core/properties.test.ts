import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  append,
  awaited,
  committed,
  headOf,
  makeLoop,
  makePanel,
  makeRaised,
  makeTask,
  review,
  reviewOutcome,
  step,
} from '../../test/support/loops.ts';
import { isEffect } from './action.ts';
import type { Action } from './action.ts';
import { applyEvent } from './apply.ts';
import { choicesOf } from './choices.ts';
import { isBlocking } from './convergence.ts';
import { decide } from './decide.ts';
import { Event, NoVerdict } from './event.ts';
import type { Edit, JournalEntry, WorkOutcome } from './event.ts';
import { PersonRuling } from './finding.ts';
import type { RaisedFinding, Resolution } from './finding.ts';
import type { Loop } from './loop.ts';
import { Memory } from './memory.ts';
import { refusal } from './refusal.ts';

const GATE = { name: 'test', run: 'true', cwd: '.', paths: [], network: false };
const trees = fc.constantFrom('1', '2', '3', '4', '5');
const findings = fc.array(
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
const draw = fc.record({
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

const loops = fc
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
function answersTo(loop: Loop, token: number, draws: readonly [Draw, ...Draw[]]): Event[] {
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

type Raised = typeof findings extends fc.Arbitrary<readonly (infer T)[]> ? T : never;

function raisedBy(agent: string, { text, ...finding }: Raised): RaisedFinding {
  return makeRaised({ ...finding, place: finding.file === null ? 'unplaced' : 'changed', description: text, raisedBy: [agent] });
}

/** A loop on its way, with the journal that led there. */
type Driven = { readonly loops: readonly Loop[]; readonly journal: readonly JournalEntry[]; readonly end: Loop };

/** Drives until the loop rests. */
function drive(start: Loop, draws: readonly Draw[], limit: number): Driven {
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

function turned(draws: readonly Draw[], by: number): readonly [Draw, ...Draw[]] {
  const at = by % draws.length;
  return [draws[at] ?? QUIET, ...draws.slice(at + 1), ...draws.slice(0, at)];
}

/** The longest a loop can take by its own limits: each bounded thing in its worst case. */
function bound(loop: Loop): number {
  const { policy } = loop.settings;
  const perFix = 4 * (policy.maxGateFixes + 2) * 3;
  return policy.maxAuthorIterations * perFix + (loop.maxRounds + 2) * (perFix + 12) + 10;
}

const manyDraws = fc.array(draw, { minLength: 1, maxLength: 40 });

test('whatever its agents do, a loop comes to rest within its bounds', () => {
  fc.assert(
    fc.property(loops, manyDraws, (start, draws) => {
      const { end } = drive(start, draws, bound(start));
      assert.equal(decide(end).do, 'rest');
      assert.ok(end.rounds.length <= Math.max(start.maxRounds, 1));
    }),
    { numRuns: 600 },
  );
});

test('an approval by review always names a review of the current head on which nothing blocks', () => {
  fc.assert(
    fc.property(loops, manyDraws, (start, draws) => {
      for (const loop of drive(start, draws, bound(start)).loops) {
        if (loop.approval === null) continue;
        assert.equal(loop.approval.by, 'review');
        assert.equal(loop.approval.proof.head, loop.head?.commit);
        assert.equal(loop.approval.proof.tripwire.before, loop.approval.proof.tripwire.after);
        assert.deepEqual(loop.rounds.at(-1)?.blockingIds, []);
      }
    }),
    { numRuns: 600 },
  );
});

test('deciding is repeatable', () => {
  fc.assert(
    fc.property(loops, manyDraws, (start, draws) => {
      for (const loop of drive(start, draws, bound(start)).loops) assert.deepEqual(decide(loop), decide(structuredClone(loop)));
    }),
    { numRuns: 200 },
  );
});

test('the journal, written and read again, folds to the same loop', () => {
  fc.assert(
    fc.property(loops, manyDraws, acts(), (start, draws, acted) => {
      const { journal, end } = live(start, draws, acted);
      const read = journal.map((entry) => ({ ...entry, event: Event.parse(JSON.parse(JSON.stringify(entry.event))) }));
      assert.deepEqual(read.reduce<Loop>(applyEvent, start), end);
    }),
    { numRuns: 200 },
  );
});

test('one member of a panel after the other or the other way round, the round is the same', () => {
  fc.assert(
    fc.property(loops, manyDraws, fc.nat({ max: 60 }), (start, draws, until) => {
      const due = drive(start, draws, bound(start)).loops.filter((one) => one.current === null && decide(one).do === 'review');
      const loop = due[until % Math.max(1, due.length)];
      if (loop === undefined) return;
      const started = append(loop, { type: 'started', action: decide(loop) });
      const answers = answersTo(started, started.seq, turned(draws, until));
      const fold = (events: readonly Event[]): Loop => events.reduce(append, started);
      const [one, other] = [fold(answers), fold(answers.toReversed())];
      assert.deepEqual({ ...other, seats: [], tampered: [] }, { ...one, seats: [], tampered: [] });
      assert.deepEqual(bySeat(other), bySeat(one));
      assert.deepEqual(decide(other), decide(one));
    }),
    { numRuns: 300 },
  );
});

function bySeat(loop: Loop): unknown {
  return [loop.seats.toSorted((a, b) => a.member.localeCompare(b.member)), loop.tampered.toSorted()];
}

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

function acts(): fc.Arbitrary<[string, number][]> {
  return fc.array(fc.tuple(people, fc.nat()), { maxLength: 12 });
}

/** Drives a loop to its rest, lets a person do something, and so on. */
function live(start: Loop, draws: readonly Draw[], acted: readonly [string, number][]): Driven {
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

test('whatever people do in between, the loop stays within the hard total, and illegal events are refused', () => {
  fc.assert(
    fc.property(loops, fc.array(draw, { minLength: 1, maxLength: 20 }), acts(), (start, draws, acted) => {
      const { end } = live(start, draws, acted);
      assert.ok(end.rounds.length <= Math.max(5, start.settings.policy.maxRounds) + end.grantedRounds, `${end.rounds.length} rounds`);
      if (end.ending?.state === 'approved') assert.notEqual(end.approval, null);
      if (end.escalation !== null) assert.equal(end.approval, null);
      if (end.approval?.by === 'review') {
        for (const proof of end.approval.proofs) assert.equal(proof.head, end.head?.commit);
        assert.ok(end.rounds.at(-1)?.reviews.some(({ reading }) => reading.mayApprove));
        assert.deepEqual(end.rounds.at(-1)?.blockingIds, []);
      }
    }),
    { numRuns: 400 },
  );
});

/** Something that a person does, a number to choose by, and how many moments they let pass before it. */
type Act = readonly [act: string, pick: number, patience: number];

/** Drives a loop to its rest while people act at any moment: before an action, while it runs, between two answers of a panel. */
function disturb(start: Loop, draws: readonly Draw[], acted: readonly Act[]): readonly [Loop, ...Loop[]] {
  const seen: [Loop, ...Loop[]] = [start];
  const left = [...acted];
  let passed = 0;
  const now = (): Loop => seen.at(-1) ?? start;
  const take = (event: Event): void => {
    if (refusal(now(), event) === null) seen.push(append(now(), event));
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
    if (action.do === 'rest' && left.length === 0) return seen;
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
const ableDraws = fc.array(
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
const disturbances = fc.array(
  fc.tuple(fc.oneof(people, fc.constantFrom('ruled', 'refine', 'decided'), fc.constant('ruled')), fc.nat({ max: 100 }), fc.nat({ max: 4 })),
  { maxLength: 12 },
);

test('whenever people act, a loop comes to rest within its bounds, and no approval by review stands beside what blocks', () => {
  fc.assert(
    fc.property(loops, ableDraws, disturbances, (start, draws, acted) => {
      for (const loop of disturb(start, draws, acted)) {
        assert.ok(loop.rounds.length - loop.grantedRounds <= Math.max(5, start.settings.policy.maxRounds), `${loop.rounds.length} rounds`);
        if (loop.state === 'approved') assert.notEqual(loop.approval, null);
        if (loop.finalVerdict === 'APPROVED' && loop.state !== 'cancelled') assert.notEqual(loop.approval, null);
        assert.ok(loop.escalation === null || loop.ending === null);
        assert.ok(loop.takenOver === null || loop.ending === null);
        if (loop.approval?.by !== 'review') continue;
        assert.equal(loop.vetoed, false);
        assert.notEqual(loop.ending?.state, 'self_review_failed');
        assert.equal(loop.approval.proof.head, loop.head?.commit);
        assert.deepEqual(blockingIds(loop), []);
      }
    }),
    { numRuns: 4_000 },
  );
});

test('whenever people act, no fixer is sent out for a review of which nothing blocks, and silence alone makes nothing milder', () => {
  fc.assert(
    fc.property(loops, ableDraws, disturbances, (start, draws, acted) => {
      const seen = disturb(start, draws, acted);
      for (const [index, loop] of seen.entries()) {
        const before = seen[index - 1] ?? loop;
        const action = loop.current?.token === loop.seq ? loop.current.action : null;
        if (action?.do === 'fix' && action.cause === 'review') assert.notEqual(blockingIds(loop).length, 0);
        if (loop.rounds.length <= before.rounds.length) continue;
        const raised = loop.rounds.at(-1)?.findingIds ?? [];
        const open = loop.findings.filter(({ status }) => status !== 'fixed').map(({ id }) => id);
        const silent = blockingIds(before).filter((id) => open.includes(id) && !raised.includes(id));
        assert.deepEqual(
          silent.filter((id) => !blockingIds(loop).includes(id)),
          [],
        );
      }
    }),
    { numRuns: 2_000 },
  );
});

function blockingIds(loop: Loop): readonly string[] {
  return loop.findings.filter((one) => isBlocking(one, loop.settings.policy)).map(({ id }) => id);
}

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

test('a result under a token that is not current is refused, whatever it says', () => {
  fc.assert(
    fc.property(loops, draw, fc.integer({ min: 2, max: 50 }), (start, one, offset) => {
      const action = decide(start);
      const started = append(start, { type: 'started', action });
      for (const late of answersTo(started, started.seq + offset, [one])) assert.notEqual(refusal(started, late), null);
    }),
  );
});

test('an event that does not follow from the loop is refused', () => {
  const loop = makeLoop();
  const sessions = [{ member: 'beta', agent: 'beta', attempt: 1, repair: false }];
  assert.notEqual(refusal(loop, { type: 'finished', state: 'approved', why: 'I say so' }), null);
  assert.notEqual(refusal(loop, { type: 'escalated', reason: 'ceiling', why: 'no', versions: null }), null);
  assert.notEqual(refusal(loop, { type: 'started', action: { do: 'review', round: 1, sessions, why: '' } }), null);
  assert.notEqual(
    refusal(loop, { type: 'authored', token: 1, outcome: committed('1'), summary: null, taskComplete: true, session: null }),
    null,
  );
});

test('an answer that nobody waits for is refused', () => {
  const due = makeLoop({
    settings: makePanel(['beta', 'gamma']),
    task: makeTask({ kind: 'review', source: { kind: 'branch', branch: 'x' } }),
  });
  const started = step(due);
  const reviewed = (member: string, agent: string): Event => ({
    type: 'reviewed',
    token: started.seq,
    member,
    agent,
    outcome: reviewOutcome(started, agent),
    session: null,
  });
  const once = append(started, reviewed('beta', 'beta'));
  assert.deepEqual(awaited(once), ['gamma']);
  for (const event of [reviewed('beta', 'beta'), reviewed('gamma', 'beta'), reviewed('delta', 'delta')]) {
    assert.equal(refusal(once, event), 'nobody waits for this member of the panel');
  }
});

test('raising more never improves a verdict', () => {
  fc.assert(
    fc.property(findings, findings, fc.constantFrom('approved', 'changes_requested', null), (some, more, claim) => {
      const task = makeTask({ kind: 'review', source: { kind: 'branch', branch: 'x' } });
      const raise = (list: readonly Raised[]): string => {
        const raised = list.map((one) => raisedBy('beta', one));
        return review(makeLoop({ task }), { raised, reading: { claim } }).rounds[0]?.verdict ?? 'none';
      };
      if (raise(some) === 'changes_requested') assert.equal(raise([...some, ...more]), 'changes_requested');
    }),
    { numRuns: 300 },
  );
});

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
