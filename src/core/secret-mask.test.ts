import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskLine, redactedLines, withoutValues } from './secret-mask.ts';

const LONG = ['kX9', 'pQ2', 'vL7', 'tR4', 'zB8'].join('');

const FLAGGED: readonly (readonly [line: string, shown: string])[] = [
  [`const apiKey = "${LONG}";`, 'const apiKey = "•••";'],
  [`login('admin', 'x');`, `login('•••', '•••');`],
  [`STRIPE_SECRET_KEY=${LONG}`, 'STRIPE_SECRET_KEY=•••'],
  [`  db.password: ${LONG}`, '  db.password: •••'],
  [`value = ${LONG}==`, 'value = •••'],
  ['DB_PASSWORD=hunter2', 'DB_PASSWORD=•••'],
  ['DB_PASSWORD=kL#vQ!', 'DB_PASSWORD=•••'],
  ['password: correct horse battery', 'password: •••'],
  ['curl --user admin --password sesame', '•••'],
  [`curl --password hunter2 "https://example.invalid"`, 'curl --password ••• "•••"'],
  [`${LONG.slice(0, 7)}`, '•••'],
  ['}', '}'],
];

for (const [line, shown] of FLAGGED) {
  test(`a line with a secret loses it and keeps its name: ${shown}`, () => assert.equal(maskLine(line, true).text, shown));
}

test('a line beside a secret loses literals and long runs only', () => {
  assert.equal(
    maskLine(`connect(url, "x", ${LONG}, sha256(a)); // port=8080`, false).text,
    'connect(url, "•••", •••, sha256(a)); // port=8080',
  );
});

test('a line as long as a minified file is masked as a whole, and at once', () => {
  assert.equal(maskLine('\\"'.repeat(500_000), true).text, '•••');
});

test('values are taken out of words, the longest first', () => {
  assert.equal(withoutValues('abcdef and abcdefgh', ['abcdef', 'abcdefgh', 'and']), '••• and •••');
});

test('redacting a key of several lines keeps the number of lines', () => {
  const key = `${'-----BEGIN'} PRIVATE KEY-----\r\n${LONG.repeat(4)}\r\n${'-----END'} PRIVATE KEY-----`;
  assert.deepEqual(redactedLines(`a\r\n${key}\r\nb`), ['a', '[secret: private key]', '•••', '•••', 'b']);
});
