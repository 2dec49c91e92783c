import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boardPlace, changePlace, placeOf } from './place.ts';

/** What of it is said at all. */
function said(place: object): object {
  return JSON.parse(JSON.stringify(place)) as object;
}

test('words that look like a number are words', () => {
  assert.deepEqual(said(boardPlace({ q: 123 })), { q: '123' });
  assert.deepEqual(said(placeOf({ q: true, file: 7, range: 1, drawer: 2 })), { q: 'true', file: '7', range: '1', drawer: '2' });
});

test('what is no use is left out', () => {
  assert.deepEqual(said(placeOf({ line: 0, side: 'left', finding: 1.5, tab: 'x', file: null, more: 1 })), {});
  assert.deepEqual(said(boardPlace({ by: 'age', new: 1 })), {});
  assert.deepEqual(said(changePlace({ branch: 'main', finding: 4, line: 9, side: 'new' })), { branch: 'main', line: 9, side: 'new' });
});
