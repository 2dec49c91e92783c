import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { makeScenario } from '../support/scenario.ts';

test('the demo tells three stories that end as they should, and its first result passes the tests of the project', async () => {
  await using scenario = await makeScenario();
  const demo = await scenario.volley(['demo'], { env: { TMPDIR: scenario.repository.beside } });
  assert.equal(demo.code, 0, demo.stdout + demo.stderr);
  const [, cwd = ''] = /made for you in (\S+)/.exec(demo.stdout) ?? [];
  try {
    const show = async (id: number) => (await scenario.volley(['show', String(id), '--json'], { cwd })).loop();
    const [first, second, third] = await Promise.all([show(1), show(2), show(3)]);
    assert.deepEqual([first.state, first.rounds.length], ['approved', 2]);
    assert.equal(first.findings.length, 10);
    assert.ok(first.findings.every(({ status }) => status === 'fixed'));
    assert.deepEqual(
      first.gates.map(({ name, passed }) => [name, passed]),
      [['tests', true]],
    );
    assert.deepEqual([second.state, second.escalation?.reason, second.approval], ['needs_human', 'needs-discussion', null]);
    assert.deepEqual([third.state, third.escalation?.reason, third.approval], ['needs_human', 'no-verdict', null]);
    assert.match(demo.stdout, /text cannot approve/);
    assert.equal((await scenario.volley(['land', '1'], { cwd })).code, 0);
    const decided = await scenario.volley(['decide', '2', 'accept', '--reason', 'tried in the demo'], { cwd });
    assert.equal(decided.code, 0, decided.stderr);
  } finally {
    if (cwd !== '') await rm(dirname(cwd), { recursive: true, force: true });
  }
});
