import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionIn } from './cli-detect.ts';

const ANSWERS: Readonly<Record<string, string | null>> = {
  '2.1.19 (Claude Code)\n': '2.1.19',
  'codex-cli 0.87.0\n': '0.87.0',
  'v1.1.25\n': '1.1.25',
  '0.25.0-preview.3': '0.25.0-preview.3',
  'unknown option --version': null,
  '': null,
};

for (const [answer, version] of Object.entries(ANSWERS)) {
  test(`the version in ${JSON.stringify(answer)} is ${version ?? 'not told'}`, () => {
    assert.equal(versionIn(answer), version);
  });
}
