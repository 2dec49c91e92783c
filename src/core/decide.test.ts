import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  append,
  arbitrate,
  author,
  committed,
  dispute,
  fix,
  gate,
  headOf,
  loseReview,
  makeLoop,
  makeRaised,
  makeSession,
  makeSettings,
  makeTask,
  review,
  step,
} from '../../test/support/loops.ts';
import { choicesOf } from './choices.ts';
import { decide } from './decide.ts';
import type { Loop } from './loop.ts';
import { plainAgent } from './settings.ts';

const GATES = [{ name: 'test', run: 'npm test', cwd: '.', paths: [], network: false }];
const person = { by: 'Test Person', reason: null, agent: null, ceilingUsd: null } as const;

function rejectedOnce(): Loop {
  return review(author(makeLoop(), committed('1')), { raised: [makeRaised()] });
}

test('a new implement task starts with its author', () => {
  assert.deepEqual(decide(makeLoop()), { do: 'author', iteration: 1, agent: 'alpha', why: 'the task begins' });
});

test('a review task starts with its reviewer on the change as it is', () => {
  const loop = makeLoop({ task: makeTask({ kind: 'review', source: { kind: 'branch', branch: 'x' } }) });
  assert.equal(decide(loop).do, 'review');
});

test('a clean first review ends in an approval that carries its proof', () => {
  const loop = step(review(author(makeLoop(), committed('1'))));
  assert.equal(loop.state, 'approved');
  assert.equal(loop.approval?.by, 'review');
  assert.equal(loop.finalVerdict, 'APPROVED');
});

test('three rejected rounds escalate after two fixes', () => {
  let loop = author(makeLoop(), committed('1'));
  for (const name of ['2', '3']) {
    loop = review(loop, { raised: [makeRaised({ description: `wrong in ${name}` })] });
    loop = fix(loop, committed(name));
  }
  loop = step(review(loop, { raised: [makeRaised({ description: 'still wrong' })] }));
  assert.equal(loop.escalation?.reason, 'max-rounds');
  assert.equal(loop.finalVerdict, 'MAX_CYCLES_REACHED');
  assert.deepEqual(choicesOf(loop), ['fix-manually', 'accept', 'one-more-round', 'cancel']);
});

test('one more round is offered up to the hard total of five and then no longer', () => {
  let loop = author(makeLoop(), committed('0'));
  for (let round = 1; round <= 5; round += 1) {
    loop = review(loop, { raised: [makeRaised({ description: `wrong ${round}` })] });
    if (round < 3) loop = fix(loop, committed(`${round}`));
    else if (round < 5) {
      loop = append(step(loop), { type: 'decided', choice: 'one-more-round', ...person });
      loop = fix(loop, committed(`${round}`));
    }
  }
  loop = step(loop);
  assert.equal(loop.rounds.length, 5);
  assert.deepEqual(choicesOf(loop), ['fix-manually', 'accept', 'cancel']);
  assert.throws(() => append(loop, { type: 'decided', choice: 'one-more-round', ...person }), /choices are/);
});

test('a finding below the limit does not stop an approval', () => {
  const loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised({ severity: 'low' })] });
  assert.equal(loop.rounds[0]?.verdict, 'approved');
  assert.equal(loop.findings[0]?.status, 'open');
});

test('an approval in the same breath as a critical finding is a rejection', () => {
  const loop = review(author(makeLoop(), committed('1')), {
    raised: [makeRaised({ severity: 'critical' })],
    reading: { claim: 'approved' },
  });
  assert.equal(loop.rounds[0]?.verdict, 'changes_requested');
});

test('silence about an untouched finding keeps it blocking', () => {
  const fixedElsewhere = fix(rejectedOnce(), committed('2'));
  const loop = review(fixedElsewhere, { changed: { 'b.ts': [3] } });
  assert.equal(loop.rounds[1]?.verdict, 'changes_requested');
  assert.equal(loop.findings[0]?.status, 'persisting');
});

test('a finding is fixed if something changed within three lines of it and nobody raises it again', () => {
  const loop = review(fix(rejectedOnce(), committed('2')), { changed: { 'a.ts': [6] } });
  assert.equal(loop.rounds[1]?.verdict, 'approved');
  assert.equal(loop.findings[0]?.status, 'fixed');
});

