import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printed } from './printed.ts';

test('colours and titles of a terminal are left out', () => {
  assert.equal(printed('\u001b[32m✔\u001b[0m ok \u001b]0;title\u0007done'), '✔ ok done');
});

test('a line that was written over shows what was left', () => {
  assert.equal(printed('10 %\r50 %\r100 %\nnext\r\n'), '100 %\nnext\n');
});

test('other characters stay, so that they can be named', () => {
  assert.equal(printed('a\u202eb\u0008'), 'a\u202eb\u0008');
});
