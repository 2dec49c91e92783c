import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from './load.ts';
import { specialLimits } from './special-limits.ts';
import { environmentLayer } from './value-layers.ts';

const TEXT = 'policy: { maxRounds: 5 }\ntaskTypes:\n  implement: { maxRounds: 2 }\n  improve: { timeout: 5m }\n';

function notes(path: string, env: Readonly<Record<string, string>> = {}): string[] {
  const project = { origin: 'project', label: 'volley.yaml', dir: '/project', text: TEXT } as const;
  return specialLimits(loadConfig({ layers: [project, environmentLayer(env)], drivers: ['command'] }), path);
}

test('a limit of a task type that stands in the place of the general one is named', () => {
  assert.deepEqual(notes('policy.maxRounds'), ['taskTypes.implement.maxRounds 2 (volley.yaml:3) holds in its place for implement tasks.']);
  assert.deepEqual(notes('policy.timeouts.fix'), ['taskTypes.improve.timeout 5m (volley.yaml:4) holds in its place for improve tasks.']);
});

test('nothing is said where the general limit holds for all', () => {
  assert.deepEqual(
    [notes('policy.timeouts.author'), notes('policy.quorum'), notes('policy.maxRounds', { VOLLEY_MAX_ROUNDS: '4' })],
    [[], [], []],
  );
});
