import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeScenario } from '../support/scenario.ts';

const EXAMPLE = join(import.meta.dirname, '..', '..', 'examples', 'scripted-agents');

test('the example of scripted agents builds its task in three rounds', async () => {
  await using scenario = await makeScenario();
  await cp(join(EXAMPLE, 'project'), scenario.root, { recursive: true });
  for (const name of ['volley.yaml', 'agents']) await cp(join(EXAMPLE, name), join(scenario.root, name), { recursive: true });
  await scenario.repository.commit('the example');
  const ran = await scenario.volley(['run', 'Add a discount in percent to the price list', '--json']);
  assert.deepEqual([ran.code, ran.loop().state, ran.loop().rounds.length], [0, 'approved', 3], ran.stderr);
});
