import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  append,
  author,
  awaited,
  committed,
  fix,
  headOf,
  makeLoop,
  makePanel,
  makeProof,
  makeRaised,
  reviewOutcome,
  step,
  tokenOf,
} from '../../test/support/loops.ts';
import { decide } from './decide.ts';
import type { ReviewOutcome } from './event.ts';
import type { Loop } from './loop.ts';
import { absentParts } from './proof-parts.ts';
import { proofProblem } from './proof.ts';
import type { Proof } from './proof.ts';
import { Channel, Verdict } from './review.ts';

const HEAD = headOf('1');
const RED = { name: 'test', passed: false, redBefore: false, acceptedBy: null };

/** Each way to break a proof, with the reason that it gives. */
const DAMAGE: Readonly<Record<string, readonly [Partial<Proof>, string, RegExp]>> = {
  'a tripwire that was touched': [{ tripwire: { before: 't', after: 'u' } }, 'tampered', /changed what it was given to read/],
  'another commit': [{ head: 'commit-2' }, 'stale-head', /another head/],
  'another tree': [{ tree: 'tree-2' }, 'stale-head', /another head/],
  'a session that crashed': [{ exitState: 'crashed' }, 'crashed', /the reviewer crashed/],
  'a session that ran out of time': [{ exitState: 'timed-out' }, 'crashed', /ran out of time/],
  'a session that was cancelled': [{ exitState: 'cancelled' }, 'crashed', /the reviewer cancelled/],
  'a file that was not delivered': [{ filesMissing: ['b.ts'] }, 'partial', /was not given b\.ts/],
  'no hash of the diff': [{ diffSha256: '' }, 'incomplete-proof', /no hash of the diff/],
  'a cut hash of the prompt': [{ promptSha256: 'f'.repeat(63) }, 'incomplete-proof', /no hash of the prompt/],
  'no base': [{ base: '' }, 'incomplete-proof', /no base/],
  'no merge base': [{ mergeBase: '' }, 'incomplete-proof', /no base/],
  'no agent': [{ agent: '' }, 'incomplete-proof', /no agent/],
  'no file at all': [{ filesDelivered: [], filesNamed: [] }, 'incomplete-proof', /no file that was delivered/],
  'no tripwire': [{ tripwire: { before: '', after: '' } }, 'incomplete-proof', /no tripwire/],
  'an end before its beginning': [
    { startedAt: '2026-01-29T10:00:01.000Z', endedAt: '2026-01-29T10:00:00.000Z' },
    'incomplete-proof',
    /no time that can be/,
  ],
  'a red gate': [{ gates: [RED] }, 'incomplete-proof', /no green gate test/],
};

test('a whole proof carries a verdict about its head', () => {
  assert.equal(proofProblem(makeProof(HEAD), HEAD), null);
});

for (const [what, [changes, reason, detail]] of Object.entries(DAMAGE)) {
  test(`a proof with ${what} carries no verdict`, () => {
    const problem = proofProblem(makeProof(HEAD, changes), HEAD);
    assert.equal(problem?.reason, reason);
    assert.match(problem?.detail ?? '', detail);
  });
}

test('files without text are delivered by their names', () => {
  assert.equal(proofProblem(makeProof(HEAD, { filesDelivered: [], filesNamed: ['logo.png'] }), HEAD), null);
});

test('a gate that was red before, or that a person accepted, does not break a proof', () => {
  const gates = [
    { ...RED, redBefore: true },
    { ...RED, acceptedBy: 'Test Person' },
    { ...RED, passed: true },
  ];
  assert.equal(proofProblem(makeProof(HEAD, { gates }), HEAD), null);
});

test('tampering outranks every other problem of a proof', () => {
  const all = Object.values(DAMAGE).reduce<Partial<Proof>>((sum, [changes]) => ({ ...changes, ...sum }), {});
  assert.equal(proofProblem(makeProof(HEAD, all), HEAD)?.reason, 'tampered');
});

test('every part that is absent is named with its reason, and nothing else', () => {
  const { absent: _, ...proof } = makeProof(HEAD, { billing: 'api', costBasis: 'reported', costUsd: 0.1 });
  const parts = absentParts(proof);
  assert.deepEqual(
    Object.keys(parts).toSorted(),
    Object.entries(proof)
      .filter(([, value]) => value === null)
      .map(([name]) => name)
      .toSorted(),
  );
  assert.ok(Object.values(parts).every((why) => why.length > 0));
});