test('an unsatisfied intent blocks although nothing else was found', () => {
  const loop = review(author(makeLoop(), committed('1')), { reading: { claim: 'approved', intentSatisfied: false } });
  assert.equal(loop.rounds[0]?.verdict, 'changes_requested');
});

test('a review of another head gives no verdict and spends no round', () => {
  const loop = review(author(makeLoop(), committed('1')), { proof: { head: 'commit-0', tree: 'tree-0' } });
  assert.equal(loop.rounds.length, 0);
  assert.equal(loop.seats[0]?.attempts[0]?.reason, 'stale-head');
});

test('without a verdict the same reviewer is asked once more, then the fallback, then a person', () => {
  const settings = makeSettings({ roles: { author: 'alpha', reviewer: ['beta'], fixer: 'alpha', arbiter: null, fallback: ['gamma'] } });
  let loop = author(makeLoop({ settings }), committed('1'));
  const asked: string[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const action = decide(loop);
    assert.equal(action.do, 'review');
    asked.push(...(action.do === 'review' ? action.sessions.map(({ agent }) => agent) : []));
    loop = loseReview(loop, 'unreadable');
  }
  assert.deepEqual(asked, ['beta', 'beta', 'gamma']);
  assert.equal(step(loop).escalation?.reason, 'no-verdict');
});

test('a reviewer that tampered is never asked again', () => {
  const loop = loseReview(author(makeLoop(), committed('1')), 'tampered');
  assert.equal(step(loop).escalation?.reason, 'tampered');
});

test('a fixer that changes nothing is told so once and then a person is asked', () => {
  const idle = fix(rejectedOnce(), { kind: 'unchanged' });
  const action = decide(idle);
  assert.ok(action.do === 'fix' && action.again);
  assert.equal(step(fix(idle, { kind: 'unchanged' })).escalation?.reason, 'no-progress');
});

test('a fix that restores the code of an earlier round is oscillation', () => {
  let loop = fix(rejectedOnce(), committed('2'));
  loop = review(loop, { raised: [makeRaised({ description: 'now the other way' })] });
  loop = fix(loop, {
    kind: 'committed',
    head: { commit: 'commit-3', tree: 'tree-1' },
    commits: ['commit-3'],
    files: ['a.ts'],
    skipped: [],
  });
  assert.equal(step(loop).escalation?.reason, 'oscillating');
});

test('a red gate goes to the fixer without a review, at most three times in a row', () => {
  let loop = author(makeLoop({ settings: makeSettings({ gates: GATES }) }), committed('1'));
  for (let attempt = 2; attempt <= 4; attempt += 1) {
    loop = gate(loop, false);
    const action = decide(loop);
    assert.ok(action.do === 'fix' && action.cause === 'gates');
    loop = fix(loop, committed(`${attempt}`));
  }
  loop = step(gate(loop, false));
  assert.equal(loop.escalation?.reason, 'gates-red');
  assert.equal(loop.rounds.length, 0);
});

test('a red gate that the fixer cannot mend goes to a person at once, and to the fixer again when asked to', () => {
  let loop = gate(author(makeLoop({ settings: makeSettings({ gates: GATES }) }), committed('1')), false);
  loop = step(fix(loop, { kind: 'unchanged' }, [{ findingId: '29.1', status: 'needs_person', note: 'no exact fix', places: [] }]));
  assert.equal(loop.escalation?.reason, 'gates-red');
  assert.match(loop.escalation?.why ?? '', /leaves it to a person: no exact fix$/);
  loop = gate(append(loop, { type: 'decided', choice: 'retry', ...person }), false);
  assert.equal(decide(loop).do, 'fix');
});

test('a gate that was red before the change does not block', () => {
  const loop = gate(author(makeLoop({ settings: makeSettings({ gates: GATES }) }), committed('1')), false, true);
  assert.equal(decide(loop).do, 'review');
});

test('a person can have a change with red gates reviewed', () => {
  const settings = makeSettings({ gates: GATES, policy: { maxGateFixes: 0 } });
  const loop = step(gate(author(makeLoop({ settings }), committed('1')), false));
  assert.equal(decide(append(loop, { type: 'decided', choice: 'review-anyway', ...person })).do, 'review');
});

