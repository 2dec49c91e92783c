import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textLines } from './lines.ts';

const own = (text: string): readonly string[] => textLines(text).flatMap((line) => (line.own ? [line.text] : []));
const code = (text: string): readonly string[] => textLines(text).flatMap((line) => (line.code ? [line.text] : []));

test('lines in fences of any length and indentation are not the own voice', () => {
  assert.deepEqual(own('a\n````md\n```\nx\n```\n````\nb'), ['a', 'b']);
  assert.deepEqual(own('a\n- item\n\n      ```\n      x\n      ```\nb'), ['a', '- item', '', 'b']);
  assert.deepEqual(own('a\n~~~\nx\n```\n~~~\nb'), ['a', 'b']);
});

test('an open fence reaches to the end, but does not make code of what follows', () => {
  assert.deepEqual(own('a\n```\nb'), ['a']);
  assert.deepEqual(code('a\n```\nb'), []);
});

test('three backticks with backticks behind them are no fence', () => {
  assert.deepEqual(own('```x``` y\nb'), ['```x``` y', 'b']);
});

test('quotes go on until the next blank line', () => {
  assert.deepEqual(own('> a\nb\n\nc'), ['', 'c']);
});

test('HTML comments, pre and blockquote hide their lines, tags in code do not', () => {
  assert.deepEqual(own('a\n<!--\nb\n-->\nc\n<pre>\nd\n</pre>\n<blockquote>e</blockquote>\nf `<pre>`\ng'), ['a', 'c', 'f `<pre>`', 'g']);
  assert.deepEqual(own('a <!--\nb'), []);
});

test('carriage returns at the end are dropped, those inside make no new line', () => {
  assert.deepEqual(own('a\r\nb\rc'), ['a', 'b\rc']);
});
