import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRandomLiterals } from './random-literals.ts';

// Put together here, so that this file holds no value that looks like one.
const VALUE = ['k9Qz3vT7', 'Lm2XcR8b', 'WnJ5yHd4', 'PfGs6uEa'].join('');

test('a long value of a generator is found with its line', () => {
  const found = findRandomLiterals(`const a = 1;\nconst signer = "${VALUE}";\n`);
  assert.deepEqual(found, [{ line: 2, index: 16, length: 32 }]);
});

test('words, hashes, identifiers and what a line calls harmless are left alone', () => {
  const lines = [
    'const path = "a/very/long/path/to/some/folder/of/Files2";',
    `const integrity = "sha512-${VALUE}";`,
    'const id = "3f2504e0-4f89-11d3-9a0c-0305e82c3301";',
    'const commit = "da39a3ee5e6b4b0d3255bfef95601890afd80709";',
    'const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef0123456789";',
    'const words = "thisIsAVeryLongCamelCaseIdentifierWith2Numbers1";',
    `expect(token).toBe("${VALUE}");`,
    `const publicKey = "${VALUE}";`,
  ];
  assert.deepEqual(findRandomLiterals(lines.join('\n')), []);
});
