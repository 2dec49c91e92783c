import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  append,
  author,
  committed,
  fix,
  headOf,
  makeLoop,
  makePanel,
  makeRaised,
  makeSettings,
  makeTask,
  review,
  step,
} from '../../test/support/loops.ts';
import { choicesOf } from './choices.ts';
import { blockingIn } from './convergence.ts';
import { decide } from './decide.ts';
import type { Edit, Event } from './event.ts';
import type { RaisedFinding } from './finding.ts';
import type { Loop } from './loop.ts';
import { refusal } from './refusal.ts';
import type { Settings } from './settings.ts';

const by = 'Test Person';

function asks(part: Partial<RaisedFinding> = {}): Event {
  const raised = makeRaised({ source: 'person', severity: 'high', raisedBy: [by], description: 'Name it after what it does.', ...part });
  return { type: 'commented', by, text: raised.description, file: raised.file, line: raised.line, raised };
}

function says(text: string): Event {
  return { type: 'commented', by, text, file: 'src/a.ts', line: 3, raised: null };
}

function edited(edit: Edit): Event {
  return { type: 'edited', by, reason: null, edit };
}

function overridden(override: Extract<Event, { type: 'overridden' }>['override'], more: { review?: boolean } = {}): Event {
  return { type: 'overridden', override, by, reason: null, verdict: null, review: false, ...more };
}

function approved(settings: Partial<Settings> = {}): Loop {
  return step(review(author(makeLoop({ settings: { ...makeSettings(), ...settings } }), committed('1'))));
}

test('a request for changes on an approved loop leads to a fix and to its review', () => {
  const loop = append(approved(), asks());
  assert.deepEqual([loop.approval, loop.state, loop.finalVerdict], [null, 'self_review_failed', 'CHANGES_REQUESTED']);
  const fixing = step(loop);
  assert.equal(fixing.current?.action.do, 'fix');
  assert.equal(decide(fix(fixing, committed('2'))).do, 'review');
});

test('a request for changes stays open until the code that it is about changes, whatever reviewers say', () => {
  const fixed = fix(step(append(approved(), asks({ file: 'src/a.ts', line: 3 }))), committed('2'));
  const silent = review(fixed, { changed: { 'src/other.ts': [1] } });
  assert.deepEqual([silent.rounds.at(-1)?.verdict, blockingIn(silent).map(({ id }) => id)], ['changes_requested', ['29.1']]);
  const touched = review(fixed, { changed: { 'src/a.ts': [3] } });
  assert.equal(touched.rounds.at(-1)?.verdict, 'approved');
  assert.match(touched.rounds.at(-1)?.notes.join() ?? '', /29\.1 of Test Person counts as fixed; volley finding 29\.1 reopen/);
});

test('a reviewer who says the same takes neither the weight nor the owner of a person’s finding', () => {
  const fixed = fix(step(append(approved(), asks({ file: 'src/a.ts', line: 3 }))), committed('2'));
  const same = makeRaised({ severity: 'low', file: 'src/a.ts', line: 3, description: 'Name it after what it does.' });
  const [finding] = review(fixed, { raised: [same], changed: { 'src/a.ts': [30] } }).findings;
  assert.deepEqual([finding?.source, finding?.severity, finding?.status], ['person', 'high', 'persisting']);
});

test('at the cap a request for changes is granted a round that does not count against the hard total', () => {
  const settings = makeSettings({ policy: { maxRounds: 1 } });
  const before = step(review(author(makeLoop({ settings }), committed('1'))));
  const loop = append(before, asks());
  assert.deepEqual([loop.maxRounds, loop.grantedRounds], [2, 1]);
});

test('a request for changes while a question is open is met when that is answered', () => {
  const settings = makeSettings({ policy: { maxRounds: 1 } });
  const asking = step(review(author(makeLoop({ settings }), committed('1')), { raised: [makeRaised()] }));
  const loop = append(asking, asks());
  assert.deepEqual([loop.escalation?.reason, loop.findings.length], ['max-rounds', 2]);
});

test('a request for changes is refused where there is nothing to change any more, or not yet', () => {
  assert.equal(refusal(makeLoop(), asks()), 'there is no change yet');
  const landed = append(approved(), { type: 'landed', onto: 'main', commit: headOf('1').commit, by });
  assert.equal(refusal(landed, asks()), 'the work has landed on main');
  assert.equal(refusal(append(approved(), overridden('review')), says(' ')), 'a comment needs words');
});

