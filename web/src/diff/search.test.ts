import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countWords, goLate, matchLine, openSearch, setSearch, standing, stepped, useSearchBox } from './search.ts';

test('where one stands among the matches is said, and whether there are more', () => {
  assert.equal(countWords({ at: -1, found: 0, more: false }), 'Nothing found');
  assert.equal(countWords({ at: -1, found: 1, more: false }), '1 line');
  assert.equal(countWords({ at: 2, found: 200, more: true }), '3 of 200+');
});

test('the next match after the last is the first, and the other way round', () => {
  const three = { found: 3, more: false };
  assert.deepEqual(
    [stepped(-1, three, 1), stepped(2, three, 1), stepped(0, three, -1), stepped(-1, three, -1), stepped(0, { ...three, found: 0 }, 1)],
    [0, 0, 2, 2, -1],
  );
});

test('before the first match nothing comes while the last one is not known', () => {
  const some = { found: 200, more: true };
  assert.deepEqual([stepped(0, some, -1), stepped(-1, some, -1), stepped(5, some, -1)], [0, 0, 4]);
});

test('a removed line is one of the old side, any other one of the new', () => {
  assert.deepEqual(matchLine({ kind: 'removed', oldLine: 4, newLine: null }), { line: 4, side: 'old' });
  assert.deepEqual(matchLine({ kind: 'context', oldLine: 4, newLine: 6 }), { line: 6, side: 'new' });
});

test('an answer that comes after the box was closed does not open it again, and what was looked for is kept', () => {
  openSearch();
  setSearch({ text: 'charge' });
  setSearch(null);
  setSearch({ at: 3 });
  assert.equal(useSearchBox.getState().search, null);
  openSearch();
  assert.deepEqual(useSearchBox.getState().search, { text: 'charge', matchCase: false, at: -1 });
});

test('whoever stands at a match of one range stands at none of another', () => {
  assert.equal(standing({ at: 11, place: 'a..c show' }, 'a..c show'), 11);
  assert.equal(standing({ at: 11, place: 'a..c show' }, 'a..b show'), -1);
});

test('a match that comes late is gone to only where the same is still looked for from the same place', () => {
  const searched = () => useSearchBox.getState().search ?? assert.fail('it is open');
  openSearch();
  setSearch({ text: 'charge', at: 199, place: 'here' });
  const before = searched();
  goLate(before, { at: 200, place: 'here' });
  assert.equal(searched().at, 200);
  for (const meanwhile of [{ text: 'refund', at: -1 }, { at: -1 }, { at: 3, place: 'there' }]) {
    setSearch({ text: 'charge', at: 199, place: 'here' });
    const left = searched();
    setSearch(meanwhile);
    const now = searched();
    goLate(left, { at: 200, place: 'here' });
    assert.equal(searched(), now);
  }
  setSearch(null);
});
