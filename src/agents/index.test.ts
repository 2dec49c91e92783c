import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VolleyError } from '../core/errors.ts';
import { plainAgent } from '../core/settings.ts';
import { createAgent, DRIVERS } from './index.ts';

const PLACE = { homes: '/nonexistent' };
const SPEC = plainAgent({ name: 'mine', driver: 'command', run: ['sh'] });

test('a spec becomes an agent of its driver', () => {
  assert.equal(createAgent(SPEC, PLACE).spec, SPEC);
});

test('an unknown driver is an error that lists the known ones', () => {
  assert.throws(
    () => createAgent({ ...SPEC, driver: 'comand' }, PLACE),
    (error) => error instanceof VolleyError && error.code === 'unknown-agent' && DRIVERS.every(({ id }) => error.remedy.includes(id)),
  );
});
