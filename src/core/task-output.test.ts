import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLoop, makeSettings, makeTask } from '../../test/support/loops.ts';
import { plainAgent } from './settings.ts';
import { PreviewOutput, previewOutput, TaskOutput, taskOutput } from './task-output.ts';

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;

test('a task is told with what it was configured with, but not how its agents are started, and without secrets', () => {
  const plain = makeSettings();
  const settings = {
    ...plain,
    agents: { ...plain.agents, alpha: plainAgent({ name: 'alpha', driver: 'command', run: ['/opt/secret-place/agent'], env: ['KEY'] }) },
    gates: [{ name: 'test', run: `TOKEN=${TOKEN} npm test`, cwd: '.', paths: [], network: false }],
  };
  const told = TaskOutput.parse(taskOutput(makeLoop({ settings })));
  assert.deepEqual(told.settings.agents['alpha'], { driver: 'command', model: null, billing: null });
  assert.match(told.settings.gates[0]?.run ?? '', /^TOKEN=.* npm test$/);
  assert.ok(!/ghp_|secret-place|KEY/.test(JSON.stringify(told)));
});

test('a preview tells every step of the longest path, without secrets', () => {
  const task = makeTask({ title: 'Add X', text: `Add X with ${TOKEN}` });
  const told = PreviewOutput.parse(previewOutput({ task, settings: makeSettings(), notes: ['A note.'] }));
  assert.match(told.steps[0]?.text ?? '', /^\[DRY-RUN\] Would spawn author/);
  assert.match(told.steps.at(-1)?.text ?? '', /Would ask a person \(max-rounds\)/);
  assert.ok(!JSON.stringify(told).includes(TOKEN));
});
