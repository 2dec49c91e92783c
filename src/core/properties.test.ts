import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  append,
  committed,
  headOf,
  makeLoop,
  makeProof,
  makeRaised,
  makeReading,
  makeSettings,
  makeTask,
} from '../../test/support/loops.ts';
import { isEffect } from './action.ts';
import { applyEvent } from './apply.ts';
import { choicesOf } from './choices.ts';
import { decide } from './decide.ts';
import { judge } from './judge.ts';
import type { Event, WorkOutcome } from './event.ts';
import type { Loop } from './loop.ts';
import { refusal } from './refusal.ts';

const GATE = { name: 'test', run: 'true', cwd: '.', paths: [], network: false };
const trees = fc.constantFrom('1', '2', '3', '4', '5');
const findings = fc.array(
  fc.record({
    severity: fc.constantFrom('critical', 'medium', 'low'),
    file: fc.constantFrom('a.ts', 'b.ts', null),
    text: fc.constantFrom('x', 'y', 'z'),
  }),
  { maxLength: 3 },
);
/** One draw answers whatever action is due. */
const draw = fc.record({
  tree: trees,
  work: fc.constantFrom('committed', 'committed', 'committed', 'unchanged', 'withheld', 'failed'),
  complete: fc.boolean(),
  green: fc.boolean(),
  claim: fc.constantFrom('approved', 'changes_requested', 'needs_discussion', null),
  mayApprove: fc.boolean(),
  findings,
  lost: fc.constantFrom(null, null, null, 'unreadable', 'tampered', 'stale'),
  dispute: fc.boolean(),
});
type Draw = typeof draw extends fc.Arbitrary<infer T> ? T : never;

const loops = fc
  .record({
    gates: fc.boolean(),
    fallback: fc.boolean(),
    maxRounds: fc.integer({ min: 1, max: 6 }),
    kind: fc.constantFrom('implement', 'review', 'review-fix'),
    autoIterate: fc.boolean(),
  })
  .map((given) =>
    makeLoop({
      settings: makeSettings({
        gates: given.gates ? [GATE] : [],
        autoIterate: given.autoIterate,
        policy: { maxRounds: given.maxRounds },
        roles: { author: 'alpha', reviewer: ['beta'], fixer: 'alpha', arbiter: null, fallback: given.fallback ? ['gamma'] : [] },
      }),
      task:
        given.kind === 'implement'
          ? makeTask()
          : makeTask({ kind: 'review', source: { kind: 'branch', branch: 'x' }, fix: given.kind === 'review-fix' }),
    }),
  );

let commits = 0;

function workOutcome(one: Draw): WorkOutcome {
  if (one.work === 'committed') {
    commits += 1;
    return {
      kind: 'committed',
      head: { commit: `c${commits}`, tree: `tree-${one.tree}` },
      commits: [`c${commits}`],
      files: ['a.ts'],
      skipped: [],
    };
  }
  if (one.work === 'unchanged') return { kind: 'unchanged' };
  if (one.work === 'withheld') return { kind: 'withheld', ref: 'r', tree: 'w', findings: [makeRaised({ source: 'engine' })] };
  return { kind: 'failed', reason: 'agent-failed', message: 'it broke', partial: null };
}

function answerTo(loop: Loop, token: number, one: Draw): Event {
  const action = decide(loop);
  if (action.do === 'author')
    return { type: 'authored', token, outcome: workOutcome(one), summary: null, taskComplete: one.complete, session: null };
  if (action.do === 'fix') {
    const disputed = loop.findings[0];
    const resolutions =
      one.dispute && disputed !== undefined ? [{ findingId: disputed.id, status: 'disputed' as const, note: 'no', places: [] }] : [];
    return { type: 'fixed', token, outcome: workOutcome(one), summary: null, resolutions, session: null };
  }
  if (action.do === 'gates') {
    const result = {
      name: 'test',
      passed: one.green,
      exitCode: 0,
      timedOut: false,
      output: '',
      reran: false,
      redBefore: false,
      durationMs: 1,
    };
    return { type: 'gated', token, tree: loop.head?.tree ?? '', results: [result] };
  }
  return reviewAnswer(loop, token, one);
}

function reviewAnswer(loop: Loop, token: number, one: Draw): Event {
  const head = loop.head ?? headOf('none');
  if (one.lost === 'unreadable')
    return { type: 'reviewed', token, outcome: { kind: 'no-verdict', reason: 'unreadable', detail: 'noise' }, session: null };
  const proof =
    one.lost === 'tampered'
      ? makeProof(head, { tripwire: { before: 'a', after: 'b' } })
      : makeProof(one.lost === 'stale' ? headOf('other') : head);
  const raised = one.findings.map((finding) => makeRaised({ severity: finding.severity, file: finding.file, description: finding.text }));
  const reading = makeReading({ claim: one.claim, mayApprove: one.mayApprove });
  return {
    type: 'reviewed',
    token,
    outcome: { kind: 'review', reading, raised, proof, touched: loop.rounds.length === 0 ? null : ['a.ts'] },
    session: null,
  };
}

/** Drives until the loop rests; returns all loops on the way. */
function drive(start: Loop, draws: readonly Draw[], limit: number): Loop[] {
  const seen = [start];
  let loop = start;
  for (let count = 0; count < limit; count += 1) {
    const action = decide(loop);
    if (action.do === 'rest') return seen;
    if (isEffect(action)) {
      const started = append(loop, { type: 'started', action });
      loop = append(started, answerTo(started, started.seq, draws[count % draws.length] as Draw));
    } else if (action.do === 'escalate') loop = append(loop, { type: 'escalated', reason: action.reason, why: action.why });
    else loop = append(loop, { type: 'finished', state: action.state, why: action.why });
    seen.push(loop);
  }
  throw new Error(`still going after ${limit} steps: ${JSON.stringify(decide(loop))}`);
}

