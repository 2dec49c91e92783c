import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clean, forTerminal, paint } from './print.ts';

const COLORED = { color: true };
const PLAIN = { color: false };

// oxlint-disable-next-line no-control-regex -- That is what is looked for.
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test('what agents and files say loses every sequence that a terminal would obey, and keeps its lines', () => {
  assert.equal(clean('a\n\tb \u001b[31mred\u001b[0m \u001b]52;c;AAAA\u0007done'), 'a\n\tb red done');
  assert.doesNotMatch(clean('\u001b]0;title\u001b\\ \u009b5n \u202e \u0000 \r \u001b[?1049h \u001bP1;2q'), RAW);
});

test('nesting one sequence in another does not smuggle it through', () => {
  assert.doesNotMatch(clean('\u001b\u001b[31m[31m \u001b]\u001b]52;c;x\u0007\u0007 \u001b[\u001b[0m5n'), RAW);
});

test('a megabyte of an unfinished sequence is made safe in no time', () => {
  for (const start of ['\u001b]52;c;', '\u001b[', '\u001b]8;;', '\u009b']) assert.doesNotMatch(clean(start + ';a'.repeat(500_000)), RAW);
});

test('the last wall before a terminal lets our own colours pass, and only where colours are wanted', () => {
  const line = `${paint(COLORED, 'red', 'error:')} \u001b]52;c;AAAA\u0007 \u001b[2J end`;
  assert.equal(forTerminal(COLORED, line), '\u001b[31merror:\u001b[39m   end');
  assert.equal(forTerminal(PLAIN, line), 'error:   end');
});
