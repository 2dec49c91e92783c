import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FindingOutput } from '../../../src/core/output.ts';
import type { DiffFile } from './diff-file.ts';
import { linesOf, placeNotes, ruleAt, within } from './notes.ts';

const file = (path: string, more: Partial<DiffFile> = {}): DiffFile => ({
  path,
  oldPath: null,
  status: 'modified',
  added: 1,
  removed: 1,
  binary: false,
  submodule: false,
  symlink: false,
  oldMode: '100644',
  newMode: '100644',
  oldBlob: '1',
  newBlob: '2',
  generated: null,
  ...more,
});

const finding = (id: string, more: Partial<FindingOutput>): FindingOutput => ({
  type: 'finding',
  v: 1,
  id,
  status: 'open',
  provenance: 'original',
  source: 'reviewer',
  severity: 'high',
  category: 'logic',
  file: 'a.ts',
  line: 3,
  lineEnd: null,
  description: 'x',
  impact: null,
  suggestion: null,
  applicable: false,
  blocking: true,
  firstRound: 1,
  lastRound: 1,
  anchor: 'exact',
  snippet: null,
  also: [],
  resolution: null,
  ruling: null,
  raisedBy: [],
  flags: [],
  movedFrom: null,
  ...more,
});

test('a finding hangs from its last line, and its rule begins at its first', () => {
  const { byFile } = placeNotes([file('a.ts')], [finding('1.1', { line: 3, lineEnd: 6 })], []);
  const notes = byFile.get('a.ts') ?? [];
  assert.deepEqual(linesOf(notes), [6]);
  assert.deepEqual(
    [2, 3, 6, 7].map((line) => ruleAt(notes, line)),
    [null, 'high', 'high', null],
  );
});

test('what lost its lines stands above the first line of its file', () => {
  const { byFile } = placeNotes(
    [file('a.ts')],
    [finding('1.1', { anchor: 'outdated' }), finding('1.2', { anchor: 'unplaced' }), finding('1.3', { line: null })],
    [],
  );
  assert.deepEqual(
    byFile.get('a.ts')?.map(({ line }) => line),
    [0, 0, 0],
  );
});

test('what belongs to no file of the change stands above all files', () => {
  const { above } = placeNotes([file('a.ts')], [finding('1.1', { file: null }), finding('1.2', { file: 'gone.ts' })], []);
  assert.deepEqual(
    above.map(({ key }) => key),
    ['finding 1.1', 'finding 1.2'],
  );
});

test('a finding follows its file to its new name, and to a file that was deleted', () => {
  const renamed = file('b.ts', { status: 'renamed', oldPath: 'a.ts' });
  assert.equal(placeNotes([renamed], [finding('1.1', {})], []).byFile.get('b.ts')?.length, 1);
  const deleted = file('a.ts', { status: 'deleted', newBlob: null });
  assert.equal(placeNotes([deleted], [finding('1.1', {})], []).byFile.get('a.ts')?.[0]?.line, 0);
});

test('a line behind the end of the file is about the file', () => {
  const { byFile } = placeNotes([file('a.ts')], [finding('1.1', { line: 30 })], []);
  assert.equal(within(byFile.get('a.ts') ?? [], 20)[0]?.line, 0);
});

test('where findings overlap the edge shows the gravest that stands', () => {
  const { byFile } = placeNotes(
    [file('a.ts')],
    [
      finding('1.1', { severity: 'low' }),
      finding('1.2', { severity: 'critical', status: 'fixed' }),
      finding('1.3', { severity: 'medium' }),
    ],
    [],
  );
  assert.equal(ruleAt(byFile.get('a.ts') ?? [], 3), 'medium');
});

test('comments of people stand at their lines, but answers stand with their finding', () => {
  const comment = { at: '2026-01-01T00:00:00.000Z', by: 'me', text: 'hm', file: 'a.ts', line: 4, lineEnd: null, findingId: null };
  const { byFile } = placeNotes([file('a.ts')], [], [comment, { ...comment, findingId: '1.1' }]);
  assert.deepEqual(
    byFile.get('a.ts')?.map(({ key, line }) => [key, line]),
    [['comment 0', 4]],
  );
});
