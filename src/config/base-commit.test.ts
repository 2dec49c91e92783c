import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectRun, readsFromBase } from './base-commit.ts';
import { loadConfig } from './load.ts';

const question = {
  changedPaths: ['src/a.ts'],
  run: ['bash', './scripts/review.sh', '/project/tools/fix'],
  root: '/project',
  ci: undefined,
};

test('a change that leaves the configuration alone does not move it', () => {
  assert.deepEqual(readsFromBase(question), { fromBase: false, why: null });
});

test('a change of volley.yaml is judged by the volley.yaml before it', () => {
  assert.deepEqual(readsFromBase({ ...question, changedPaths: ['src/a.ts', 'volley.yaml'] }), {
    fromBase: true,
    why: 'the change touches volley.yaml',
  });
});

test('a file that run names counts, however it is written', () => {
  for (const path of ['scripts/review.sh', 'tools/fix', 'tools/fix/main.js', 'Scripts/Review.sh', 'bash']) {
    assert.deepEqual(readsFromBase({ ...question, changedPaths: [path] }), { fromBase: true, why: `the change touches ${path}` });
  }
});

test('a file of the same name elsewhere does not count', () => {
  assert.equal(readsFromBase({ ...question, changedPaths: ['docs/volley.yaml', 'scripts/review.sh.txt'] }).fromBase, false);
});

test('in CI the base is always read', () => {
  assert.deepEqual(readsFromBase({ ...question, changedPaths: [], ci: 'true' }), { fromBase: true, why: 'CI is set' });
  assert.equal(readsFromBase({ ...question, ci: '' }).fromBase, false);
});

test('only the programs of the project’s own file are asked about', () => {
  const loaded = loadConfig({
    drivers: ['command'],
    layers: [
      { origin: 'user', label: 'config.yaml', dir: '/home', text: 'agents: { mine: { run: [mine.sh] }, both: { run: [old.sh] } }' },
      {
        origin: 'project',
        label: 'volley.yaml',
        dir: '/project',
        text: 'agents: { ours: { run: [bash, ours.sh] }, both: { run: [new.sh] } }',
      },
    ],
  });
  assert.deepEqual(projectRun(loaded).toSorted(), ['bash', 'new.sh', 'ours.sh']);
});
