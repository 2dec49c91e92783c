import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fittingLength, textWidth } from './text-width.ts';

const WIDTHS: readonly (readonly [text: string, width: number])[] = [
  ['plain', 5],
  ['äöü', 3],
  ['cafe\u0301', 4],
  ['漢字', 4],
  ['ｶﾅ', 2],
  ['한글', 4],
  ['🎉', 2],
  ['👩‍💻', 2],
  ['☎\ufe0f', 2],
  ['a\u200bb', 2],
  ['', 0],
];

for (const [text, width] of WIDTHS) {
  test(`${JSON.stringify(text)} takes ${width} columns`, () => assert.equal(textWidth(text), width));
}

test('what fits into a width ends between graphemes', () => {
  assert.equal(fittingLength('漢字', 3), 1);
  assert.equal(fittingLength('a👩‍💻b', 2), 1);
  assert.equal(fittingLength('cafe\u0301s', 4), 5);
  assert.equal(fittingLength('plain', 9), 5);
});
