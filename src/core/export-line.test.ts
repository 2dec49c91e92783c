import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCreated } from '../../test/support/created.ts';
import type { JournalEntry } from './event.ts';
import { exportLines, foldExported, readExportLine } from './export-line.ts';

const AT = '2026-01-29T10:00:00.000Z';
const JOURNAL: readonly JournalEntry[] = [
  { seq: 1, at: AT, event: makeCreated(29) },
  { seq: 2, at: AT, event: { type: 'warned', about: 'branch', text: 'it is checked out' } },
];

/** What is wrong, in words. */
function problem(read: string | object): string {
  return typeof read === 'string' ? read : 'nothing';
}

test('the lines of a loop are read again as what they were', () => {
  const lines = exportLines(JOURNAL).map((line) => readExportLine(JSON.stringify(line)));
  const [said, ...events] = lines.map((line) => (typeof line === 'string' ? assert.fail(line) : line));
  assert.ok(said?.type === 'loop');
  const journal = events.map((line) =>
    line.type === 'event' ? { seq: line.seq, at: line.at, event: line.event } : assert.fail(line.type),
  );
  const folded = foldExported(said, journal);
  assert.ok(typeof folded !== 'string');
  assert.deepEqual([folded.journal, folded.loop.id, folded.loop.seq], [JOURNAL, 29, 2]);
});

test('a line that is no JSON, of no known type or with a wrong part is told as such', () => {
  assert.equal(readExportLine('{"type":"loop"'), 'it is not JSON');
  assert.match(problem(readExportLine('[]')), /^it is no line of an export/);
  assert.match(problem(readExportLine('{"type":"other","v":1}')), /^it is no line of an export \(type: /);
  assert.match(problem(readExportLine('{"type":"loop","v":1,"id":"29","uid":"x"}')), /\(id: /);
  assert.match(problem(readExportLine('{"type":"loop","v":1,"id":29,"uid":"../../../home"}')), /\(uid: must be a ULID\)/);
  const huge = { type: 'loop', v: 1, id: 9_007_199_254_740_991, uid: makeCreated(29).uid };
  assert.match(problem(readExportLine(JSON.stringify(huge))), /\(id: /);
  const created = { type: 'event', v: 1, loop: 29, seq: 1, at: AT, state: 'queued', event: { ...makeCreated(29), uid: '..' } };
  assert.match(problem(readExportLine(JSON.stringify(created))), /\(event\.uid: must be a ULID\)/);
  const outside = { type: 'transcript', v: 1, loop: 1, path: '.volley/transcripts/../../.git/config', text: '' };
  assert.match(problem(readExportLine(JSON.stringify(outside))), /\(path: /);
});

test('a journal that cannot have happened, or is that of another loop, is none', () => {
  const said = { type: 'loop', v: 1, id: 29, uid: makeCreated(29).uid } as const;
  assert.equal(foldExported(said, []), 'task 29 has no journal that begins it');
  assert.equal(foldExported(said, JOURNAL.slice(1)), 'task 29 has no journal that begins it');
  assert.match(problem(foldExported({ ...said, id: 30 }, JOURNAL)), /of another task/);
  for (const branch of ['dev', 'volley/290-add', 'volley/29-add..thing'])
    assert.match(problem(foldExported(said, [{ seq: 1, at: AT, event: { ...makeCreated(29), branch } }])), /a branch that is not its own/);
  assert.match(problem(foldExported(said, [...JOURNAL, { seq: 3, at: AT, event: makeCreated(29) }])), /begins twice/);
});
