import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { makeCreated } from '../../test/support/created.ts';
import {
  committed,
  makeFinding,
  makePanel,
  makeRaised,
  makeSession,
  makeSettings,
  reviewOutcome,
  tokenOf,
} from '../../test/support/loops.ts';
import type { GivenReview } from '../../test/support/loops.ts';
import { isEffect } from './action.ts';
import { applyEvent } from './apply.ts';
import { decide } from './decide.ts';
import type { Change, ChangedFile } from './diff.ts';
import { Event } from './event.ts';
import type { JournalEntry } from './event.ts';
import type { Loop } from './loop.ts';
import { absentParts } from './proof-parts.ts';
import type { Proof } from './proof.ts';
import { BUILTIN } from './settings.ts';
import type { Settings } from './settings.ts';
import { replayJournal } from './replay.ts';
import type { Replay } from './replay.ts';
import { changeKey } from './verify-facts.ts';
import type { Check, RowFact, VerifyFacts } from './verify-facts.ts';
import { concludeVerification, verifyLoop } from './verify.ts';
import { writeReviewTwin } from './writers/review-twin.ts';

const AT = '2026-01-29T10:00:00.000Z';
const TRANSCRIPT = '.volley/transcripts/task-1-4-reviewer.log';

type Script = readonly ((loop: Loop) => Event)[];

const author = (loop: Loop): Event => ({
  type: 'authored',
  token: tokenOf(loop),
  outcome: committed('1'),
  summary: null,
  taskComplete: true,
  session: null,
});

const finished = (): Event => ({ type: 'finished', state: 'approved', why: '' });

function review(member = 'beta', given: GivenReview = {}): (loop: Loop) => Event {
  return (loop) => {
    const outcome = reviewOutcome(loop, member, given);
    const proof = { ...outcome.proof, absent: absentParts(outcome.proof) };
    const session = makeSession(member, { transcript: TRANSCRIPT });
    return { type: 'reviewed', token: tokenOf(loop), member, agent: member, outcome: { ...outcome, proof }, session };
  };
}

function gate(passed: boolean): (loop: Loop) => Event {
  const result = { name: 'test', exitCode: 0, timedOut: false, output: '', reran: false, redBefore: false, durationMs: 1 };
  return (loop) => ({ type: 'gated', token: tokenOf(loop), tree: loop.head?.tree ?? '', results: [{ ...result, passed }] });
}

/** The journal of a loop to which these events happened, with the start of every action that it took. */
function journalOf(script: Script, settings: Settings = makeSettings()): readonly JournalEntry[] {
  const entries: JournalEntry[] = [];
  let loop: Loop | null = null;
  const add = (event: Event): Loop => {
    const entry = { seq: entries.length + 1, at: AT, event: Event.parse(event) };
    entries.push(entry);
    return applyEvent(loop, entry);
  };
  loop = add({ ...makeCreated(1), settings });
  for (const make of script) {
    const action = decide(loop);
    if (loop.current === null && isEffect(action)) loop = add({ type: 'started', action });
    loop = add(make(loop));
  }
  return entries;
}

const APPROVED: Script = [author, review(), finished];

function replayed(journal: readonly JournalEntry[]): Replay {
  const replay = replayJournal(journal);
  assert.ok(replay !== null);
  return replay;
}

function changedFile(path: string, changes: Partial<ChangedFile> = {}): ChangedFile {
  const modes = { oldMode: '100644', newMode: '100644', oldBlob: null, newBlob: null };
  return { path, oldPath: null, status: 'modified', ...modes, binary: false, submodule: false, added: 1, removed: 0, ...changes };
}

function changeOf({ base, mergeBase, head, tree, diffSha256 }: Proof): Change {
  return { base, mergeBase, head, tree, files: [changedFile('a.ts')], patch: '', patchSha256: diffSha256 };
}

