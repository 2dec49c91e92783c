import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingScript } from './missing-script.ts';

for (const [run, missing] of [
  [['/usr/bin/node', 'tools/critic.js'], 'tools/critic.js'],
  [['bash', 'review.sh'], 'review.sh'],
  [['python3.12', '-u', 'tools/critic'], 'tools/critic'],
  [['node', '/project/tools/critic.js', 'src'], null],
  [['sh', '-c', 'echo hello'], null],
  [['eslint', 'src'], null],
  [['cat'], null],
  [['bash'], null],
] as const) {
  test(`${run.join(' ')} ${missing === null ? 'misses no script' : `misses ${missing}`}`, () => {
    assert.equal(missingScript(run), missing);
  });
}
