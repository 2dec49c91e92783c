import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldWords, searchWords } from './search-words.ts';

test('words are found however they are written', () => {
  assert.equal(foldWords('ÄNDERE die ﬁle'), 'ändere die file');
  assert.deepEqual(
    searchWords('  Add\tINPUT ').map(({ text }) => text),
    ['add', 'input'],
  );
});

test('a number is that of a loop, with or without its sign; what only looks like one is a word', () => {
  assert.deepEqual(
    searchWords('#29 29 029 2.9 1e3').map(({ number }) => number),
    [29, 29, null, null, null],
  );
  assert.deepEqual(searchWords(''), []);
});
