import assert from 'node:assert/strict';
import { test } from 'node:test';
import { promptsIn, transcriptHead } from './transcript-prompt.ts';

test('the prompt is found again before the answer', () => {
  assert.deepEqual(promptsIn(`${transcriptHead('Review this.')}It is good.`), { prompts: ['Review this.'], all: true });
  assert.deepEqual(promptsIn('nothing of the kind'), { prompts: [], all: true });
});

test('a prompt that quotes the line behind it is one of several stretches', () => {
  const prompt = 'The file says\n# answer\nand goes on.';
  assert.deepEqual(promptsIn(transcriptHead(prompt)).prompts, ['The file says', prompt]);
  assert.equal(promptsIn(transcriptHead('x\n# answer\n'.repeat(30))).all, false);
});