/** A world in which all is as this journal left it. */
function worldOf(journal: readonly JournalEntry[]): VerifyFacts {
  const replay = replayed(journal);
  const { loop } = replay;
  const proofs = loop.rounds.flatMap(({ reviews }) => reviews.map(({ proof }) => proof));
  return {
    replay,
    isForeign: false,
    rows: [],
    trees: new Map(proofs.flatMap((proof) => [[proof.head, proof.tree] as const, [proof.base, 'tree-base'] as const])),
    changes: new Map(proofs.map((proof) => [changeKey(proof), changeOf(proof)])),
    branch: loop.head?.commit ?? null,
    twins: new Map(loop.rounds.map((round) => [round.round, { path: 'twin.json', text: writeReviewTwin({ loop, round }) }])),
    prompts: new Map([[TRANSCRIPT, { hashes: proofs.map(({ promptSha256 }) => promptSha256), whole: true }]]),
  };
}

function wrong(checks: readonly Check[], ok: boolean | null = false): readonly string[] {
  return checks.filter((check) => check.ok === ok).map(({ what, detail }) => `${what}: ${detail}`);
}

describe('verifying a loop', () => {
  test('finds nothing where all is as the journal left it', () => {
    const facts = worldOf(journalOf(APPROVED));
    const checks = verifyLoop(facts);
    assert.deepEqual([wrong(checks), wrong(checks, null)], [[], []]);
    assert.deepEqual(concludeVerification(facts.replay.loop, checks), {
      holds: true,
      why: 'the approval holds: commit-1, 1 file, reviewed by beta',
      failed: 0,
      unchecked: 0,
    });
  });

  test('finds whatever is changed in a proof, as the twin still has it', () => {
    const journal = journalOf(APPROVED);
    const facts = worldOf(journal);
    const proof = facts.replay.loop.rounds[0]?.reviews[0].proof;
    const parts = Object.keys(proof ?? {}).filter((part) => part !== 'absent');
    const value = fc.oneof(fc.string(), fc.integer({ min: 0 }), fc.boolean(), fc.constant(null), fc.array(fc.string()));
    fc.assert(
      fc.property(fc.constantFrom(...parts), value, (part, changed) => {
        const edited = journal.map((entry) => withProof(entry, { [part]: changed }));
        fc.pre(edited.every(({ event }) => Event.safeParse(event).success));
        fc.pre(JSON.stringify(edited) !== JSON.stringify(journal));
        const replay = replayed(edited);
        assert.notDeepEqual(wrong(verifyLoop({ ...facts, replay })), []);
      }),
      { numRuns: 500 },
    );
  });

  test('names the reviewer of a panel whose proof is wrong', () => {
    const settings = makePanel(['beta', 'gamma']);
    const journal = journalOf([author, review('beta'), review('gamma', { proof: { diffSha256: 'e'.repeat(64) } }), finished], settings);
    const facts = worldOf(journal);
    const [first] = facts.replay.loop.rounds[0]?.reviews ?? [];
    assert.ok(first !== undefined);
    const checks = verifyLoop({ ...facts, changes: new Map([[changeKey(first.proof), changeOf(first.proof)]]) });
    assert.deepEqual(wrong(checks), ['diff: gamma: the sha-256 of the diff is dddddddd, not eeeeeeee']);
    assert.match(concludeVerification(facts.replay.loop, []).why, /reviewed by beta and gamma$/);
  });

  test('compares the gates of a proof with those that ran on its tree', () => {
    const settings = makeSettings({ gates: [{ name: 'test', run: 'true', cwd: '.', paths: [], network: false }] });
    const gates = [{ name: 'test', passed: true, redBefore: false, acceptedBy: null }];
    const told = worldOf(journalOf([author, gate(true), review('beta', { proof: { gates } }), finished], settings));
    assert.deepEqual(wrong(verifyLoop(told)), []);
    const silent = worldOf(journalOf([author, gate(true), review(), finished], settings));
    assert.deepEqual(wrong(verifyLoop(silent)), ['gates: the proof says of the gates none were asked for, and the journal test passed']);
    const elsewhere = replayed(
      journalOf([author, gate(true), review('beta', { proof: { gates } }), finished], settings).map((entry) =>
        entry.event.type === 'gated' ? { ...entry, event: { ...entry.event, tree: 'tree-9' } } : entry,
      ),
    );
    assert.match(wrong(verifyLoop({ ...told, replay: elsewhere })).join(), /gates: the gates ran on the tree tree-9/);
  });

  test('says that a twin is older than the verdict, where a person set a finding aside since', () => {
    const raised = [makeRaised()];
    const ruled = (): Event => ({ type: 'ruled', findingId: '1.1', ruling: 'accept', by: 'Ada', reason: null });
    const rejecting = journalOf([author, review('beta', { raised })]);
    const before = worldOf(rejecting);
    const facts = worldOf(journalOf([author, review('beta', { raised }), ruled, finished]));
    const checks = verifyLoop({ ...facts, twins: before.twins });
    assert.deepEqual([wrong(checks), wrong(checks, null)], [[], ['twin: twin.json was written before the verdict became approved']]);
    assert.match(concludeVerification(facts.replay.loop, checks).why, /reviewed by beta, after Ada set 1 finding aside$/);
  });

  test('takes a twin in another form for what it says', () => {
    const facts = worldOf(journalOf(APPROVED));
    const text = JSON.stringify(JSON.parse(facts.twins.get(1)?.text ?? ''));
    assert.deepEqual(wrong(verifyLoop({ ...facts, twins: new Map([[1, { path: 'twin.json', text }]]) })), []);
  });

  test('finds a file that the reviewer got no more than the name of, and one that it did not get', () => {
    const facts = worldOf(journalOf([author, review('beta', { proof: { filesDelivered: [], filesNamed: ['a.ts'] } }), finished]));
    assert.deepEqual(wrong(verifyLoop(facts)), ['files: the reviewer was given no more than the name of a.ts']);
    const [key = '', change] = [...facts.changes][0] ?? [];
    assert.ok(typeof change === 'object');
    const more = { ...change, files: [changedFile('a.ts', { binary: true }), changedFile('b.ts')] };
    assert.deepEqual(wrong(verifyLoop({ ...facts, changes: new Map([[key, more]]) })), ['files: the reviewer was not given b.ts']);
  });

  test('does not hold a transcript against a proof that secrets were taken out of', () => {
    const facts = worldOf(journalOf(APPROVED));
    const cut = verifyLoop({ ...facts, prompts: new Map([[TRANSCRIPT, { hashes: [], whole: false }]]) });
    assert.deepEqual([wrong(cut), wrong(cut, null).length], [[], 1]);
    const other = verifyLoop({ ...facts, prompts: new Map([[TRANSCRIPT, { hashes: ['other'], whole: true }]]) });
    assert.deepEqual(wrong(other), [`prompt: ${TRANSCRIPT} holds another prompt than the proof names`]);
  });

  test('finds a proof that does not say why something is lacking in it', () => {
    const journal = journalOf(APPROVED).map((entry) => withProof(entry, { absent: {} }));
    assert.match(
      wrong(verifyLoop(worldOf(journal))).join(),
      /^proof: the proof does not say why it lacks agentVersion, model, sameVendor and \d more$/,
    );
  });

  test('finds rows that the journal does not make, and misses those that it makes', () => {
    const row = { verdict: 'approved' };
    const rows: readonly RowFact[] = [
      { round: 1, table: 'loop_reviews', stored: row, folded: { verdict: 'changes_requested' } },
      { round: 2, table: 'loop_reviews', stored: row, folded: null },
      { round: null, table: 'loops', stored: null, folded: row },
    ];
    assert.deepEqual(wrong(verifyLoop({ ...worldOf(journalOf(APPROVED)), rows })), [
      'record: loop_reviews has a row that the journal does not make; and 1 more',
      'verdict: loop_reviews.verdict is approved, and the journal comes to changes_requested',
    ]);
  });

  test('finds an entry that does not follow from those before it, and is not misled by other words of a reason', () => {
    const journal = journalOf(APPROVED);
    const reworded = journal.map((entry) =>
      entry.event.type === 'started' ? { ...entry, event: { ...entry.event, action: { ...entry.event.action, why: 'because' } } } : entry,
    );
    assert.deepEqual(wrong(verifyLoop(worldOf(reworded))), []);
    const unasked = journal.filter(({ event }) => event.type !== 'started').map((entry, index) => ({ ...entry, seq: index + 1 }));
    assert.match(wrong(verifyLoop(worldOf(unasked))).join(), /^journal: entry 2 \(authored\) does not follow from those before it/);
  });

  test('goes as far as a journal goes that tells what cannot have happened', () => {
    const journal = journalOf(APPROVED).filter(({ event }) => event.type === 'created' || event.type === 'reviewed');
    const facts = worldOf(journal.map((entry, index) => ({ ...entry, seq: index + 1 })));
    assert.deepEqual(wrong(verifyLoop(facts)), ['journal: entry 2 (reviewed) cannot have happened: a review without a head']);
    assert.equal(replayJournal(journal.slice(1)), null);
  });

  test('proves nothing of what a person approved, or nobody', () => {
    const open = worldOf(journalOf([author, review('beta', { raised: [makeRaised()] })])).replay.loop;
    assert.deepEqual(concludeVerification(open, []).why, 'there is no approval (self_review_failed)');
    const person: Loop = { ...open, approval: { by: 'person', name: 'Ada', reason: null } };
    const failing: Check = { round: 1, what: 'diff', ok: false, detail: 'it is another' };
    assert.equal(concludeVerification(person, [failing]).why, 'approved by Ada, which proves nothing, and 1 check does not hold');
    const approved = worldOf(journalOf(APPROVED)).replay.loop;
    assert.equal(
      concludeVerification(approved, [failing, { ...failing, round: 2 }]).why,
      'the approval does not hold: round 1, diff: it is another, and 1 more',
    );
  });

  test('finds an approval whose proof is of another head', () => {
    const facts = worldOf(journalOf(APPROVED));
    const { replay } = facts;
    const other = { commit: 'commit-2', tree: 'tree-2' };
    const checks = verifyLoop({ ...facts, replay: { ...replay, loop: { ...replay.loop, head: other } }, branch: other.commit });
    assert.deepEqual(wrong(checks), ['approval: the proof is not one of commit-2: the review was taken on another head']);
  });
});

