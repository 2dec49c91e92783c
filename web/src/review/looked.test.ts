import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookedAt, lookedPlace, lookedWords, nothingWords } from './looked.ts';

test('an address without anything means what is not committed', () => {
  assert.deepEqual(lookedAt({}), { kind: 'working-tree' });
  assert.equal(lookedWords(lookedAt({})), 'what is not committed');
});

test('a range comes before a branch, and a branch before the working tree', () => {
  assert.equal(lookedAt({ range: 'a..b', branch: 'x' }).kind, 'range');
  assert.equal(lookedAt({ branch: 'x', base: 'main' }).kind, 'branch');
  assert.equal(lookedAt({ base: 'main' }).kind, 'working-tree');
});

test('what is looked at survives the address', () => {
  for (const place of [{ range: 'a..b' }, { branch: 'x', base: 'main' }, { branch: 'HEAD' }, { base: 'main' }, {}])
    assert.deepEqual(lookedAt(lookedPlace(lookedAt(place))), lookedAt(place));
});

test('a range without a change says which end has nothing, and offers the other direction', () => {
  const same = { base: 'c', head: 'c' };
  const nothing = (range: string) => nothingWords({ kind: 'range', range }, same);
  assert.deepEqual(nothing('feature..main'), { text: 'main has nothing that feature lacks.', instead: 'main..feature' });
  assert.deepEqual(nothing('v1.0...'), { text: 'HEAD has nothing that v1.0 lacks.', instead: 'HEAD...v1.0' });
  assert.deepEqual(nothing('main..main'), { text: 'Both ends are the same.', instead: null });
  const undone = nothingWords({ kind: 'range', range: 'main..feature' }, { base: 'b', head: 'c' });
  assert.equal(undone.text, 'What was committed there leaves every file as it was.');
  assert.equal(
    nothingWords({ kind: 'branch', branch: 'HEAD', base: null }, same).text,
    'The current branch has nothing that its base lacks.',
  );
});