test('a withheld commit goes to the fixer and is never reviewed', () => {
  const withheld = {
    kind: 'withheld' as const,
    ref: 'refs/volley/29/partial-1',
    tree: 'tree-w',
    findings: [makeRaised({ source: 'engine' })],
  };
  const action = decide(author(makeLoop(), withheld));
  assert.ok(action.do === 'fix' && action.cause === 'withheld');
});

test('a fix that is withheld still answers the round that asked for it', () => {
  const withheld = { kind: 'withheld' as const, ref: 'r', tree: 'tree-w', findings: [makeRaised({ source: 'engine' })] };
  const action = decide(fix(rejectedOnce(), withheld));
  assert.ok(action.do === 'fix' && action.cause === 'withheld' && action.round === 1);
});

test('what is not fit to be committed cannot be reviewed anyway', () => {
  const withheld = { kind: 'withheld' as const, ref: 'r', tree: 'tree-w', findings: [makeRaised({ source: 'engine' })] };
  const loop = step(author(makeLoop({ settings: makeSettings({ policy: { maxGateFixes: 0 } }) }), withheld));
  assert.deepEqual([loop.escalation?.reason, choicesOf(loop)], ['gates-red', ['fix-manually', 'retry', 'cancel']]);
});

test('a commit of a person that was taken over is known like our own', () => {
  const loop = append(rejectedOnce(), { type: 'moved', head: headOf('p'), descends: true });
  assert.deepEqual([loop.head, loop.commits.at(-1)], [headOf('p'), headOf('p').commit]);
});

test('an author that changes nothing twice makes no progress', () => {
  const once = author(makeLoop(), { kind: 'unchanged' });
  assert.equal(decide(once).do, 'author');
  assert.equal(step(author(once, { kind: 'unchanged' })).escalation?.reason, 'no-progress');
});

test('an author that does not finish is asked again up to its limit', () => {
  let loop = makeLoop({ settings: makeSettings({ policy: { maxAuthorIterations: 2 } }) });
  loop = author(loop, committed('1'), false);
  loop = author(loop, committed('2'), false);
  assert.equal(step(loop).escalation?.reason, 'not-complete');
});

test('a failing author is tried once more, then its fallback, then a person is asked', () => {
  const settings = makeSettings({ roles: { author: 'alpha', reviewer: ['beta'], fixer: 'alpha', arbiter: null, fallback: ['gamma'] } });
  let loop = makeLoop({ settings });
  const agents: string[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const action = decide(loop);
    agents.push(action.do === 'author' ? action.agent : action.do);
    loop = author(loop, { kind: 'failed', reason: 'timed-out', message: 'no time left', partial: null });
  }
  assert.deepEqual(agents, ['alpha', 'alpha', 'gamma']);
  assert.equal(step(loop).escalation?.reason, 'timed-out');
});

test('a review task without a fixer ends as failed without a question', () => {
  const task = makeTask({ kind: 'review', source: { kind: 'branch', branch: 'x' } });
  const loop = step(review(makeLoop({ task }), { raised: [makeRaised()] }));
  assert.equal(loop.state, 'self_review_failed');
  assert.equal(loop.escalation, null);
});

test('without auto-iterate a blocking review rests with the choices refine, accept and cancel', () => {
  const settings = makeSettings({ autoIterate: false });
  const loop = step(review(author(makeLoop({ settings }), committed('1')), { raised: [makeRaised()] }));
  assert.deepEqual(choicesOf(loop), ['refine', 'accept', 'cancel']);
  assert.equal(decide(append(loop, { type: 'decided', choice: 'refine', ...person })).do, 'fix');
});

test('without auto-review an implemented task rests unreviewed', () => {
  const loop = step(author(makeLoop({ settings: makeSettings({ autoReview: false }) }), committed('1')));
  assert.equal(loop.state, 'pending_self_review');
});