test('a comment guides the next author and fixer and changes nothing else', () => {
  const before = approved();
  const loop = append(before, says('Mind the tests.'));
  assert.deepEqual(loop.guidance, [{ by, text: 'src/a.ts:3: Mind the tests.' }]);
  assert.deepEqual([loop.state, loop.approval], [before.state, before.approval]);
  assert.equal(loop.comments[0]?.text, 'Mind the tests.');
});

test('one review that a person orders is a round of its own, after which the loop rests', () => {
  const again = step(append(approved(), overridden('review')));
  assert.deepEqual([again.current?.action.do, again.approval], ['review', null]);
  const blocked = step(review(again, { raised: [makeRaised()] }));
  assert.deepEqual([blocked.state, blocked.rounds.length, choicesOf(blocked)[0]], ['self_review_failed', 2, 'refine']);
});

test('a review that a person orders with a fixer goes on by itself, also in a loop that would rest', () => {
  const settings = makeSettings({ autoReview: false, autoIterate: false });
  const implemented = step(author(makeLoop({ settings }), committed('1')));
  assert.equal(implemented.state, 'pending_self_review');
  const reviewed = review(step(append(implemented, overridden('review', { review: true }))), { raised: [makeRaised()] });
  assert.equal(decide(reviewed).do, 'fix');
});

test('an approved loop is improved on a person’s word, but not once it has landed', () => {
  const improve: Event = { ...overridden('improve'), reason: 'also in French' } as Event;
  assert.equal(step(append(approved(), improve)).current?.action.do, 'fix');
  const landed = append(approved(), { type: 'landed', onto: 'main', commit: headOf('1').commit, by });
  assert.equal(refusal(landed, improve), 'the work has landed on main');
});

test('the words of a task can be changed until work begins, its limits at any time', () => {
  const changed = append(makeLoop(), edited({ title: 'Greet', text: 'Greet', maxRounds: 4, autoReview: false }));
  assert.deepEqual([changed.task.title, changed.maxRounds, changed.autoReview, changed.autoIterate], ['Greet', 4, false, false]);
  const begun = step(makeLoop());
  assert.equal(refusal(begun, edited({ text: 'Other' })), 'work has begun, so text can be changed no more');
  assert.equal(refusal(begun, edited({ maxRounds: 5 })), null);
  assert.equal(refusal(begun, edited({ maxRounds: 6 })), '5 rounds are the hard total');
  assert.equal(refusal(begun, edited({ fixer: 'nobody' })), 'nobody is not an agent of this loop');
  assert.equal(refusal(begun, edited({})), 'nothing is changed');
});

test('what was implemented and not reviewed goes on once reviews are to follow by themselves', () => {
  const settings = makeSettings({ autoReview: false, autoIterate: false });
  const loop = append(step(author(makeLoop({ settings }), committed('1'))), edited({ autoReview: true }));
  assert.equal(decide(loop).do, 'review');
});

test('every word of a person stays with the loop, with who said it and why', () => {
  const loop = append(approved(), { type: 'overridden', override: 'takeover', by, reason: 'I know better', verdict: null, review: false });
  assert.deepEqual(
    loop.decisions.map(({ by: who, what, reason, round }) => ({ who, what, reason, round })),
    [{ who: by, what: 'takeover', reason: 'I know better', round: 1 }],
  );
});

const released: Event = {
  type: 'released',
  base: { ref: 'volley/1-x', commit: 'dep', mergeBase: 'dep', mergeBaseTree: 'tree-dep' },
  start: { commit: 'dep', tree: 'tree-dep' },
  ground: [{ id: 1, commit: 'dep' }],
  notes: ['It starts from the work of task 1.'],
};

test('a task that depends on another waits without a job, and then starts from there by the rules of its own base', () => {
  const waiting = makeLoop({ task: makeTask({ dependsOn: [1] }) });
  assert.deepEqual([waiting.waiting?.for, decide(waiting).do, waiting.state], ['dependency', 'rest', 'queued']);
  const loop = append(waiting, released);
  assert.deepEqual([loop.start.commit, loop.base.mergeBase, loop.rulesFrom, decide(loop).do], ['dep', 'dep', 'base', 'author']);
  assert.equal(refusal(loop, released), 'it waits for no other task');
});

test('no word of a person starts a task before those that it depends on, but it may be told to wait for none', () => {
  const waiting = makeLoop({ task: makeTask({ dependsOn: [1] }) });
  assert.equal(append(waiting, overridden('retry')).waiting?.for, 'dependency');
  assert.equal(decide(append(waiting, edited({ dependsOn: [] }))).do, 'author');
  assert.equal(append(waiting, overridden('cancel')).waiting, null);
  assert.equal(refusal(waiting, edited({ dependsOn: [waiting.id] })), 'a task cannot depend on itself');
});

