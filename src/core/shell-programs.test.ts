import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shellPrograms } from './shell-programs.ts';

test('the program of each command and the script of an interpreter are named, their arguments are not', () => {
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['npx eslint -f sarif .', ['npx']],
    ['python3 -u tools/lint.py src/app.py', ['python3', 'tools/lint.py']],
    ['python3 -W ignore tools/lint.py', ['python3', 'tools/lint.py']],
    ['npm ci --silent && CI=1 ./tools/lint.sh "src"', ['npm', 'tools/lint.sh']],
    ['cat log | node "tools/to-sarif.js" build.sh', ['cat', 'node', 'tools/to-sarif.js']],
    ['timeout 60 env MODE=rel exec python3 tools/lint.py', ['python3', 'tools/lint.py']],
    ['cd tools && python3 lint.py', ['tools/cd', 'tools/python3', 'tools/lint.py']],
    ['(python3 tools/lint.py)', ['python3', 'tools/lint.py']],
    ['shellcheck -f sarif build.sh', ['shellcheck']],
    ['', []],
  ];
  for (const [line, paths] of lines)
    assert.deepEqual(
      shellPrograms(line).map(({ path }) => path),
      paths,
      line,
    );
});
