import assert from 'node:assert/strict';
import { test } from 'node:test';
import { author, committed, fix, makeLoop, makeRaised, review } from '../../test/support/loops.ts';
import { ChangeName, findingsByFile, loopChange, LoopPoint } from './change-view.ts';

const ID = 'a'.repeat(40);

test('a change is named by two full ids, and a point of a loop by one of few words', () => {
  for (const name of [`${ID}..${ID}`, `${'0'.repeat(64)}..${'f'.repeat(64)}`]) assert.ok(ChangeName.safeParse(name).success, name);
  for (const name of [ID, `${ID}...${ID}`, `HEAD..${ID}`, `${ID}..${ID}\n`, `${ID.toUpperCase()}..${ID}`, `${ID}a..${ID}`, '--output=x..y'])
    assert.ok(!ChangeName.safeParse(name).success, name);
  for (const point of ['base', 'start', 'head', 'round-1', 'round-12', ID]) assert.ok(LoopPoint.safeParse(point).success, point);
  for (const point of ['', 'main', 'round-0', 'round-', 'HEAD', ID.slice(1), `${ID}^`])
    assert.ok(!LoopPoint.safeParse(point).success, point);
});

test('the change of a loop is one between any two points of its life, and of no other', () => {
  const first = review(author(makeLoop(), committed('1')), { raised: [makeRaised()] });
  const loop = review(fix(first, committed('2')), {});
  const between = (from: string, to: string): string => Object.values(loopChange(loop, { from, to })).join(' ');
  const [one, two] = loop.rounds.map((round) => round.head.commit);
  assert.equal(between('base', 'head'), `${loop.base.mergeBase} ${two}`);
  assert.equal(between('base', 'round-1'), `${loop.base.mergeBase} ${one}`);
  assert.equal(between('round-1', 'round-2'), `${one} ${two}`);
  assert.equal(between('start', one ?? ''), `${loop.start.commit} ${one}`);
  const pushed = { head: { commit: ID, tree: ID }, descends: true };
  assert.equal(loopChange({ ...loop, pushed }, { from: 'base', to: 'head' }).head, ID);
  assert.equal(loopChange({ ...loop, pushed: { ...pushed, descends: false } }, { from: 'base', to: 'head' }).head, two);
  assert.throws(() => between('base', 'round-3'), /Task 29 has no round 3/);
  assert.throws(() => between(ID, 'head'), /Task 29 has no commit aaaa/);
});

test('findings that are not settled are counted by file', () => {
  const raised = [
    makeRaised({ file: 'a' }),
    makeRaised({ file: 'a', severity: 'low', description: 'a nit', line: 40 }),
    makeRaised({ file: null, description: 'all of it' }),
  ];
  const loop = review(author(makeLoop(), committed('1')), { raised });
  assert.deepEqual([...findingsByFile(loop)], [['a', { open: 2, blocking: 1 }]]);
  const accepted = { ...loop, findings: loop.findings.map((one) => ({ ...one, status: 'accepted' as const })) };
  assert.equal(findingsByFile(accepted).size, 0);
});
