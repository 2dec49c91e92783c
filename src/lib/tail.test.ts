import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastLines, Tail, withOmission } from './tail.ts';

test('a tail keeps the end of what was pushed and counts the rest', () => {
  const tail = new Tail(5);
  for (const character of 'abcdefghijklmnopqrstuvwxyz') tail.push(character);
  assert.deepEqual([tail.text, tail.droppedChars], ['vwxyz', 21]);
});

test('a tail does not begin with half a character', () => {
  const tail = new Tail(3);
  tail.push('a😀😀');
  assert.deepEqual([tail.text, tail.droppedChars], ['😀', 3]);
});

test('a text within the limit is kept whole', () => {
  const tail = new Tail(5);
  tail.push('abcde');
  assert.deepEqual([tail.text, tail.droppedChars], ['abcde', 0]);
});

test('the last lines are counted with and without a line break at the end', () => {
  assert.equal(lastLines('a\nb\nc\n', 2), 'b\nc\n');
  assert.equal(lastLines('a\nb\nc', 2), 'b\nc');
  assert.equal(lastLines('a\nb\nc\n', 3), 'a\nb\nc\n');
  assert.equal(lastLines('\n\n\n', 2), '\n\n');
  assert.equal(lastLines('', 2), '');
});

test('what is left out is said', () => {
  assert.equal(withOmission('end', 12), '[12 characters left out]\nend');
  assert.equal(withOmission('all', 0), 'all');
});
