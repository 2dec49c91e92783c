import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprintOf, fnv1a64 } from './fingerprint.ts';

const finding = { ruleId: 'dead-code', file: 'src/a.ts', description: 'The helper is never called.', snippet: 'function helper() {' };

for (const [text, hash] of [
  ['', 'cbf29ce484222325'],
  ['a', 'af63dc4c8601ec8c'],
  ['foobar', '85944171f73967e8'],
] as const) {
  test(`the hash of ${JSON.stringify(text)} is the published one`, () => {
    assert.equal(fnv1a64(text), hash);
  });
}

test('line numbers, punctuation and indentation do not change a fingerprint', () => {
  const said = { ...finding, description: 'The helper on line 12 is never called: see a.ts:12.', snippet: '\tfunction helper()  {' };
  const moved = {
    ...finding,
    description: 'the helper on lines 40-52 is never called (see a.ts:40:7)',
    snippet: '    function helper() {',
  };
  assert.equal(fingerprintOf(said), fingerprintOf(moved));
});

test('the rule, the file, the words and the code each change it', () => {
  const others = [{ ruleId: 'unused' }, { file: 'src/b.ts' }, { description: 'The helper is slow.' }, { snippet: 'function other() {' }];
  const names = [finding, ...others.map((part) => ({ ...finding, ...part }))].map(fingerprintOf);
  assert.equal(new Set(names).size, names.length);
});
