import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ConfigFile } from './schema.ts';
import { pathText, validate } from './validate.ts';

const KEYS = [
  'agents',
  'roles',
  'reviewer',
  'policy',
  'ceiling',
  'loop',
  'timeouts',
  'gates',
  'run',
  'env',
  'notify',
  'email',
  'to',
  'x',
  '0',
  '__proto__',
];

const { tree: anything } = fc.letrec((tie) => ({
  leaf: fc.constantFrom<unknown[]>(null, true, 0, -1, 2.5, Infinity, '', 'none', '90s', 'high', 'a b'),
  list: fc.array(tie('tree'), { maxLength: 3 }),
  group: fc.dictionary(fc.constantFrom(...KEYS), tie('tree'), { maxKeys: 4 }),
  tree: fc.oneof({ maxDepth: 5 }, tie('leaf'), tie('list'), tie('group')),
}));

test('whatever is written, the check ends with what is right in it, or says what is wrong', () => {
  fc.assert(
    fc.property(anything, (written) => {
      const { values, flaws } = validate(written);
      assert.ok(ConfigFile.safeParse(values).success);
      if (flaws.length === 0) assert.ok(typeof written === 'object');
    }),
    { numRuns: 2000 },
  );
});

test('what is right beside a mistake is kept', () => {
  const { values, flaws } = validate({
    policy: { maxRounds: 'x', quorum: 'any' },
    gates: ['a', 3],
    roles: { reviewer: [1, 2], author: 'me' },
  });
  assert.deepEqual(values, { policy: { quorum: 'any' }, roles: { author: 'me' } });
  assert.deepEqual(
    flaws.map(({ path }) => pathText(path)),
    ['roles.reviewer[0]', 'roles.reviewer[1]', 'policy.maxRounds', 'gates[1]'],
  );
});
