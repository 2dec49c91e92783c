import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  author,
  committed,
  headOf,
  makeDelta,
  makeFinding,
  makeLoop,
  makeRaised,
  makeRound,
  review,
  rule,
  strayFix,
} from '../../test/support/loops.ts';
import type { Delta, FileDelta } from './delta.ts';
import type { Finding, RaisedFinding, Resolution } from './finding.ts';
import type { Loop } from './loop.ts';
import type { Memory } from './memory.ts';
import { mergeFindings } from './merge-findings.ts';
import type { RaisedRound } from './merge-findings.ts';

/** A loop of one round, after which its fix was committed as head 2. */
function loopWith(findings: readonly Finding[]): Loop {
  const blockingIds = findings.map(({ id }) => id);
  const fixed = { agent: 'alpha', summary: null, commits: ['commit-2'], resolutions: [], sentBack: false };
  return {
    ...makeLoop(),
    head: headOf('2'),
    findings,
    rounds: [makeRound({ verdict: 'changes_requested', findingIds: blockingIds, blockingIds, fix: fixed })],
  };
}

/** The findings after round 2, in which head 2 was reviewed; near line 3 of a.ts something changed, unless it is said. */
function merge(before: readonly Finding[], given: Partial<RaisedRound> & { readonly delta?: Delta['files'] } = {}): readonly Finding[] {
  const { delta = makeDelta('', { 'a.ts': [3] }).files, ...rest } = given;
  const deltas = [{ from: headOf('1').commit, files: delta }];
  return mergeFindings(loopWith(before), { head: headOf('2').commit, raised: [], deltas, memories: [], files: ['a.ts'], ...rest }).findings;
}

function statusAfter(finding: Partial<Finding>, delta?: Delta['files']): string | undefined {
  return merge([makeFinding('29.1', finding)], delta === undefined ? {} : { delta })[0]?.status;
}

const RENAMED: FileDelta = { path: 'b.ts', oldPath: 'a.ts', status: 'renamed', hunks: [] };
const answered = (places: Resolution['places']): Resolution => ({ findingId: '29.1', status: 'fixed', note: '', places });

test('silence and a change within three lines close a finding, a line further away they do not', () => {
  for (const line of [1, 3, 6]) assert.equal(statusAfter({ line }), 'fixed', String(line));
  assert.equal(statusAfter({ line: 7 }), 'persisting');
});

test('silence closes nothing where nothing changed', () => {
  assert.equal(statusAfter({}, []), 'persisting');
  assert.equal(statusAfter({ file: null, line: null, place: 'unplaced' }, []), 'persisting');
});

test('silence closes nothing where it is not known what changed since the finding was raised', () => {
  const finding = makeFinding('29.1', { origin: { commit: 'elsewhere', file: 'a.ts', line: 3, lineEnd: null } });
  assert.equal(merge([finding])[0]?.status, 'persisting');
});

test('a change at a place that the fixer names can have fixed a finding', () => {
  const delta = makeDelta('', { 'b.ts': [20] }).files;
  assert.equal(statusAfter({ resolution: answered([{ file: 'b.ts', line: 22 }]) }, delta), 'fixed');
  assert.equal(statusAfter({ resolution: answered([{ file: 'b.ts', line: 30 }]) }, delta), 'persisting');
  assert.equal(statusAfter({ resolution: answered([{ file: 'c.ts', line: null }]) }, delta), 'persisting');
});

test('any change of its file can have fixed a finding about a whole file', () => {
  const whole = { line: null, place: 'file' } as const;
  assert.equal(statusAfter(whole, makeDelta('', { 'a.ts': [80] }).files), 'fixed');
  assert.equal(statusAfter(whole, [RENAMED]), 'fixed');
  assert.equal(statusAfter(whole, [{ path: 'a.ts', oldPath: null, status: 'deleted', hunks: null }]), 'fixed');
  assert.equal(statusAfter(whole, makeDelta('', { 'b.ts': [1] }).files), 'persisting');
});

