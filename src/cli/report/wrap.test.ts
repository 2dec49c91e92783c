import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { textWidth } from './text-width.ts';
import { wrap } from './wrap.ts';

test('a text is broken at its spaces, and its own lines are kept', () => {
  assert.deepEqual(wrap('one two three\nfour\n\n\nfive', 9), ['one two', 'three', 'four', 'five']);
});

test('lines of a list and indented lines go on below their words', () => {
  assert.deepEqual(wrap('- one two three\n  four five six', 10), ['- one two', '  three', '  four', '  five six']);
});

test('a word that is longer than a line is broken', () => {
  assert.deepEqual(wrap('see abcdefghijklmnop', 8), ['see', 'abcdefgh', 'ijklmnop']);
  assert.deepEqual(wrap('漢字漢字漢字', 8), ['漢字漢字', '漢字']);
});

test('a dot between remarks never ends a line', () => {
  assert.deepEqual(wrap('29.1 · logic · rule', 14), ['29.1 · logic', 'rule']);
});

test('wrapping loses no word, and no line is too long', () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '漢', '🎉', '-', '.'), minLength: 1, maxLength: 30 }), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(words, fc.integer({ min: 8, max: 60 }), (list, width) => {
      const lines = wrap(list.join(' '), width);
      assert.equal(lines.join('').replaceAll(' ', ''), list.join(''));
      for (const line of lines) assert.ok(textWidth(line) <= width, line);
    }),
  );
});
