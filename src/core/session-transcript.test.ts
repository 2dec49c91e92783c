import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionTranscript } from './session-transcript.ts';

test('every session has a transcript of its own, those of a panel by their seats', () => {
  const alone = { loop: 3, token: 7, role: 'author', seat: { index: 0, of: 1 } } as const;
  assert.equal(sessionTranscript(alone), 'task-3-7-author.log');
  const seats = [0, 1].map((index) => sessionTranscript({ ...alone, role: 'reviewer', seat: { index, of: 2 } }));
  assert.deepEqual(seats, ['task-3-7-reviewer-1.log', 'task-3-7-reviewer-2.log']);
});