test('a discussion stops the loop and the answer takes the same round again', () => {
  let loop = step(review(author(makeLoop(), committed('1')), { reading: { claim: 'needs_discussion' } }));
  assert.equal(loop.escalation?.reason, 'needs-discussion');
  loop = append(loop, { type: 'decided', choice: 'answer', ...person, reason: 'Yes, in UTC.' });
  const action = decide(loop);
  assert.ok(action.do === 'review' && action.round === 1);
  assert.match(loop.task.text, /Yes, in UTC\./);
});

test('a spent ceiling stops before the next paid session and raising it goes on', () => {
  const settings = makeSettings({ policy: { ceilingUsd: { loop: 0, run: null, day: null } } });
  const paid = {
    ...settings,
    agents: {
      ...settings.agents,
      alpha: plainAgent({ name: 'alpha', driver: 'command', run: ['a'], model: 'm' }),
    },
  };
  const loop = step(makeLoop({ settings: paid }));
  assert.equal(loop.escalation?.reason, 'ceiling');
  assert.equal(decide(append(loop, { type: 'decided', choice: 'raise-ceiling', ...person, ceilingUsd: 2 })).do, 'author');
});

test('a disputed security finding waits for a person, and a refuted one approves the same head', () => {
  let loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised({ category: 'security' })] });
  loop = fix(loop, { kind: 'unchanged' }, [{ findingId: '29.1', status: 'disputed', note: 'line 3 is never empty', places: [] }]);
  loop = step(loop);
  assert.equal(loop.escalation?.reason, 'disputed');
  loop = step(append(loop, { type: 'decided', choice: 'refute', ...person }));
  assert.equal(loop.state, 'approved');
});

test('a commit of a person supersedes the running action and is reviewed as the next round', () => {
  const running = step(rejectedOnce());
  const loop = append(running, { type: 'moved', head: headOf('theirs'), descends: true });
  assert.equal(loop.current, null);
  const action = decide(loop);
  assert.ok(action.do === 'review' && action.round === 2);
  assert.equal(loop.maxRounds, 4);
});

test('a branch that was rewritten asks a person', () => {
  const loop = append(step(rejectedOnce()), { type: 'moved', head: headOf('theirs'), descends: false });
  assert.equal(step(loop).escalation?.reason, 'branch-moved');
});

test('handing back without a commit restores the open question', () => {
  let loop = step(fix(fix(rejectedOnce(), { kind: 'unchanged' }), { kind: 'unchanged' }));
  loop = append(loop, { type: 'decided', choice: 'fix-manually', ...person });
  assert.equal(loop.state, 'blocked');
  loop = append(loop, { type: 'overridden', override: 'handback', by: 'Test Person', reason: null, verdict: null, review: false });
  assert.equal(loop.escalation?.reason, 'no-progress');
});

test('an improvement without a review rests unreviewed', () => {
  let loop = step(review(author(makeLoop({ settings: makeSettings({ autoIterate: false }) }), committed('1')), { raised: [makeRaised()] }));
  loop = append(loop, { type: 'overridden', override: 'improve', by: 'Test Person', reason: null, verdict: null, review: false });
  loop = step(fix(loop, committed('2')));
  assert.equal(loop.state, 'pending_self_review');
});

test('an accepted change is approved in the name of the person', () => {
  let loop = step(fix(fix(rejectedOnce(), { kind: 'unchanged' }), { kind: 'unchanged' }));
  loop = step(append(loop, { type: 'decided', choice: 'accept', ...person, reason: 'good enough' }));
  assert.equal(loop.state, 'approved');
  assert.deepEqual(loop.approval, { by: 'person', name: 'Test Person', reason: 'good enough' });
});

test('a late result of a superseded action is refused and its spend is booked', () => {
  const running = step(rejectedOnce());
  const token = running.current?.token ?? 0;
  const cancelled = append(running, {
    type: 'overridden',
    override: 'cancel',
    by: 'Test Person',
    reason: null,
    verdict: null,
    review: false,
  });
  assert.throws(
    () => append(cancelled, { type: 'fixed', token, outcome: committed('9'), summary: null, resolutions: [], strayed: [], session: null }),
    /superseded/,
  );
});

const override = { by: 'Test Person', reason: null, verdict: null, review: false } as const;

