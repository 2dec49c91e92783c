import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from './load.ts';
import { unobeyed } from './unobeyed.ts';

function notes(text: string): string[] {
  return unobeyed(loadConfig({ layers: [{ origin: 'project', label: 'volley.yaml', dir: '/project', text }], drivers: ['command'] }));
}

test('settings that have no effect yet are named', () => {
  assert.deepEqual(notes('policy: { checkpointEvery: 3, maxRounds: 2 }\npullRequest: { create: true }\n'), [
    'Not obeyed yet: policy.checkpointEvery, pullRequest.create.',
  ]);
});

test('a number of sessions that nobody counts yet is named for each agent', () => {
  assert.deepEqual(notes('agents: { a: { run: [x], maxParallel: 2 } }\nreview: { beforePullRequest: false }\n'), [
    'Not obeyed yet: review.beforePullRequest, agents.a.maxParallel.',
  ]);
});

test('a pull request in the place of a question is named', () => {
  assert.deepEqual(notes('policy: { onMaxRounds: open-pull-request }\n'), ['Not obeyed yet: policy.onMaxRounds.']);
});

test('nothing is said about what is obeyed', () => {
  assert.deepEqual(notes('policy: { maxRounds: 2, onMaxRounds: ask, ceiling: { run: 5, day: 10 } }\n'), []);
});