test('a dependency that will never be done is asked about, and a retry waits for it again', () => {
  const waiting = makeLoop({ task: makeTask({ dependsOn: [1] }) });
  const asking = append(waiting, { type: 'dependency-lost', why: 'task 1 was cancelled' });
  assert.deepEqual([asking.escalation?.reason, choicesOf(asking)], ['dependency', ['fix-manually', 'continue-without', 'retry', 'cancel']]);
  const again = append(asking, { type: 'decided', choice: 'retry', by, reason: null, agent: null, ceilingUsd: null });
  assert.deepEqual([again.escalation, again.waiting?.for], [null, 'dependency']);
  assert.equal(append(asking, edited({ dependsOn: [] })).escalation, null);
  const without = append(asking, { type: 'decided', choice: 'continue-without', by, reason: null, agent: null, ceilingUsd: null });
  assert.deepEqual([decide(without).do, without.task.dependsOn], ['author', []]);
});

test('a request for changes that comes while a fixer is at work is not closed by what that fixer did', () => {
  const fixing = step(review(author(makeLoop(), committed('1')), { raised: [makeRaised({ file: 'src/a.ts', line: 3 })] }));
  assert.equal(fixing.current?.action.do, 'fix');
  const asked = append(fixing, asks({ file: 'src/a.ts', line: 4 }));
  const second = review(fix(asked, committed('2')), { changed: { 'src/a.ts': [3, 4] } });
  assert.deepEqual(
    second.findings.map(({ id, status }) => [id, status]),
    [
      ['29.1', 'fixed'],
      ['29.2', 'persisting'],
    ],
  );
  const third = review(fix(step(second), committed('3')), { changed: { 'src/a.ts': [4] } });
  assert.deepEqual([third.findings[1]?.status, third.rounds.at(-1)?.verdict], ['fixed', 'approved']);
});

test('a request for changes blocks whatever the policy lets pass', () => {
  const settings = makeSettings({ policy: { blockAt: 'critical' } });
  const loop = append(step(review(author(makeLoop({ settings }), committed('1')))), asks());
  const silent = review(fix(step(loop), committed('2')), { changed: { 'src/other.ts': [1] } });
  assert.equal(silent.rounds.at(-1)?.verdict, 'changes_requested');
});

test('a request for changes takes back an approval of a person that has not come to its end', () => {
  const verdict: Event = { type: 'overridden', override: 'verdict', by, reason: null, verdict: 'APPROVED', review: false };
  const rejected = step(
    review(author(makeLoop({ settings: makeSettings({ autoIterate: false }) }), committed('1')), { raised: [makeRaised()] }),
  );
  const loop = append(append(rejected, verdict), asks());
  assert.deepEqual([loop.approval, decide(loop).do], [null, 'fix']);
});

test('a commit on the branch of a loop at rest is part of what is asked to be changed', () => {
  const moved = append(approved(), { type: 'moved', head: headOf('mine'), descends: true });
  const loop = append(moved, asks());
  assert.deepEqual(
    [loop.head?.commit, loop.findings[0]?.origin?.commit, step(loop).current?.action.do],
    [headOf('mine').commit, headOf('mine').commit, 'fix'],
  );
});

test('whoever skipped the reviews may still order a fix, a review, or hand back a commit', () => {
  const rejected = step(
    review(author(makeLoop({ settings: makeSettings({ autoIterate: false }) }), committed('1')), { raised: [makeRaised()] }),
  );
  const skipped = step(append(rejected, overridden('skip')));
  assert.equal(skipped.state, 'ready_for_human_review');
  assert.equal(decide(append(skipped, overridden('refine'))).do, 'fix');
  assert.equal(decide(append(skipped, overridden('review'))).do, 'review');
  const taken = append(append(skipped, overridden('takeover')), { type: 'moved', head: headOf('mine'), descends: true });
  assert.equal(decide(append(taken, overridden('handback'))).do, 'review');
});

test('nobody sets agents to work on a loop that a person has taken over', () => {
  const taken = append(approved(), overridden('takeover'));
  for (const override of ['retry', 'refine', 'improve', 'review'] as const)
    assert.equal(refusal(taken, { ...overridden(override), reason: 'more' } as Event), 'Test Person took it over; hand it back first');
});

test('a loop that is handed back without a commit rests as it rested before', () => {
  const ready = append(approved(), {
    type: 'overridden',
    override: 'verdict',
    by,
    reason: null,
    verdict: 'CHANGES_REQUESTED',
    review: false,
  });
  const loop = append(append(ready, overridden('takeover')), overridden('handback'));
  assert.deepEqual([loop.state, loop.finalVerdict, decide(loop).do], ['self_review_failed', 'CHANGES_REQUESTED', 'rest']);
});