/** The longest a loop can take by its own limits: each bounded thing in its worst case. */
function bound(loop: Loop): number {
  const { policy } = loop.settings;
  const perFix = 4 * (policy.maxGateFixes + 2) * 3;
  return policy.maxAuthorIterations * perFix + (loop.maxRounds + 2) * (perFix + 6) + 10;
}

test('whatever its agents do, a loop comes to rest within its bounds', () => {
  fc.assert(
    fc.property(loops, fc.array(draw, { minLength: 1, maxLength: 40 }), (start, draws) => {
      const end = drive(start, draws, bound(start)).at(-1);
      assert.equal(decide(end as Loop).do, 'rest');
      assert.ok((end as Loop).rounds.length <= Math.max(start.maxRounds, 1));
    }),
    { numRuns: 600 },
  );
});

test('an approval by review always names a review of the current head on which nothing blocks', () => {
  fc.assert(
    fc.property(loops, fc.array(draw, { minLength: 1, maxLength: 40 }), (start, draws) => {
      for (const loop of drive(start, draws, bound(start))) {
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

test('deciding is repeatable and the journal folds to the same loop', () => {
  fc.assert(
    fc.property(loops, fc.array(draw, { minLength: 1, maxLength: 30 }), (start, draws) => {
      for (const loop of drive(start, draws, bound(start))) assert.deepEqual(decide(loop), decide(structuredClone(loop)));
    }),
    { numRuns: 200 },
  );
});

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
  'moved',
  'rewritten',
);

test('whatever people do in between, the loop stays within the hard total, and illegal events are refused', () => {
  fc.assert(
    fc.property(
      loops,
      fc.array(draw, { minLength: 1, maxLength: 20 }),
      fc.array(fc.tuple(people, fc.nat()), { maxLength: 12 }),
      (start, draws, acts) => {
        let loop = start;
        let pushes = 0;
        for (const [act, pick] of acts) {
          loop = drive(loop, draws, bound(loop)).at(-1) as Loop;
          const event = personEvent(loop, act, pick);
          if (refusal(loop, event) !== null) continue;
          if (event.type === 'moved') pushes += 1;
          loop = applyEvent(loop, { seq: loop.seq + 1, at: 'now', event });
        }
        loop = drive(loop, draws, bound(loop)).at(-1) as Loop;
        assert.ok(loop.rounds.length <= Math.max(5, start.maxRounds) + pushes, `${loop.rounds.length} rounds`);
        if (loop.ending?.state === 'approved') assert.notEqual(loop.approval, null);
        if (loop.escalation !== null) assert.equal(loop.approval, null);
        if (loop.approval?.by === 'review') {
          assert.equal(loop.approval.proof.head, loop.head?.commit);
          assert.ok(loop.rounds.at(-1)?.reading.mayApprove);
        }
      },
    ),
    { numRuns: 400 },
  );
});

function personEvent(loop: Loop, act: string, pick: number): Event {
  if (act === 'decided') {
    const choices = choicesOf(loop);
    const choice = choices[pick % Math.max(1, choices.length)] ?? 'accept';
    return { type: 'decided', choice, by: 'P', reason: 'because', agent: 'gamma', ceilingUsd: 100 };
  }
  if (act === 'moved' || act === 'rewritten') {
    // Half of them repeat a tree that the loop may have seen, under a commit of its own.
    const tree = pick % 2 === 0 ? `tree-${(pick % 5) + 1}` : `tree-person-${pick % 3}`;
    return { type: 'moved', head: { commit: `person-${pick}`, tree }, descends: act === 'moved' };
  }
  const override = act as Extract<Event, { type: 'overridden' }>['override'];
  return { type: 'overridden', override, by: 'P', reason: null, verdict: null, review: pick % 2 === 0 };
}

test('a result under a token that is not current is refused, whatever it says', () => {
  fc.assert(
    fc.property(loops, draw, fc.integer({ min: 2, max: 50 }), (start, one, offset) => {
      const action = decide(start);
      const started = append(start, { type: 'started', action });
      assert.notEqual(refusal(started, answerTo(started, started.seq + offset, one)), null);
    }),
  );
});

test('an event that does not follow from the loop is refused', () => {
  const loop = makeLoop();
  assert.notEqual(refusal(loop, { type: 'finished', state: 'approved', why: 'I say so' }), null);
  assert.notEqual(refusal(loop, { type: 'escalated', reason: 'ceiling', why: 'no' }), null);
  assert.notEqual(refusal(loop, { type: 'started', action: { do: 'review', round: 1, attempt: 1, agent: 'beta', why: '' } }), null);
  assert.notEqual(
    refusal(loop, { type: 'authored', token: 1, outcome: committed('1'), summary: null, taskComplete: true, session: null }),
    null,
  );
});

test('raising more never improves a verdict', () => {
  fc.assert(
    fc.property(findings, findings, fc.constantFrom('approved', 'changes_requested', null), (some, more, claim) => {
      const raise = (list: typeof some): string => {
        const authored = drive(makeLoop(), [{ ...QUIET, claim: 'needs_discussion' }], 60).at(-1) as Loop;
        const loop: Loop = { ...authored, rounds: [], escalation: null, findings: [] };
        const raised = list.map((one) => makeRaised({ severity: one.severity, file: one.file, description: one.text }));
        const outcome = {
          kind: 'review' as const,
          reading: makeReading({ claim }),
          raised,
          proof: makeProof(loop.head ?? headOf('none')),
          touched: null,
        };
        const judged = judge(loop, loop.head ?? headOf('none'), outcome);
        return judged.kind === 'verdict' ? judged.verdict : 'none';
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
  dispute: false,
};