describe('a world that is not as the journal left it', () => {
  const facts = worldOf(journalOf(APPROVED));
  const [key = '', change] = [...facts.changes][0] ?? [];
  const without = (commit: string): VerifyFacts['trees'] => new Map([...facts.trees].filter(([one]) => one !== commit));
  const isChange = (some: typeof change): some is Change => typeof some === 'object';
  assert.ok(isChange(change));

  const worlds: Readonly<Record<string, readonly [Partial<VerifyFacts>, ...string[]]>> = {
    'a journal that came with a commit': [
      { isForeign: true },
      'journal: git tracks the journal, so it came with a commit and nobody here wrote it',
    ],
    'a commit with another tree': [
      { trees: new Map([...facts.trees, ['commit-1', 'tree-9']]) },
      'commit: the tree of commit-1 is tree-9, not tree-1',
    ],
    'a commit that is gone': [
      { trees: without('commit-1'), changes: new Map() },
      'commit: the commit commit-1 is in no repository here',
      '? base: the change cannot be read',
      '? diff: there is no diff without its commits',
      '? files: the change cannot be read',
    ],
    'a base that is gone': [
      { trees: without('base'), changes: new Map([[key, 'git says no']]) },
      'base: the base base is in no repository here',
      '? diff: there is no diff without its commits',
      '? files: the change cannot be read',
    ],
    'commits without their contents': [
      { changes: new Map([[key, 'git says no']]) },
      'diff: the diff cannot be made again: git says no',
      '? base: the change cannot be read',
      '? files: the change cannot be read',
    ],
    'another merge base': [
      { changes: new Map([[key, { ...change, mergeBase: 'older' }]]) },
      'base: the merge base with base is older, not base',
    ],
    'a change without one of the files': [{ changes: new Map([[key, { ...change, files: [] }]]) }, 'files: a.ts is not part of the change'],
    'a branch that moved': [{ branch: 'commit-2' }, 'branch: volley/1-add-greeting stands at commit-2, and the approval is of commit-1'],
    'a branch that is gone': [{ branch: null }, '? branch: there is no branch volley/1-add-greeting any more'],
    'a twin that is gone': [{ twins: new Map([[1, { path: 'twin.json', text: null }]]) }, '? twin: there is no twin.json'],
    'a twin that is no JSON': [{ twins: new Map([[1, { path: 'twin.json', text: '{' }]]) }, 'twin: twin.json is no JSON'],
    'a transcript that is gone': [{ prompts: new Map() }, `? prompt: there is no transcript ${TRANSCRIPT}`],
  };
  for (const [name, [changes, ...expected]] of Object.entries(worlds)) {
    test(`is found: ${name}`, () => {
      const checks = verifyLoop({ ...facts, ...changes });
      assert.deepEqual([...wrong(checks), ...wrong(checks, null).map((line) => `? ${line}`)], expected);
    });
  }

  const proofs: Readonly<Record<string, readonly [Partial<Proof>, RegExp]>> = {
    'another base': [{ base: 'other' }, /base: the proof names the base other, and the task that of base/],
    'another driver': [{ driver: 'codex' }, /session: the proof and the journal differ in driver/],
    'another time': [{ startedAt: '2026-01-01T00:00:00.000Z' }, /session: the proof and the journal differ in startedAt/],
  };
  for (const [name, [changes, expected]] of Object.entries(proofs)) {
    test(`is found: a proof with ${name}`, () => {
      const replay = replayed(journalOf(APPROVED).map((entry) => withProof(entry, changes)));
      assert.match(wrong(verifyLoop({ ...facts, replay })).join('\n'), expected);
    });
  }

  test('is found: a loop whose parts do not fit together', () => {
    const { replay } = facts;
    const [round] = replay.loop.rounds;
    assert.ok(round !== undefined);
    const [answer] = round.reviews;
    const looking = (loop: Partial<Loop>): string =>
      wrong(verifyLoop({ ...facts, replay: { ...replay, loop: { ...replay.loop, ...loop } } })).join('\n');
    const partial = { ...answer.proof, filesMissing: ['a.ts'] };
    const torn = looking({ rounds: [{ ...round, reviews: [{ ...answer, proof: partial }] }] });
    assert.match(torn, /proof: the reviewer was not given a\.ts\n.*gates: the journal has no answer with this proof/s);
    assert.match(looking({ rounds: [{ ...round, verdict: 'changes_requested' }] }), /approval: round 1 did not approve it/);
    assert.match(looking({ findings: [makeFinding('1.1')] }), /approval: 1\.1 blocks/);
  });
});

