import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asksAgain } from './asks-again.ts';

test('the same file or finding is asked for again', () => {
  assert.equal(asksAgain({ finding: 2, tab: 'findings' }, { finding: 2, file: undefined, line: undefined }), true);
  assert.equal(asksAgain({ file: 'a.ts' }, { file: 'a.ts', finding: undefined }), true);
});

test('another place, or another line of the same file, is not the same', () => {
  assert.equal(asksAgain({ finding: 2 }, { finding: 3 }), false);
  assert.equal(asksAgain({ file: 'a.ts', line: 3 }, { file: 'a.ts', line: undefined }), false);
});

test('what names no place does not lead back to one', () => {
  assert.equal(asksAgain({ file: 'a.ts', tab: 'files' }, { tab: 'files' }), false);
});