test('a part is absent for the reason that its driver gives', () => {
  const { absent: _, ...builtin } = makeProof(HEAD, { driver: 'builtin', costBasis: 'free' });
  assert.deepEqual(
    [absentParts(builtin)['model'], absentParts(builtin)['tokens'], absentParts(builtin)['billing']],
    ['it runs no model', 'it uses no tokens', 'it costs nothing'],
  );
  assert.match(absentParts({ ...builtin, driver: 'codex' })['model'] ?? '', /no model is configured/);
});

/** What one member answers: any claim by any channel, with any damage to its proof. */
const answer = fc.record({
  claim: fc.option(fc.constantFrom(...Verdict.options)),
  channel: fc.constantFrom(...Channel.options),
  mayApprove: fc.boolean(),
  severity: fc.constantFrom(null, null, 'low', 'high'),
  damage: fc.array(fc.constantFrom(...Object.keys(DAMAGE)), { maxLength: 2 }),
});
type Answer = typeof answer extends fc.Arbitrary<infer T> ? T : never;

function outcomeOf(loop: Loop, agent: string, given: Answer): ReviewOutcome {
  const { claim, channel, mayApprove, severity, damage } = given;
  const proof = damage.reduce<Partial<Proof>>((sum, what) => ({ ...sum, ...DAMAGE[what]?.[0] }), {});
  const raised = severity === null ? [] : [makeRaised({ severity, raisedBy: [agent] })];
  return reviewOutcome(loop, agent, { reading: { claim, channel, mayApprove }, raised, proof });
}

/** Gives the members of a panel these answers, one after the other, for as long as the loop asks for reviews and fixes. */
function drive(start: Loop, answers: readonly Answer[]): readonly Loop[] {
  const seen = [start];
  let loop = start;
  let heads = 1;
  const left = [...answers];
  while (left.length > 0) {
    const action = decide(loop);
    if (action.do === 'fix') loop = fix(loop, committed(`${(heads += 1)}`));
    else if (action.do === 'review') loop = loop.current === null ? step(loop) : answerNext(loop, left.shift());
    else break;
    seen.push(loop);
  }
  return seen;
}

function answerNext(loop: Loop, given: Answer | undefined): Loop {
  const [member = ''] = awaited(loop);
  const action = decide(loop);
  const agent = action.do === 'review' ? action.sessions.find((one) => one.member === member)?.agent : undefined;
  if (agent === undefined || given === undefined) return loop;
  return append(loop, { type: 'reviewed', token: tokenOf(loop), member, agent, outcome: outcomeOf(loop, agent, given), session: null });
}

test('a loop is approved by review only with a whole proof of the current head from everyone in the round', () => {
  const panels = fc.constantFrom(['beta'], ['beta', 'gamma'], ['beta', 'gamma', 'builtin']);
  const quorums = fc.constantFrom('all', 'majority', 'any');
  let approvals = 0;
  fc.assert(
    fc.property(panels, quorums, fc.array(answer, { minLength: 1, maxLength: 14 }), (panel, quorum, answers) => {
      const settings = makePanel(panel, { policy: { quorum, maxRounds: 5 }, roles: { fallback: ['delta'] } });
      for (const { approval, head, rounds, tampered } of drive(author(makeLoop({ settings }), committed('1')), answers)) {
        if (approval === null || head === null) continue;
        approvals += 1;
        assert.equal(approval.by, 'review');
        const proofs = approval.by === 'review' ? approval.proofs : [];
        assert.ok(proofs.length > 0);
        assert.deepEqual(
          proofs,
          rounds.at(-1)?.reviews.map(({ proof }) => proof),
        );
        for (const proof of proofs) assert.equal(proofProblem(proof, head), null);
        assert.ok(rounds.at(-1)?.reviews.every(({ agent }) => !tampered.includes(agent)));
        assert.ok(rounds.at(-1)?.reviews.some(({ reading }) => reading.mayApprove));
      }
    }),
    { numRuns: 1000 },
  );
  assert.ok(approvals > 0, 'some of them were approved');
});