test('red gates that a person accepted are told with the name', () => {
  const settings = makeSettings({
    gates: [{ name: 'test', run: 'true', cwd: '.', paths: [], network: false }],
    policy: { maxGateFixes: 0 },
  });
  const asked = (): Event => ({ type: 'escalated', reason: 'gates-red', why: '', versions: null });
  const decided = (): Event => ({ type: 'decided', choice: 'review-anyway', by: 'Ada', reason: null, agent: null, ceilingUsd: null });
  const record = { name: 'test', passed: false, redBefore: false };
  const gates = [{ ...record, acceptedBy: 'Ada' }];
  const checks = verifyLoop(
    worldOf(journalOf([author, gate(false), asked, decided, review('beta', { proof: { gates } }), finished], settings)),
  );
  assert.deepEqual(wrong(checks), []);
  assert.equal(checks.find(({ what }) => what === 'gates')?.detail, 'test red, accepted by Ada');
});

test('the built-in reviewer reads no prompt, so there is none to compare', () => {
  const agent = makePanel([BUILTIN]);
  const proof = { driver: BUILTIN, model: null };
  const checks = verifyLoop(worldOf(journalOf([author, review(BUILTIN, { proof }), finished], agent)));
  assert.deepEqual([wrong(checks), wrong(checks, null)], [[], ['prompt: the built-in agent reads no prompt']]);
});

function withProof(entry: JournalEntry, changes: object): JournalEntry {
  const { event } = entry;
  if (event.type !== 'reviewed' || event.outcome.kind !== 'review') return entry;
  return { ...entry, event: { ...event, outcome: { ...event.outcome, proof: { ...event.outcome.proof, ...changes } } } };
}
