import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDrawer } from './drawer-name.ts';
import { sessionDrawer } from './session-name.ts';

const startedAt = '2026-01-01T00:00:00.000Z';
const slow = { agent: 'codex', role: 'reviewer', startedAt, transcript: 'task-1-4-reviewer-1.log' } as const;
const quick = { ...slow, agent: 'gemini', transcript: 'task-1-4-reviewer-2.log' };

test('a session keeps its address when one that was listed behind it ends before it', () => {
  const atWork = [slow, quick].map(sessionDrawer);
  const quickIsDone = [quick, slow].map(sessionDrawer);
  assert.deepEqual(atWork, ['session:task-1-4-reviewer-1.log', 'session:task-1-4-reviewer-2.log']);
  assert.deepEqual(quickIsDone, atWork.toReversed());
});

test('one that nobody was started for has an address too, which is read as it was written', () => {
  const address = sessionDrawer({ ...slow, transcript: null });
  assert.deepEqual(readDrawer(address), { what: 'session', session: `codex-reviewer-${startedAt}` });
});
