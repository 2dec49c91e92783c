import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shellPrograms } from './shell-programs.ts';

test('the program of each command and the script of an interpreter are named, their arguments are not', () => {
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['npx eslint -f sarif .', ['npx']],
    ['python3 -u tools/lint.py src/app.py', ['python3', 'tools/lint.py']],
    ['npm ci --silent >&2 && CI=1 ./tools/lint.sh "src"', ['npm', '2', './tools/lint.sh']],
    ['cat log | node "tools/to-sarif.js" build.sh', ['cat', 'node', 'tools/to-sarif.js']],
    ['shellcheck -f sarif build.sh', ['shellcheck']],
    ['', []],
  ];
  for (const [line, programs] of lines) assert.deepEqual(shellPrograms(line), programs, line);
});
