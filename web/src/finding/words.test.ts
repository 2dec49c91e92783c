import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Category, FindingSource, FindingStatus, Provenance, Severity } from '../../../src/core/finding.ts';
import { CATEGORIES, PROVENANCES, SEVERITIES, SOURCES, STATUSES, lineWords, numberOf, placeWords, tagsOf } from './words.ts';

test('every word that the core knows has one for people', () => {
  assert.deepEqual(Object.keys(SEVERITIES), Severity.options);
  assert.deepEqual(Object.keys(CATEGORIES), Category.options);
  assert.deepEqual(Object.keys(STATUSES), FindingStatus.options);
  assert.deepEqual(Object.keys(PROVENANCES), Provenance.options);
  assert.deepEqual(Object.keys(SOURCES), FindingSource.options);
});

test('what is special about a finding stands beside its category, and what goes without saying does not', () => {
  const words = (finding: Parameters<typeof tagsOf>[0]): string[] => tagsOf(finding).map(({ word }) => word);
  assert.deepEqual(words({ category: 'logic', blocking: true, status: 'open', provenance: 'original' }), ['Logic', 'Blocks']);
  assert.deepEqual(words({ category: 'security', blocking: true, status: 'disputed', provenance: 'late' }), [
    'Security',
    'Blocks',
    'Disputed',
    'Late',
  ]);
  assert.deepEqual(words({ category: 'logic', blocking: false, status: 'open', provenance: 'fix-induced' }), [
    'Logic',
    'Does not block',
    'Fix-induced',
  ]);
  assert.deepEqual(words({ category: 'style', blocking: false, status: 'fixed', provenance: 'original' }), ['Style', 'Fixed']);
});

test('a place is told by its lines, its file or the whole change', () => {
  assert.equal(lineWords({ line: 53, lineEnd: null }), 'line 53');
  assert.equal(lineWords({ line: 19, lineEnd: 25 }), 'lines 19–25');
  assert.equal(lineWords({ line: null, lineEnd: null }), null);
  assert.equal(placeWords({ file: 'src/a.ts', line: 19, lineEnd: 25 }), 'src/a.ts:19-25');
  assert.equal(placeWords({ file: 'src/a.ts', line: 7, lineEnd: 7 }), 'src/a.ts:7');
  assert.equal(placeWords({ file: null, line: null, lineEnd: null }), 'the whole change');
});

test('the number of a finding is the one in its loop', () => {
  assert.equal(numberOf('29.4'), 4);
  assert.equal(numberOf('1.120'), 120);
});
