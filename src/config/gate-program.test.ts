import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gateProgram } from './gate-program.ts';

const LINES: Readonly<Record<string, string | null>> = {
  'npm test': 'npm',
  '  ./gradlew test': './gradlew',
  'CI=true NODE_ENV=test npm run build && npm test': 'npm',
  'make;true': 'make',
  tox: 'tox',
  'cd web && npm test': null,
  '[ -e a ]': null,
  '(npm test)': null,
  '"my program" --all': null,
  '$RUNNER test': null,
  'if true; then npm test; fi': null,
  'A="$(date)" npm test': null,
  '': null,
};

for (const [line, program] of Object.entries(LINES)) {
  test(`the line ${JSON.stringify(line)} starts with ${program ?? 'what only a shell can tell'}`, () => {
    assert.equal(gateProgram(line), program);
  });
}
