import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { append, awaited, committed, makeLoop, makePanel, makeTask, review, reviewOutcome, step } from '../../test/support/loops.ts';
import {
  ableDraws,
  acts,
  answersTo,
  bound,
  disturb,
  disturbances,
  draw,
  drive,
  findings,
  live,
  loops,
  manyDraws,
  raisedBy,
  turned,
} from '../../test/support/random-loops.ts';
import type { Raised } from '../../test/support/random-loops.ts';
import { applyEvent } from './apply.ts';
import { isBlocking } from './convergence.ts';
import { decide } from './decide.ts';
import { Event } from './event.ts';
import type { Loop } from './loop.ts';
import { refusal } from './refusal.ts';

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

test('whenever people act, a loop comes to rest within its bounds, and no approval by review stands beside what blocks', () => {
  fc.assert(
    fc.property(loops, ableDraws, disturbances, (start, draws, acted) => {
      for (const loop of disturb(start, draws, acted).loops) {
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
      const seen = disturb(start, draws, acted).loops;
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