test('a ruling does not make an approval out of plain text', () => {
  const reading = { claim: 'changes_requested', channel: 'text', mayApprove: false } as const;
  let loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised()], reading });
  loop = arbitrate(dispute(loop, ['29.1']), { '29.1': 'refuted' });
  assert.equal(loop.approval, null);
  const action = decide(loop);
  assert.ok(action.do === 'review' && action.round === 1);
});

test('gates run as soon as somebody fixes a change that was only to be reviewed', () => {
  const task = makeTask({ kind: 'review', source: { kind: 'branch', branch: 'x' } });
  let loop = step(review(makeLoop({ task, settings: makeSettings({ gates: GATES }) }), { raised: [makeRaised()] }));
  loop = fix(append(loop, { type: 'decided', choice: 'refine', ...person }), committed('2'));
  assert.equal(decide(loop).do, 'gates');
});

test('neither retry nor reassign brings a reviewer back that tampered', () => {
  const loop = step(loseReview(author(makeLoop(), committed('1')), 'tampered'));
  assert.throws(() => append(loop, { type: 'overridden', override: 'retry', ...override }), /nobody is left/);
  assert.throws(() => append(loop, { type: 'decided', choice: 'reassign', ...person, agent: 'beta' }), /reviews no more/);
  const action = decide(append(loop, { type: 'decided', choice: 'reassign', ...person, agent: 'gamma' }));
  assert.ok(action.do === 'review' && action.sessions[0]?.agent === 'gamma');
});

test('an approved tree under another commit is reviewed again, because a proof names its commit', () => {
  let loop = step(review(author(makeLoop(), committed('1'))));
  loop = append(loop, { type: 'overridden', override: 'takeover', ...override });
  loop = append(loop, { type: 'moved', head: { commit: 'theirs', tree: 'tree-1' }, descends: true });
  loop = append(loop, { type: 'overridden', override: 'handback', ...override });
  assert.equal(decide(loop).do, 'review');
});

test('an answer goes to the fixer where something blocks, also after it committed', () => {
  let loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised()] });
  loop = step(fix(loop, committed('2'), [{ findingId: '29.1', status: 'needs_person', note: 'which colour?', places: [] }]));
  assert.equal(loop.escalation?.reason, 'needs-discussion');
  loop = append(loop, { type: 'decided', choice: 'answer', ...person, reason: 'blue' });
  assert.equal(decide(loop).do, 'fix');
});

test('one more round starts the fixer although the change has become empty', () => {
  let loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised()] });
  loop = step(
    fix(loop, { kind: 'committed', head: { commit: 'reverted', tree: 'tree-base' }, commits: ['reverted'], files: [], skipped: [] }),
  );
  assert.equal(loop.escalation?.reason, 'no-progress');
  assert.equal(decide(append(loop, { type: 'decided', choice: 'one-more-round', ...person })).do, 'fix');
});

test('a dispute of what does not block stops nothing', () => {
  const raised = [makeRaised(), makeRaised({ severity: 'suggestion', description: 'a nit' })];
  let loop = review(author(makeLoop(), committed('1')), { raised });
  loop = fix(loop, committed('2'), [{ findingId: '29.2', status: 'disputed', note: 'no', places: [] }]);
  assert.equal(decide(loop).do, 'review');
});

test('under a ceiling a paid session that reports no cost counts its whole budget', () => {
  const settings = makeSettings({ policy: { ceilingUsd: { loop: 5, run: null, day: null } } });
  const alpha = plainAgent({ name: 'alpha', driver: 'command', run: ['a'], model: 'm', sessionUsd: 1.5 });
  const started = step(makeLoop({ settings: { ...settings, agents: { ...settings.agents, alpha } } }));
  const session = makeSession('alpha', { role: 'author' });
  const token = started.current?.token ?? 0;
  const loop = append(started, { type: 'authored', token, outcome: committed('1'), summary: null, taskComplete: true, session });
  assert.deepEqual({ usd: loop.spend.usd, estimated: loop.spend.estimated }, { usd: 1.5, estimated: true });
});

test('the worst that a review says of one place holds, however often it says it', () => {
  const raised = [makeRaised({ severity: 'critical' }), makeRaised({ severity: 'low' })];
  const loop = review(author(makeLoop(), committed('1')), { raised, reading: { claim: 'approved' } });
  assert.equal(loop.rounds[0]?.verdict, 'changes_requested');
  assert.deepEqual(
    loop.findings.map((one) => one.severity),
    ['critical'],
  );
});