test('any change of the tree can have fixed a finding without a place', () => {
  assert.equal(statusAfter({ file: null, line: null, place: 'unplaced' }, makeDelta('', { 'z.ts': [1] }).files), 'fixed');
});

test('a pure rename answers a finding on a line only if the fixer names the new path', () => {
  assert.equal(statusAfter({}, [RENAMED]), 'persisting');
  assert.equal(statusAfter({ resolution: answered([{ file: 'b.ts', line: null }]) }, [RENAMED]), 'fixed');
});

test('a finding that nobody raised again follows its lines', () => {
  const hunks = [{ oldStart: 40, oldCount: 0, newStart: 41, newCount: 5 }];
  const delta: Delta['files'] = [{ path: 'a.ts', oldPath: null, status: 'modified', hunks }];
  const [finding] = merge([makeFinding('29.1', { line: 60 })], { delta });
  assert.deepEqual([finding?.status, finding?.line, finding?.anchor], ['persisting', 65, 'moved']);
});

test('what a round raises again keeps its id, its first round and all its wordings', () => {
  const [finding, ...others] = merge([makeFinding('29.1')], {
    raised: [makeRaised({ line: 5, description: 'The greeting is still empty.', severity: 'medium' })],
  });
  assert.equal(others.length, 0);
  assert.deepEqual([finding?.id, finding?.status, finding?.firstRound, finding?.lastRound], ['29.1', 'persisting', 1, 2]);
  assert.deepEqual([finding?.description, finding?.also], ['The greeting is still empty.', ['The greeting is empty.']]);
  assert.deepEqual([finding?.severity, finding?.origin?.commit, finding?.line], ['medium', 'commit-2', 5]);
});

test('new after round 1 is fix-induced near what the fix changed, and late elsewhere', () => {
  const other = { description: 'A number is divided by zero.' };
  const raised = [
    makeRaised({ ...other, line: 6 }),
    makeRaised({ ...other, line: 50 }),
    makeRaised({ ...other, file: null, line: null, place: 'unplaced' }),
  ];
  assert.deepEqual(
    merge([], { raised }).map(({ line, provenance }) => [line, provenance]),
    [
      [null, 'late'],
      [6, 'fix-induced'],
      [50, 'late'],
    ],
  );
});

test('a finding that is raised after its fix is reopened, and that is counted', () => {
  const [finding] = merge([makeFinding('29.1', { status: 'fixed', reopenings: 1 })], { raised: [makeRaised()] });
  assert.deepEqual([finding?.status, finding?.reopenings], ['reopened', 2]);
});

test('only a finding that blocked when it was fixed counts the fixes that it outlives', () => {
  const loop = loopWith([makeFinding('29.1'), makeFinding('29.2', { description: 'Tests are missing.', file: 'b.ts' })]);
  const rounds = loop.rounds.map((round) => ({ ...round, blockingIds: ['29.1'] }));
  const { findings } = mergeFindings(
    { ...loop, rounds },
    { head: 'commit-2', raised: [makeRaised()], deltas: [], memories: [], files: [] },
  );
  assert.deepEqual(
    findings.map(({ survived }) => survived),
    [1, 0],
  );
});

test('a fix that never came is not outlived', () => {
  const loop = loopWith([makeFinding('29.1')]);
  const rounds = loop.rounds.map((round) => ({ ...round, fix: null }));
  const { findings } = mergeFindings(
    { ...loop, rounds },
    { head: 'commit-2', raised: [makeRaised()], deltas: [], memories: [], files: [] },
  );
  assert.equal(findings[0]?.survived, 0);
});

const RULED = { ruling: 'refuted', by: 'gamma', person: false, note: 'no', from: null, remembered: true } as const;

