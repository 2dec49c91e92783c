import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joined, PAGE, pageBefore, wholeLines } from './artefact-parts.ts';
import { printed } from './printed.ts';

test('an earlier page ends where the first one begins, also at the beginning of the text', () => {
  assert.deepEqual(pageBefore(3 * PAGE), { offset: 2 * PAGE, limit: PAGE });
  assert.deepEqual(pageBefore(1000), { offset: 0, limit: 1000 });
});

test('no page is left over that is smaller than what the server gives', () => {
  assert.deepEqual(pageBefore(PAGE + 3), { offset: 0, limit: PAGE + 3 });
  assert.deepEqual(pageBefore(PAGE + 4), { offset: 4, limit: PAGE });
});

test('parts stand in their order, and none stands there twice', () => {
  const middle = { offset: 10, end: 20, text: 'middle' };
  const first = { offset: 0, end: 10, text: 'first' };
  const last = { offset: 20, end: 30, text: 'last' };
  assert.deepEqual(joined(joined([middle], first, 'before'), last, 'after'), [first, middle, last]);
  assert.deepEqual(joined([middle], { ...middle, text: 'again' }, 'after'), [middle]);
  assert.deepEqual(joined([middle], { offset: 20, end: 20, text: '' }, 'after'), [middle]);
});

function drawn(...texts: readonly string[]): string[] {
  const parts = texts.map((text, index) => ({ offset: index * 10, end: index * 10 + 10, text }));
  return wholeLines(parts).map(({ text }) => printed(text));
}

test('a line that a page cuts is drawn whole, with the part in which it ends', () => {
  assert.deepEqual(drawn('one\ntw', 'o\nthree\nfo', 'ur'), ['one\n', 'two\nthree\n', 'four']);
  assert.deepEqual(drawn('one\ntw', 'o is ', 'long\n'), ['one\n', 'two is long\n']);
});

test('a part that ends with its line stays as it is, and empty lines are kept', () => {
  assert.deepEqual(drawn('one\n', '\n', 'two\n'), ['one\n', '\n', 'two\n']);
});

test('a colour, an end of a line and a line that is written over are read right where a page cuts them', () => {
  assert.deepEqual(drawn('a\n\u001b[3', '2mgreen\u001b[0', 'm\nb'), ['a\n', 'green\nb']);
  assert.deepEqual(drawn('a\nb\r', '\nc\r\n', 'd'), ['a\n', 'b\nc\n', 'd']);
  assert.deepEqual(drawn('a\n10 %\r', '100 %\nb'), ['a\n', '100 %\nb']);
});

test('parts that are drawn keep their places when others come', () => {
  const parts = [
    { offset: 10, end: 14, text: 'a\nb\n' },
    { offset: 14, end: 15, text: 'c' },
  ];
  const more = wholeLines([{ offset: 0, end: 10, text: 'before\nit ' }, ...parts, { offset: 15, end: 17, text: 'd\n' }]);
  assert.deepEqual(more, [
    { offset: 0, text: 'before\n' },
    { offset: 10, text: 'it a\nb\n' },
    { offset: 15, text: 'cd\n' },
  ]);
});