test('the same words about two lines are two findings', () => {
  const loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised({ line: 3 }), makeRaised({ line: 9 })] });
  assert.equal(loop.findings.length, 2);
});

test('retry takes over what somebody committed while the loop waited', () => {
  let loop = step(loseReview(loseReview(author(makeLoop(), committed('1')), 'unreadable'), 'unreadable'));
  assert.equal(loop.escalation?.reason, 'no-verdict');
  loop = append(loop, { type: 'moved', head: headOf('theirs'), descends: true });
  loop = append(loop, { type: 'overridden', override: 'retry', ...override });
  assert.equal(loop.head?.commit, 'commit-theirs');
  assert.equal(decide(loop).do, 'review');
});

test('a commit that is handed back is reviewed, whatever the fixer had asked about the old code', () => {
  for (const status of ['needs_person', 'disputed'] as const) {
    let loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised()] });
    loop = step(fix(loop, committed('2'), [{ findingId: '29.1', status, note: 'hm', places: [] }]));
    loop = append(loop, { type: 'overridden', override: 'takeover', ...override });
    loop = append(loop, { type: 'moved', head: headOf('theirs'), descends: true });
    loop = append(loop, { type: 'overridden', override: 'handback', ...override });
    assert.equal(decide(loop).do, 'review', status);
  }
});

test('a gate that no longer applies closes its finding', () => {
  let loop = gate(author(makeLoop({ settings: makeSettings({ gates: GATES }) }), committed('1')), false);
  loop = step(fix(loop, committed('2')));
  const token = loop.current?.token ?? 0;
  loop = append(loop, { type: 'gated', token, tree: 'tree-2', results: [] });
  assert.equal(loop.findings[0]?.status, 'fixed');
});

test('one more round after an idle author goes to the author', () => {
  let loop = author(makeLoop(), committed('1'), false);
  loop = step(author(author(loop, { kind: 'unchanged' }, false), { kind: 'unchanged' }, false));
  assert.equal(loop.escalation?.reason, 'no-progress');
  assert.equal(decide(append(loop, { type: 'decided', choice: 'one-more-round', ...person })).do, 'author');
});

test('a question about a finding that was not raised again is asked too', () => {
  let loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised()] });
  loop = review(fix(loop, committed('2')), { changed: { 'b.ts': [3] } });
  loop = fix(loop, committed('3'), [{ findingId: '29.1', status: 'needs_person', note: 'which way?', places: [] }]);
  assert.equal(step(loop).escalation?.reason, 'needs-discussion');
});

test('an acceptance ends a loop whose branch was rewritten', () => {
  const moved = append(step(rejectedOnce()), { type: 'moved', head: headOf('theirs'), descends: false });
  const loop = step(append(step(moved), { type: 'decided', choice: 'accept', ...person }));
  assert.equal(loop.state, 'approved');
});

test('the final verdict follows what happened last', () => {
  let loop = step(review(author(makeLoop(), committed('1'))));
  loop = append(loop, { type: 'overridden', override: 'takeover', ...override });
  loop = append(loop, { type: 'moved', head: headOf('theirs'), descends: true });
  loop = append(loop, { type: 'overridden', override: 'handback', ...override });
  assert.equal(loop.finalVerdict, null);
});

test("rounds for people's own commits do not use up the hard total", () => {
  let loop = step(
    review(author(makeLoop({ settings: makeSettings({ policy: { maxRounds: 1 } }) }), committed('1')), { raised: [makeRaised()] }),
  );
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    loop = append(loop, { type: 'moved', head: headOf(name), descends: true });
    loop = append(loop, { type: 'overridden', override: 'takeover', ...override });
    loop = append(loop, { type: 'overridden', override: 'handback', ...override });
    loop = step(review(loop, { raised: [makeRaised({ description: `wrong in ${name}` })] }));
  }
  assert.equal(loop.rounds.length, 6);
  assert.ok(choicesOf(loop).includes('one-more-round'));
});