test('a refuted or accepted finding stays closed while its code is as it was, and comes back when that changes', () => {
  for (const status of ['refuted', 'accepted'] as const) {
    const closed = makeFinding('29.1', { status, ruling: RULED });
    const raised = (codeHash: string): readonly Finding[] => merge([closed], { raised: [makeRaised({ codeHash })] });
    assert.deepEqual(
      raised('hash-of-the-code').map((one) => [one.id, one.status]),
      [['29.1', status]],
    );
    assert.deepEqual(
      raised('another-hash').map((one) => [one.id, one.status]),
      [['29.1', 'reopened']],
    );
  }
});

test('what merely resembles a refuted finding is a new one', () => {
  const refuted = makeFinding('29.1', { status: 'refuted', ruling: RULED, description: 'The greeting is empty when the name is missing.' });
  const raised = [makeRaised({ description: 'The greeting is not escaped when the name is printed.' })];
  assert.deepEqual(
    merge([refuted], { raised }).map((one) => [one.id, one.status]),
    [
      ['29.1', 'refuted'],
      ['29.2', 'open'],
    ],
  );
});

test('a gate closes its own finding; no review raises or closes it', () => {
  const gate = makeFinding('29.1', {
    source: 'gate',
    tag: 'test',
    file: null,
    line: null,
    place: 'unplaced',
    description: 'The gate test failed.',
  });
  const raised = [makeRaised({ description: 'The gate test failed.', file: null, line: null, place: 'unplaced' })];
  assert.deepEqual(
    merge([gate], { raised }).map((one) => [one.id, one.status]),
    [
      ['29.1', 'open'],
      ['29.2', 'open'],
    ],
  );
});

test('a stray edit is gone once its file is no longer part of the change', () => {
  const stray = makeFinding('29.1', { source: 'engine', tag: 'stray-edit', file: 'c.ts' });
  assert.equal(merge([stray], { files: ['a.ts', 'c.ts'] })[0]?.status, 'persisting');
  assert.equal(merge([stray], { files: ['a.ts'] })[0]?.status, 'fixed');
});

const MEMORY: Memory = {
  findingId: '7.4',
  codeHash: 'hash-of-the-code',
  file: 'a.ts',
  line: 3,
  severity: 'high',
  category: 'logic',
  tag: null,
  description: 'The greeting is empty.',
  by: 'gamma',
  person: false,
  note: 'It is never empty.',
  at: '2026-01-01T00:00:00.000Z',
};

function recalled(raised: Partial<RaisedFinding>, memory: Partial<Memory> = {}): Finding | undefined {
  return merge([], { raised: [makeRaised(raised)], memories: [{ ...MEMORY, ...memory }] })[0];
}

test('what another loop refuted about the very same code is closed from the start, and names that ruling', () => {
  const finding = recalled({});
  assert.equal(finding?.status, 'refuted');
  assert.deepEqual(finding?.ruling, {
    ruling: 'refuted',
    by: 'gamma',
    person: false,
    note: 'It is never empty.',
    from: '7.4',
    remembered: false,
  });
});

test('a memory of other code, of another file or of another thing closes nothing', () => {
  assert.equal(recalled({ codeHash: 'another-hash' })?.status, 'open');
  assert.equal(recalled({ file: 'b.ts' })?.status, 'open');
  assert.equal(recalled({ description: 'The name is not escaped before it is printed.' })?.status, 'open');
  assert.equal(recalled({ codeHash: null }, {})?.status, 'open');
});

test('a finding about security is closed by the memory of a person’s word only', () => {
  assert.equal(recalled({ category: 'security' }, { category: 'security' })?.status, 'open');
  assert.equal(recalled({ category: 'security' }, { category: 'security', person: true })?.status, 'refuted');
});

test('a loop that is reopened on a remembered finding lets it block', () => {
  let loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised()], memories: [MEMORY] });
  assert.equal(loop.rounds[0]?.verdict, 'approved');
  loop = rule(loop, '29.1', 'reopen');
  assert.equal(loop.rounds[0]?.verdict, 'changes_requested');
});

