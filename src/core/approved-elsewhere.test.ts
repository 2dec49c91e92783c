import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCreated } from '../../test/support/created.ts';
import { committed } from '../../test/support/loops.ts';
import { isApprovedElsewhere } from './approved-elsewhere.ts';
import { decide } from './decide.ts';
import type { Event } from './event.ts';
import { replayJournal } from './replay.ts';
import type { Replay } from './replay.ts';

const CREATED = makeCreated(1);
const VERDICT = { type: 'overridden', override: 'verdict', by: 'Ada', reason: null, review: false } as const;
const APPROVES: Event = { ...VERDICT, verdict: 'APPROVED' };
const REJECTS: Event = { ...VERDICT, verdict: 'CHANGES_REQUESTED' };
const IMPORTED: Event = { type: 'imported', by: 'Bob' };

/** A change of one commit, and what people did to it then. */
function replay(...said: readonly Event[]): Replay {
  const created = replayJournal([{ seq: 1, at: '', event: CREATED }]);
  if (created === null) throw new Error('there is no loop');
  const begun: readonly Event[] = [
    CREATED,
    { type: 'started', action: decide(created.loop) },
    { type: 'authored', token: 2, outcome: committed('1'), summary: null, taskComplete: true, session: null },
  ];
  const replayed = replayJournal([...begun, ...said].map((event, index) => ({ seq: index + 1, at: '', event })));
  if (replayed === null || replayed.broken !== null) throw new Error(replayed?.broken ?? 'there is no loop');
  return replayed;
}

test('an approval that came with a file was given elsewhere', () => {
  assert.equal(isApprovedElsewhere(replay(APPROVES, IMPORTED)), true);
  assert.equal(isApprovedElsewhere(replay(APPROVES, IMPORTED, { type: 'warned', about: 'branch', text: 'it is held' })), true);
  assert.equal(isApprovedElsewhere(replay(IMPORTED, APPROVES, IMPORTED)), true);
});

test('an approval that was given after the import, or without one, was given here', () => {
  assert.equal(isApprovedElsewhere(replay(APPROVES)), false);
  assert.equal(isApprovedElsewhere(replay(IMPORTED, APPROVES)), false);
  assert.equal(isApprovedElsewhere(replay(APPROVES, IMPORTED, REJECTS, APPROVES)), false);
  assert.equal(isApprovedElsewhere(replay(IMPORTED)), false);
});
