import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { redactAll } from './redact-all.ts';

const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

test('a secret is taken out of every text, however deep it lies, and all else stays as it is', () => {
  const value = { note: `see ${TOKEN}`, line: 3, gone: null, places: [{ file: 'a.ts', words: [TOKEN, 'fine'] }], isOpen: true };
  assert.deepEqual(redactAll(value), {
    note: 'see [secret: GitHub token]',
    line: 3,
    gone: null,
    places: [{ file: 'a.ts', words: ['[secret: GitHub token]', 'fine'] }],
    isOpen: true,
  });
});

test('wherever a secret stands in a value, nothing of it is left', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.array(fc.string({ maxLength: 5 }), { maxLength: 5 }), (other, path) => {
      const nested = path.reduceRight<unknown>((inner, key) => ({ other, [`k${key}`]: [inner] }), TOKEN);
      assert.ok(!JSON.stringify(redactAll(nested)).includes(TOKEN));
    }),
  );
});