test('what a fixer did beyond what it was asked is a finding of the engine, and one alone per file', () => {
  const strayed = [
    makeRaised({
      source: 'engine',
      tag: 'stray-edit',
      file: 'package.json',
      line: null,
      place: 'file',
      description: 'It edited package.json.',
    }),
  ];
  let loop = review(author(makeLoop(), committed('1')), { raised: [makeRaised()] });
  loop = strayFix(loop, '2', strayed);
  loop = review(loop, { raised: [makeRaised()], proof: { filesDelivered: ['a.ts', 'package.json'] } });
  loop = strayFix(loop, '3', strayed);
  assert.deepEqual(
    loop.findings.map((one) => [one.id, one.source, one.provenance]),
    [
      ['29.1', 'reviewer', 'original'],
      ['29.2', 'engine', 'fix-induced'],
    ],
  );
});

test('what an arbiter refuted comes back when it is raised about security, unless a person refuted it', () => {
  const closed = (person: boolean): Finding => makeFinding('29.1', { status: 'refuted', ruling: { ...RULED, person } });
  const raised = [makeRaised({ category: 'security' })];
  assert.deepEqual(
    merge([closed(false)], { raised }).map((one) => [one.id, one.status, one.category, one.severity]),
    [['29.1', 'reopened', 'security', 'high']],
  );
  assert.equal(merge([closed(true)], { raised })[0]?.status, 'refuted');
});

test('what was refuted at one place says nothing about the same words at another, though the code is the same', () => {
  const refuted = makeFinding('29.1', { status: 'refuted', ruling: RULED, line: 10 });
  const statuses = (line: number): unknown => merge([refuted], { raised: [makeRaised({ line })] }).map((one) => [one.line, one.status]);
  assert.deepEqual(statuses(13), [[13, 'refuted']]);
  for (const line of [14, 45])
    assert.deepEqual(statuses(line), [
      [10, 'refuted'],
      [line, 'open'],
    ]);
});

test('a finding on changed lines does not leave the change because it is raised again a little beside it', () => {
  const known = makeFinding('29.1', { severity: 'medium', line: 10 });
  const placeAfter = (before: Finding, raised: Partial<RaisedFinding>): unknown =>
    merge([before], { raised: [makeRaised({ severity: 'medium', ...raised })] }).map(({ place }) => place);
  assert.deepEqual(placeAfter(known, { line: 8, place: 'outside' }), ['changed']);
  assert.deepEqual(placeAfter({ ...known, place: 'outside' }, { line: 8, place: 'changed' }), ['changed']);
});

test('a medium finding that is raised again beside the change still blocks', () => {
  const medium = makeRaised({ severity: 'medium', line: 10 });
  let loop = review(author(makeLoop(), committed('1')), { raised: [medium] });
  loop = strayFix(loop, '2', []);
  loop = review(loop, { raised: [{ ...medium, line: 8, place: 'outside' }], changed: { 'z.ts': [1] } });
  assert.deepEqual(loop.rounds[1]?.blockingIds, ['29.1']);
});

test('what was refuted as something mild does not close something graver', () => {
  const refuted = makeFinding('29.1', { status: 'refuted', ruling: RULED, severity: 'medium' });
  const found = merge([refuted], { raised: [makeRaised({ severity: 'critical' })] }).map(({ severity, status }) => [severity, status]);
  assert.deepEqual(found, [
    ['medium', 'refuted'],
    ['critical', 'open'],
  ]);
});

test('a finding that is raised again without a place stays where it was', () => {
  const known = makeFinding('29.1', { line: 30 });
  const [again] = merge([known], { raised: [makeRaised({ file: null, line: null, place: 'unplaced' })] });
  assert.deepEqual([again?.status, again?.file, again?.line, again?.origin], ['persisting', 'a.ts', 30, known.origin]);
});
