import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NAMED, written } from './written.ts';

test('characters that turn text around or hide in it are written out', () => {
  assert.equal(written('a\u202eb\u200bc\u0000d\u{e0041}e'), 'a⟦U+202E⟧b⟦U+200B⟧c⟦U+0000⟧d⟦U+E0041⟧e');
});

test('line ends of both kinds and tabs stay, a lone carriage return is shown', () => {
  assert.equal(written('a\tb\r\nc\rd\n'), 'a\tb\r\nc⟦U+000D⟧d\n');
});

test('ordinary text of any language stays as it is', () => {
  const text = 'Grüße, 日本語, עברית, 👍🏽\r\nß\n';
  assert.equal(written(text), text);
});

test('what was written out can be found again', () => {
  assert.equal(written('x\u2066y\u2069').match(NAMED)?.length, 2);
});
