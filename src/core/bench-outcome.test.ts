import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headOf, makeFinding, makeLoop, makeProof, makeRound, makeSession } from '../../test/support/loops.ts';
import { benchOutcome, benchProblems } from './bench-outcome.ts';
import type { BenchOutcome } from './bench-outcome.ts';
import type { Loop } from './loop.ts';

const HEAD = headOf('1');
const ENDED: Loop = { ...makeLoop(), head: HEAD, state: 'approved', ending: { state: 'approved', why: 'nothing blocks' } };
const PROOF = makeProof(HEAD);
const APPROVED: Loop = { ...ENDED, approval: { by: 'review', round: 1, proof: PROOF, proofs: [PROOF] } };
const ASKED: Loop = {
  ...makeLoop(),
  state: 'needs_human',
  escalation: { reason: 'max-rounds', why: 'no round is left', at: '', versions: null },
};

function outcome(changes: Partial<BenchOutcome> = {}): BenchOutcome {
  return { ...benchOutcome(APPROVED), ...changes };
}

test('an approval with a proof of its commit is the ending approved', () => {
  assert.deepEqual(benchProblems({ ending: 'approved', channel: 'result-file', rounds: 0 }, benchOutcome(APPROVED)), []);
});

test('an approval by a person, by nobody, or of another commit is never right', () => {
  const stale = makeProof(headOf('0'));
  const byPerson: Loop = { ...ENDED, approval: { by: 'person', name: 'Ada', reason: null } };
  const ofAnother: Loop = { ...ENDED, approval: { by: 'review', round: 1, proof: PROOF, proofs: [PROOF, stale] } };
  for (const loop of [byPerson, ENDED, ofAnother]) {
    assert.equal(benchProblems({ ending: 'approved' }, benchOutcome(loop)).length, 1);
  }
});

test('an escalation is told with its reason', () => {
  const problems = benchProblems({ ending: 'escalated', reason: 'no-verdict' }, benchOutcome(ASKED));
  assert.deepEqual(problems, ['reason: expected no-verdict, but got max-rounds']);
});

test('a loop that stands still without an ending is never right', () => {
  for (const ending of ['approved', 'escalated', 'rejected'] as const) {
    assert.equal(benchProblems({ ending }, benchOutcome(makeLoop())).length, 1);
  }
});

test('sessions and tokens are counted, those of lost sessions too', () => {
  const usage = { inputTokens: 10, outputTokens: 5, costUsd: null, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null };
  const crashed = makeSession('ben', { exit: 'crashed', usage: { ...usage, inputTokens: null } });
  const loop = { ...APPROVED, sessions: [makeSession('ada', { usage }), crashed, makeSession('ada', { usage: null })] };
  const { calls, inputTokens, outputTokens } = benchOutcome(loop);
  assert.deepEqual({ calls, inputTokens, outputTokens }, { calls: { ada: 2, ben: 1 }, inputTokens: 10, outputTokens: 10 });
});

test('calls that were expected and did not happen are a problem, and a range is one', () => {
  const calls = { ada: 2 };
  assert.deepEqual(benchProblems({ ending: 'approved', calls: { ada: { min: 1, max: 2 }, ben: 0 } }, outcome({ calls })), []);
  assert.deepEqual(benchProblems({ ending: 'approved', calls: { ada: { min: 3, max: 4 }, ben: 1 } }, outcome({ calls })), [
    'calls of ada: expected 3 to 4, but got 2',
    'calls of ben: expected 1, but got 0',
  ]);
});

test('lost reviews count with their reasons, in rounds that were completed without them and in the one under way', () => {
  const attempt = { agent: 'beta', reason: 'crashed', detail: '', answer: null } as const;
  const loop: Loop = { ...ASKED, seats: [{ member: 'beta', attempts: [attempt, { ...attempt, reason: 'empty' }], answer: null }] };
  assert.deepEqual(benchOutcome(loop).noVerdict, ['crashed', 'empty']);
  assert.deepEqual(benchProblems({ ending: 'escalated', noVerdict: ['crashed', 'crashed'] }, benchOutcome(loop)), [
    'lost reviews: expected crashed, crashed, but got crashed, empty',
  ]);
});

test('a finding is known by any of its words, and each thing that is expected of it is compared', () => {
  const known = {
    description: 'It throws.',
    also: ['The parser gives up.'],
    status: 'fixed',
    severity: 'high',
    provenance: 'late',
    source: 'reviewer',
  } as const;
  const found = outcome({ findings: [known] });
  const check = (expected: object): readonly string[] =>
    benchProblems({ ending: 'approved', findings: [{ says: 'PARSER', ...expected }] }, found);
  assert.deepEqual(check({ status: 'fixed', severity: 'high', provenance: 'late', source: 'reviewer' }), []);
  for (const wrong of [{ status: 'open' }, { severity: 'low' }, { provenance: 'original' }, { source: 'gate' }])
    assert.equal(check(wrong).length, 1);
  assert.deepEqual(benchProblems({ ending: 'approved', findings: [{ says: 'leak' }] }, found), ["no finding says 'leak'"]);
});

test('follow-ups, spend and the number of findings are compared', () => {
  const problems = benchProblems(
    { ending: 'approved', followUps: 1, spendUsd: 3, findingCount: 2 },
    outcome({ followUps: 0, spendUsd: 2.5 }),
  );
  assert.deepEqual(problems, [
    'findings: expected 2, but got 0',
    'follow-ups: expected 1, but got 0',
    'spend: expected 3.00, but got 2.50',
  ]);
});

test('follow-ups are the findings that are open and do not block', () => {
  const statuses = ['open', 'fixed', 'refuted', 'persisting'] as const;
  const findings = statuses.map((status, index) => makeFinding(`29.${index + 1}`, { status }));
  assert.equal(benchOutcome({ ...APPROVED, findings, rounds: [makeRound({ blockingIds: ['29.4'] })] }).followUps, 1);
});