test('the panel is changed between rounds only, and nobody sits on it twice', () => {
  const settings = makePanel(['alpha', 'beta']);
  const due = step(author(makeLoop({ settings }), committed('1')));
  assert.equal(due.current?.action.do, 'review');
  assert.equal(refusal(due, edited({ reviewer: ['beta'] })), 'a review is under way; the panel can be changed when it is over');
  assert.equal(refusal(makeLoop({ settings }), edited({ reviewer: ['beta', 'beta'] })), 'every member of a panel has one seat');
  assert.equal(refusal(makeLoop({ settings }), edited({ reviewer: ['beta'] })), null);
});

const veto: Event = { type: 'overridden', override: 'verdict', by, reason: 'no', verdict: 'CHANGES_REQUESTED', review: false };

test('a person’s no stands until there is a new commit, review or verdict, whatever is ruled on findings', () => {
  const low = step(review(author(makeLoop(), committed('1')), { raised: [makeRaised({ severity: 'low' })] }));
  assert.equal(low.state, 'approved');
  const ruled: Event = { type: 'ruled', findingId: '29.1', ruling: 'accept', by, reason: null };
  const loop = append(append(low, veto), ruled);
  assert.deepEqual([loop.state, loop.approval, decide(loop).do], ['self_review_failed', null, 'rest']);
  const again = review(step(append(loop, overridden('review'))), {});
  assert.equal(again.approval?.by, 'review');
});

test('a request for changes made while a person had the loop is met when it is handed back, however the loop rested', () => {
  const rejected = step(
    review(author(makeLoop({ settings: makeSettings({ autoIterate: false }) }), committed('1')), { raised: [makeRaised()] }),
  );
  for (const rest of [rejected, step(append(rejected, overridden('ready'))), step(append(rejected, overridden('skip'))), approved()]) {
    const back = append(append(append(rest, overridden('takeover')), asks()), overridden('handback'));
    assert.equal(decide(back).do, 'fix', rest.state);
  }
});

test('what was settled while a person had the loop is settled when it is handed back', () => {
  const rejected = step(
    review(author(makeLoop({ settings: makeSettings({ autoIterate: false }) }), committed('1')), { raised: [makeRaised()] }),
  );
  const refuted: Event = { type: 'ruled', findingId: '29.1', ruling: 'refute', by, reason: null };
  const back = step(append(append(append(rejected, overridden('takeover')), refuted), overridden('handback')));
  assert.deepEqual([back.state, back.approval?.by], ['approved', 'review']);
});

test('a fixer that dies or does nothing has not heard what a person asked for', () => {
  const settings = makeSettings({ autoIterate: false });
  const fixing = step(append(step(review(author(makeLoop({ settings }), committed('1')))), asks()));
  const token = fixing.current?.token ?? 0;
  const killed = append(fixing, { type: 'interrupted', token, why: 'gone', session: null });
  assert.equal(decide(killed).do, 'fix');
  const failed = fix(fixing, { kind: 'failed', reason: 'agent-failed', message: 'it broke', partial: null });
  assert.equal(decide(failed).do, 'fix');
  const heard = review(fix(fixing, committed('2')), { changed: { 'src/other.ts': [1] } });
  assert.equal(step(heard).state, 'self_review_failed', 'a loop that does not iterate by itself rests once it was heard');
});

test('settling a finding of work that was marked ready takes nothing back', () => {
  const two = [makeRaised(), makeRaised({ description: 'Another thing entirely.', file: 'src/b.ts' })];
  const ready = append(
    step(review(author(makeLoop({ settings: makeSettings({ policy: { maxRounds: 1 } }) }), committed('1')), { raised: two })),
    overridden('ready'),
  );
  const loop = append(ready, { type: 'ruled', findingId: '29.1', ruling: 'accept', by, reason: null });
  assert.deepEqual([loop.state, loop.rounds.length], ['ready_for_human_review', 1]);
});

test('nobody sets agents to work on what has landed, but it can be taken over', () => {
  const landed = append(approved(), { type: 'landed', onto: 'main', commit: headOf('1').commit, by });
  for (const override of ['retry', 'refine', 'improve', 'review', 'skip', 'ready', 'cancel'] as const)
    assert.notEqual(refusal(landed, { ...overridden(override), reason: 'more' } as Event), null, override);
  assert.equal(refusal(landed, overridden('takeover')), null);
});
